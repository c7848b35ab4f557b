import type { MeasuredFile, RunChanges } from '@agent-criteria/analysis';
import { runChangesText } from '@agent-criteria/analysis/text';
import type { UnitKey } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import { collectProblems, shellWord } from '@agent-criteria/project/files';
import { statisticsFacts } from '@agent-criteria/project/runs';
import {
  collectTotals,
  jsonReport,
  type RunTotals,
  saveEvalHistory,
  totalsOf,
  writeReport,
} from '@agent-criteria/report';
import {
  consoleCases,
  consoleFailures,
  consoleOutcome,
  consoleSummary,
  decidedText,
  limitNote,
} from '@agent-criteria/report/console';
import { safe, safeJson, safeLines } from '@agent-criteria/report/terminal';
import { addMasked, addMaskedCases, type MaskedCases, type MaskedCounts, maskedIn } from '@agent-criteria/results';
import { type Comparison, differenceText } from '@agent-criteria/results/adk';
import { maskedNote, selectionText } from '@agent-criteria/results/text';
import type { OpenedRun } from '@agent-criteria/runner';
import { type Io, painter } from './io.ts';
import { printJson } from './print.ts';
import type { ReportFile } from './report-file.ts';

export interface RunReportOptions {
  readonly json: boolean;
  /** Whether to print every case and turn. */
  readonly detailed: boolean;
  /** Additional reports to write. Default: none. */
  readonly reports?: readonly ReportFile[] | undefined;
  /** Agents whose folders get ADK's result files. Default: none. */
  readonly evalHistory?: readonly EvalHistory[] | undefined;
  /** The comparison with scores that ADK recorded. Default: none. */
  readonly comparison?: Comparison | undefined;
  /** The verdicts that changed since the run before. Default: none is known. */
  readonly since?: RunChanges | undefined;
  /** Measurements of judges. Default: none. */
  readonly measured?: readonly MeasuredFile[] | undefined;
  /** The run that this one confirms, whose report is already printed. Default: none. */
  readonly confirms?: string | undefined;
}

/** An agent with a folder, and the name of its variant if it has one. */
export interface EvalHistory {
  readonly agent: string;
  readonly variant?: string | undefined;
}

/**
 * Prints the result of a run, and writes the requested reports.
 *
 * @param judged Whether the run was judged, or only recorded.
 * @param name The run's name in commands, or `null` if it was not saved.
 * @returns The exit code of a run that is not judged. 0 for a judged run, whose outcome holds the exit code.
 */
export async function reportRun(
  opened: OpenedRun,
  name: string | null,
  judged: boolean,
  telling: RunReportOptions,
  io: Io,
): Promise<number> {
  const code = judged ? 0 : await reportInferences(opened, telling, io);
  if (judged) await reportJudged(opened, name, telling, io);
  const facts = statisticsFacts(opened, telling.measured ?? []);
  const found = collectProblems();
  const written: string[] = [];
  const write = async (work: () => Promise<readonly string[]>): Promise<void> => {
    written.push(...((await found.attempt(work)) ?? []));
  };
  // A report that cannot be written does not prevent the others.
  for (const { format, file } of telling.reports ?? []) await write(() => writeReport(opened, format, file, { facts }));
  for (const { agent, variant } of telling.evalHistory ?? []) {
    await write(() => saveEvalHistory(opened, agent, { variant }));
  }
  if (!telling.json) {
    for (const file of written) io.out(`Written: ${safe(file)}\n`);
    if (name !== null) io.out(`Saved as run ${safe(name)}.\n`);
  }
  found.throwIfAny();
  return code;
}

async function reportJudged(
  opened: OpenedRun,
  name: string | null,
  { json, detailed, comparison, since, measured = [], confirms }: RunReportOptions,
  io: Io,
): Promise<void> {
  const facts = statisticsFacts(opened, measured);
  if (json) {
    for await (const piece of jsonReport(opened, { recordedByAdk: comparison, facts, since })) io.raw(safeJson(piece));
    return;
  }
  const options = {
    color: io.color,
    width: io.width.out,
    detailed,
    // `show` prints the rest.
    brief: !detailed,
    ...(name === null
      ? {}
      : { command: (_: string, caseId: string, variant?: string) => showCommand(name, caseId, variant) }),
  };
  const decided = decidedText(opened);
  if (decided !== null) io.out(`${painter(io).bold(safe(decided))}\n\n`);
  const { bold } = painter(io);
  if (confirms !== undefined && !detailed) {
    io.out(`${bold(`Both runs together, ${safe(confirms)} and this one`)}\n`);
    io.out(consoleOutcome(opened, options));
    io.out(`\n${bold('The second run alone')}\n`);
    io.out(consoleSummary(opened, options, await totalsOf(opened, facts)));
    return;
  }
  const counting = countCases(opened, facts);
  for await (const piece of consoleFailures(counting.run, options)) io.out(piece);
  for (const set of opened.sets) {
    if (opened.sets.length > 1) io.out(`${bold(safe(set.id))}\n`);
    for await (const piece of consoleCases(counting.run, set, options)) io.out(piece);
  }
  io.out(consoleSummary(opened, options, counting.totals()));
  if (comparison !== undefined) io.out(comparisonText(comparison));
  io.out(consoleOutcome(opened, options));
  if (since !== undefined) {
    io.out(`${runChangesText(since, { now: Date.now(), room: roomOfTwoLines(io), shown: safe })}\n`);
  }
}

