import { extname } from 'node:path';
import { type ComparisonOutcome, comparedCases, compareRuns, type RunComparison } from '@agent-criteria/analysis';
import type { Project } from '@agent-criteria/project';
import { settingsOfFlags } from '@agent-criteria/project/config';
import { lastTwoRuns, nameOfRun, type OpenedOutcomes, openOutcomes } from '@agent-criteria/project/runs';
import { type ConsoleOptions, htmlComparison, markdownComparison, writeAtomically } from '@agent-criteria/report';
import { consoleComparison } from '@agent-criteria/report/console';
import { safe } from '@agent-criteria/report/terminal';
import { runFactsText } from '@agent-criteria/results/text';
import { usage } from './arguments.ts';
import type { Given } from './command-flags.ts';
import { minEffectOf, oneOf } from './flag-values.ts';
import type { Io } from './io.ts';
import { printJson } from './print.ts';
import { openProject } from './project.ts';

const EXIT: Readonly<Record<ComparisonOutcome, 0 | 1 | 3>> = {
  improvement: 0,
  'no-change': 0,
  regression: 1,
  'cannot-tell': 3,
  'nothing-compared': 3,
};

const FORMATS = ['console', 'markdown', 'json', 'html'] as const;
type Format = (typeof FORMATS)[number];

const BY_EXTENSION: Readonly<Record<string, Format>> = {
  html: 'html',
  md: 'markdown',
  json: 'json',
  txt: 'console',
};

/** Shows what changed between two runs of the same cases, and how certain that is. */
export async function compareCommand({ flags, positionals }: Given<'compare'>, io: Io): Promise<number> {
  const asked = oneOf('format', flags.format, FORMATS, BY_EXTENSION);
  const { output } = flags;
  const written = output === undefined ? null : { file: output, format: asked ?? formatOf(output) };
  const minEffect = minEffectOf(flags.min_effect);
  const project = await openProject(undefined, settingsOfFlags(flags), io);
  const [first, second] = positionals.length === 0 ? lastTwo(project) : positionals;
  const base = await openOutcomes(first, project);
  const candidate = await openOutcomes(second, project);
  if (base.name === candidate.name) {
    throw usage(`${base.name} cannot be compared with itself: name another run (agent-criteria runs lists them)`);
  }
  const comparison: RunComparison = compareRuns(base.outcomes, candidate.outcomes, { minEffect });
  const names = { base: titleOf(base), candidate: titleOf(candidate) };
  const textIn = async function* (format: Format, look: ConsoleOptions): AsyncGenerator<string> {
    if (format === 'json') yield `${JSON.stringify(comparison, null, 2)}\n`;
    else if (format === 'markdown') yield markdownComparison(comparison, names);
    else if (format === 'console') yield consoleComparison(comparison, names, look);
    else {
      const cases = comparedCases(base.outcomes, candidate.outcomes);
      const records = { base: base.record, candidate: candidate.record };
      yield* htmlComparison({ comparison, cases }, records, { names });
    }
  };
  if (positionals.length === 0) {
    const chosen = [['base', base] as const, ['new', candidate] as const].map(
      ([what, { name, record }]) =>
        `${what.padEnd(4)}  ${safe(name)} (${safe(runFactsText(record.info, Date.now()))})\n`,
    );
    // Not part of the comparison, which may go to a file.
    io.err(
      `The last two runs of all cases of ${candidate.record.sets.map(({ id }) => safe(id)).join(', ')}:\n${chosen.join('')}\n`,
    );
  }
  // The result is printed even if it is written to a file.
  const printed = flags.json === true ? 'json' : written === null ? (asked ?? 'console') : 'console';
  if (printed === 'json') printJson(comparison, io);
  else {
    for await (const text of textIn(printed, { color: io.color, width: io.width.out })) {
      if (printed === 'console') io.out(text);
      else io.raw(text);
    }
  }
  if (written !== null) {
    await writeAtomically(written.file, textIn(written.format, {}));
    const message = `Written: ${safe(written.file)}\n`;
    if (printed === 'json') io.err(message);
    else io.out(`\n${message}`);
  }
  return EXIT[comparison.outcome];
}

/** Returns the id of a run, with the name that a person gave it. */
function titleOf({ name, record }: OpenedOutcomes): string {
  return record.info.name === undefined ? name : `${name} "${record.info.name}"`;
}

/** Returns the names of the last two whole runs. */
function lastTwo(project: Project): readonly [string, string] {
  const { base, candidate } = lastTwoRuns(project.runsFolder);
  return [nameOfRun(base.folder, project), nameOfRun(candidate.folder, project)];
}

/** Returns the format for a file extension. @throws CriteriaError USAGE for an unknown one. */
function formatOf(file: string): Format {
  const extension = extname(file).slice(1).toLowerCase();
  const format = Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
  if (format !== undefined) return format;
  const extensions = Object.entries(BY_EXTENSION).map(([extension, name]) => `.${extension} (${name})`);
  throw usage(`the extension of "${file}" is not a format of comparisons: use one of ${extensions.join(', ')}`);
}
