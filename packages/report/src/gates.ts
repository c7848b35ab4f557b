import type { GatedExit, GateResult } from '@agent-criteria/analysis';
import { counted, type Summary } from '@agent-criteria/core/host';
import { type ConsoleOptions, lookOf } from './look.ts';
import { fit, safe } from './terminal.ts';

/** What the gates of a run came to. Plain JSON. */
export interface GatesOutcome extends GatedExit {
  /** Of a run with several variants, each gate once for each. */
  readonly results: readonly (GateResult & { readonly variant?: string | undefined })[];
}

/** The gates below the counts of a run, a line each; empty without any. */
export function consoleGates(
  { results, exitCode, decided }: GatesOutcome,
  own: 0 | 1 | 3,
  options: ConsoleOptions = {},
): string {
  if (results.length === 0) return '';
  const { colors, width, longest } = lookOf(options);
  const lines = results.map(({ name, variant, holds, text }) => {
    const word = holds === null ? 'cannot tell' : holds ? 'holds' : 'does not hold';
    const paint = holds === null ? colors.yellow : holds ? colors.green : colors.red;
    const of = variant === undefined ? '' : ` (${safe(variant)})`;
    return `  ${safe(name)}${of} ${paint(word)}: ${safe(text)}\n`;
  });
  const note = exitCode === own || decided ? '' : `Exit code ${exitCode}: ${gatesText(results)}.\n`;
  return fit(`${colors.bold(results.length === 1 ? 'Gate' : 'Gates')}\n${lines.join('')}${note}`, width, longest);
}

/**
 * `3 of 100 cases failed; both gates hold: exit 0, as agent_criteria.gates says`, where gates alone decide; else `null`. It is
 * the first thing that is said of a run.
 */
export function decidedText({ results, exitCode, decided }: GatesOutcome, { verdicts, total }: Summary): string | null {
  if (!decided) return null;
  const bad = (['failed', 'error', 'not-evaluated', 'informational'] as const).flatMap((verdict) => {
    const words = {
      failed: 'failed',
      error: 'ended in an error',
      'not-evaluated': 'could not be judged',
      informational: 'could only be measured',
    } as const;
    return verdicts[verdict] === 0 ? [] : [`${verdicts[verdict]} of ${counted(total, 'case')} ${words[verdict]}`];
  });
  const cases = bad.length === 0 ? (total === 1 ? '1 case passed' : `all ${total} cases passed`) : bad.join(', ');
  return `${cases}; ${gatesText(results)}: exit ${exitCode}, as agent_criteria.gates says`;
}

/** `both gates hold`, `1 of 3 gates does not hold`. */
function gatesText(results: GatesOutcome['results']): string {
  const count = results.length;
  const failed = results.filter(({ holds }) => holds === false).length;
  const open = results.filter(({ holds }) => holds === null).length;
  if (failed + open === 0)
    return count === 1 ? 'the gate holds' : count === 2 ? 'both gates hold' : `all ${count} gates hold`;
  const some = (few: number) => (count === 1 ? 'the gate' : `${few} of ${count} gates`);
  const parts = [
    ...(failed > 0 ? [`${some(failed)} ${failed === 1 ? 'does' : 'do'} not hold`] : []),
    ...(open > 0 ? [`${failed > 0 ? open : some(open)} cannot tell`] : []),
  ];
  return parts.join(', ');
}