/** Returns how many characters surely fit on two lines, where words may be wrapped. */
function roomOfTwoLines({ width }: Io): number {
  return Number.isFinite(width.out) ? Math.max(Math.floor(width.out * 1.7), 80) : 300;
}

/** The maximum number of differences to list. */
const MOST_DIFFERENCES = 50;

/** Lists the differences from the scores that ADK recorded, unexplained ones first. */
function comparisonText(comparison: Comparison): string {
  const { scores, equal, explained, differences } = comparison;
  const sorted = differences.toSorted((a, b) => Number(a.explained) - Number(b.explained));
  const lines = sorted.slice(0, MOST_DIFFERENCES).map((one) => `  ${safe(differenceText(one))}`);
  const more = differences.length - lines.length;
  if (more > 0) lines.push(`  … and ${counted(more, 'more difference')}; --json has all of them`);
  const total =
    differences.length === 0 ? 'no difference' : `${counted(differences.length, 'difference')}, ${explained} explained`;
  return [`Compared with ADK: ${equal} of ${counted(scores, 'score')} equal, ${total}`, ...lines]
    .map((line) => `${line}\n`)
    .join('');
}

/** A run whose totals are collected while its cases are read. */
interface Counting {
  readonly run: OpenedRun;
  totals(): RunTotals;
}

/** Collects totals while the cases of a run are read, because reading them a second time would take as long again. */
function countCases(opened: OpenedRun, facts: ReturnType<typeof statisticsFacts>): Counting {
  const totals = collectTotals(opened, facts);
  // Detailed reports read cases twice.
  const counted = new Set<string | undefined>();
  return {
    totals: totals.list,
    run: {
      ...opened,
      async *cases(setId) {
        for await (const one of opened.cases(setId)) {
          if (!counted.has(setId)) totals.add(one);
          yield one;
        }
        counted.add(setId);
      },
    },
  };
}

export function showCommand(run: string, caseId: string, variant?: string): string {
  // A word that begins with a dash is a flag, quoted or not.
  const flagsEnd = caseId.startsWith('-') ? '-- ' : '';
  const of = variant === undefined ? '' : `--variant ${shellWord(variant)} `;
  return `agent-criteria show ${of}${shellWord(run)} ${flagsEnd}${shellWord(caseId)}`;
}

async function reportInferences(opened: OpenedRun, { json }: RunReportOptions, io: Io): Promise<number> {
  let done = 0;
  const broken: (UnitKey & { readonly message: string })[] = [];
  let limited = 0;
  let masked: MaskedCounts = {};
  let maskedCases: MaskedCases = [];
  for await (const one of opened.cases()) {
    const { inferences } = one;
    const own = maskedIn(one);
    masked = addMasked(masked, own);
    maskedCases = addMaskedCases(maskedCases, Object.keys(own).length === 0 ? [] : [one.result.caseId]);
    for (const { key, inference } of inferences) {
      const { ending } = inference;
      if (ending.by !== 'abort') done += 1;
      if (ending.by === 'turn-limit') limited += 1;
      if (ending.by === 'error') broken.push({ ...key, message: ending.error.message });
    }
  }
  const { folder, info } = opened;
  const hidden = maskedNote(masked, maskedCases, (id) => `"${safe(id)}"`);
  const chosen = selectionText(opened);
  const selection = chosen === null ? null : `${safe(chosen)}.`;
  const notes = [limitNote({ 'turn-limit': limited }), hidden, selection].filter((note) => note !== null);
  if (json) {
    const counts = { inferences: done, of: info.units.total, ...(limited > 0 ? { atTurnLimit: limited } : {}) };
    printJson({ run: info.id, folder, ...counts, errors: broken }, io);
  } else {
    for (const { caseId, variant, message } of broken) {
      const byWhom = variant === undefined ? '' : ` (${safe(variant)})`;
      io.out(`${safe(caseId)}${byWhom}: ${safeLines(message, 2)}\n`);
    }
    const errors = broken.length === 0 ? '' : `, ${broken.length} of them ended with an error`;
    io.out(
      `${done} of ${counted(info.units.total, 'inference')} recorded${errors}\n${notes.map((note) => `${note}\n`).join('')}`,
    );
  }
  return broken.length > 0 || done < info.units.total ? 3 : 0;
}
