import { counted } from '@agent-criteria/core/host';
import { betaMixtureSequence } from '@agent-criteria/statistics';
import type { CaseOutcome, RepeatOutcome } from '../outcome.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import { writtenPercent } from '../text/numbers.ts';
import { nameList } from '../text/phrases.ts';
import type { Finding } from './gate.ts';

export function casePassRateGate(run: RunOutcomes, least: number): Finding {
  const below: CaseOutcome[] = [];
  const open: CaseOutcome[] = [];
  for (const one of run.cases) {
    const status = caseStatus(one, least, run.cases.length);
    if (status === 'below') below.push(one);
    if (status === 'undecided') open.push(one);
  }
  const asked = `the gate requires at least ${writtenPercent(least)} in every case`;
  const names = (cases: readonly CaseOutcome[]) => nameList(cases, 5, ({ caseId }) => caseId);
  if (run.cases.length === 0) return { holds: null, text: 'there are no cases' };
  const most = run.stoppedEarly?.most;
  // Under different criteria, a case may have stopped too early.
  const ranAll = open.every(({ repeats }) => repeats.length === most);
  const few = most === undefined || !ranAll ? 'too few repeats' : `${counted(most, 'repeat')} are too few`;
  const undecided =
    open.length === 0
      ? []
      : [`${few} to tell for ${open.length} of ${counted(run.cases.length, 'case')} (${names(open)})`];
  if (below.length > 0) {
    const rarely = `${below.length} of ${counted(run.cases.length, 'case')} ${below.length === 1 ? 'passes' : 'pass'} too rarely (${names(below)})`;
    return { holds: false, text: [rarely, ...undecided, asked].join('; ') };
  }
  if (open.length > 0) return { holds: null, text: [...undecided, asked].join('; ') };
  return { holds: true, text: `every case passes often enough; ${asked}` };
}

/** The probability of placing a case above the rate when it is below, and of placing any case below when none is. */
const ERROR = 0.05;

/**
 * Places a case above or below a rate using the confidence sequence of `betaMixtureSequence`, which may be checked
 * after each repeat: above at 5%, below at 5% divided by the number of cases, because a single case below fails the
 * gate. An unjudged repeat counts as failed for `above`, and as passed for `below`.
 *
 * @param cases The number of cases that the run holds to the rate.
 */
export function caseStatus(
  { repeats }: { readonly repeats: readonly Pick<RepeatOutcome, 'passed'>[] },
  rate: number,
  cases: number,
): 'above' | 'below' | 'undecided' {
  const n = repeats.length;
  if (n === 0) return 'undecided';
  const passed = repeats.filter((one) => one.passed === true).length;
  const open = repeats.filter((one) => one.passed === null).length;
  if (betaMixtureSequence({ k: passed, n, alpha: ERROR }).low >= rate) return 'above';
  return betaMixtureSequence({ k: passed + open, n, alpha: ERROR / cases }).high < rate ? 'below' : 'undecided';
}
