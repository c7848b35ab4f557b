import { counted } from '@agent-criteria/core/host';
import type { SessionSpent } from '@agent-criteria/project/watch';
import { shownOutcome } from '@agent-criteria/results/text';
import type { RunListing } from '@agent-criteria/runner';

/** Says how far a run is and what came of it, in our own words only. */
export function stateText({ endedAt, running, units, summary, outcome, variants, problem }: RunListing): string {
  const done = `${units.finished} of ${units.total} units are done`;
  if (problem !== undefined) return 'It cannot be read.';
  if (running) return `It is under way: ${done}.`;
  if (endedAt === null) return `It was interrupted: ${done}. The command "agent-criteria resume" continues it.`;
  if (summary === null || outcome === null) return 'It is finished. It was recorded, but not judged.';
  const { verdict, exitCode } = shownOutcome({ summary, outcome, info: { variants } });
  const counts = Object.entries(summary.verdicts).flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : []));
  return `It is finished: ${counts.join(', ')} of ${counted(summary.total, variants === undefined ? 'case' : 'result')}. Verdict: ${verdict}${exitCode === null ? '' : `, exit code ${exitCode}`}.`;
}

/** Says what the judges and simulated users of a server's runs have spent. */
export function spentText({ calls, tokens, cost }: SessionSpent): string {
  const price = cost === 0 ? '' : `, cost ${Number(cost.toPrecision(3))}`;
  return `Judges and simulated users of this session so far: ${counted(calls, 'call')}, ${counted(tokens, 'token')}${price}.`;
}
