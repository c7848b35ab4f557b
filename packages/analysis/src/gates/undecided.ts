import { counted } from '@agent-criteria/core/host';
import type { RunOutcomes } from '../run-outcomes.ts';
import { nameList } from '../text/phrases.ts';
import type { Baseline, Gates } from './gate.ts';
import { outsideTheBaseline } from './outside-the-baseline.ts';

/**
 * Names bad results that no gate asks about in a run whose exit code is decided by gates alone, because exit code 0
 * would hide them. @returns the text of a gate that cannot tell, or `null` if nothing is hidden.
 */
export function undecidedText(run: RunOutcomes, gates: Gates, baseline: Baseline): string | null {
  const { passRate, passHatK, casePassRate } = gates;
  // These gates count every case, and count an unjudged one as failed.
  if ([passRate, passHatK, casePassRate].some((rate) => rate !== undefined)) return null;
  const asked = new Set([...Object.keys(gates.means ?? {}), ...Object.keys(gates.quantiles ?? {})]);
  const unasked = run.criteria.flatMap(({ name, decides }) => (decides && !asked.has(name) ? [name] : []));
  if (unasked.length === 0) return null;
  return unjudgedCriteriaText(run, unasked) ?? outsideText(run, gates, baseline);
}

/** Names the criteria by which no case could be judged. */
function unjudgedCriteriaText({ cases }: RunOutcomes, names: readonly string[]): string | null {
  const reasons = new Map<string, string>();
  for (const name of names) {
    const outcomes = cases.map(({ criteria }) => criteria.find((own) => own.name === name));
    if (outcomes.some((own) => own?.verdict === 'passed' || own?.verdict === 'failed')) continue;
    const reason = outcomes.find((own) => own?.verdict === 'not-evaluated')?.reason;
    const broken = cases.find(({ verdict }) => verdict === 'error')?.reason;
    const isOpen = outcomes.some((own) => own?.verdict === 'not-evaluated' || own === undefined);
    if (isOpen) reasons.set(name, (reason ?? broken ?? 'it has no score').replace(/\.$/, ''));
  }
  if (reasons.size === 0) return null;
  const listed = nameList([...reasons], 5, ([name, reason]) => `${name} (${reason})`);
  const [it, them] = reasons.size === 1 ? ['this criterion', 'it'] : ['these criteria', 'them'];
  return `no case could be judged by ${listed}, and no gate asks about ${it}: repair that, or remove ${them} from the config`;
}

/** Counts the cases that did not pass and that gates on changes do not compare. */
function outsideText(run: RunOutcomes, { regression, noWorseThan }: Gates, baseline: Baseline): string | null {
  if ((regression === undefined || regression === false) && noWorseThan === undefined) return null;
  const found = outsideTheBaseline(run, baseline);
  if (found === null) return null;
  const { cases, notPassed } = found;
  const which =
    baseline === null ? ', none of which has a baseline yet,' : ' that the baseline lacks or asks otherwise,';
  return `of ${counted(cases, 'case')}${which} ${notPassed} did not pass, and no gate asks about them: make a new baseline, or add the gate pass_rate`;
}
