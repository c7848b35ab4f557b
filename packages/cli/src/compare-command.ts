import { compareRuns, MIN_EFFECT, type Outcome, type RunComparison } from '@agent-criteria/analysis';
import { openOutcomes, settingsOfFlags } from '@agent-criteria/project';
import { consoleComparison, markdownComparison } from '@agent-criteria/report';
import { atMost, oneOf, parseFlags, usage } from './arguments.ts';
import { commandFlags } from './command-flags.ts';
import type { Io } from './io.ts';
import { printJson } from './print-json.ts';
import { openProject } from './project.ts';

const FORM = 'agent-criteria compare BASE [NEW]';
const EXIT: Readonly<Record<Outcome, 0 | 1 | 3>> = {
  improvement: 0,
  'no-change': 0,
  regression: 1,
  'cannot-tell': 3,
  'nothing-compared': 3,
};

/** `agent-criteria compare BASE [NEW]`: what changed between two runs of the same cases, and how certain that is. */
export async function compareCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, commandFlags.compare);
  atMost(2, positionals, FORM);
  const [first, second] = positionals;
  if (first === undefined) throw usage(`name the run to compare with: ${FORM}`);
  const format = oneOf('format', flags.format, ['console', 'markdown', 'json'] as const) ?? 'console';
  const minEffect = shareOf(flags.min_effect);
  const project = await openProject(undefined, settingsOfFlags(flags), io);
  const base = await openOutcomes(first, project);
  const candidate = await openOutcomes(second, project);
  if (base.name === candidate.name) {
    throw usage(`${base.name} cannot be compared with itself: name another run (agent-criteria runs lists them)`);
  }
  const comparison: RunComparison = compareRuns(base.outcomes, candidate.outcomes, { minEffect });
  const names = { base: base.name, candidate: candidate.name };
  if (flags.json === true || format === 'json') printJson(comparison, io);
  else if (format === 'markdown') io.raw(markdownComparison(comparison, names));
  else io.out(consoleComparison(comparison, names, { color: io.color, width: io.width.out }));
  return EXIT[comparison.outcome];
}

function shareOf(text: string | undefined): number {
  if (text === undefined) return MIN_EFFECT;
  const share = Number(text);
  if (text.trim() !== '' && share > 0 && share < 1) return share;
  throw usage(`--min-effect is a share of the scale, above 0 and below 1, such as 0.05 for 5 points, not "${text}"`);
}
