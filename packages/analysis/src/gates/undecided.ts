import { counted } from '@agent-criteria/core/host';
import { nameList } from '../name-list.ts';
import type { RunOutcomes } from '../run-outcomes.ts';
import type { Baseline, Gates } from './gate.ts';
import { outsideTheBaseline } from './outside-the-baseline.ts';

/**
 * What no gate asks about, of a run whose gates alone decide, although it did not come out well: exit code 0 would hide it. The text of a gate
 * that cannot tell; `null`: there is nothing.
 */
export function undecidedText(run: RunOutcomes, gates: Gates, baseline: Baseline): string | null {
  const { passRate, passHatK, casePassRate } = gates;
  // These count every case, and one that could not be judged as failed.
  if ([passRate, passHatK, casePassRate].some((rate) => rate !== undefined)) return null;
  const asked = new Set([...Object.keys(gates.means ?? {}), ...Object.keys(gates.quantiles ?? {})]);
  const unasked = run.criteria.flatMap(({ name, decides }) => (decides && !asked.has(name) ? [name] : []));
  if (unasked.length === 0) return null;
  return unjudgedText(run, unasked) ?? outsideText(run, gates, baseline);
}

/** Criteria that no case could be judged by. */
function unjudgedText({ cases }: RunOutcomes, names: readonly string[]): string | null {
  const reasons = new Map<string, string>();
  for (const name of names) {
    const verdicts = cases.map(({ criteria }) => criteria.find((own) => own.name === name));
    if (verdicts.some((own) => own?.verdict === 'passed' || own?.verdict === 'failed')) continue;
    const reason = verdicts.find((own) => own?.verdict === 'not-evaluated')?.reason;
    const broken = cases.find(({ verdict }) => verdict === 'error')?.reason;
    const isOpen = verdicts.some((own) => own?.verdict === 'not-evaluated' || own === undefined);
    if (isOpen) reasons.set(name, (reason ?? broken ?? 'it has no score').replace(/\.$/, ''));
  }
  if (reasons.size === 0) return null;
  const told = nameList([...reasons], 5, ([name, reason]) => `${name} (${reason})`);
  const [it, them] = reasons.size === 1 ? ['this criterion', 'it'] : ['these criteria', 'them'];
  return `no case could be judged by ${told}, and no gate asks about ${it}: repair that, or remove ${them} from the config`;
}

/** Cases that did not pass and that the gates on changes do not compare. */
function outsideText(run: RunOutcomes, { regression, noWorseThan }: Gates, baseline: Baseline): string | null {
  if ((regression === undefined || regression === false) && noWorseThan === undefined) return null;
  const found = outsideTheBaseline(run, baseline);
  if (found === null) return null;
  const { cases, open } = found;
  const which =
    baseline === null ? ', none of which has a baseline yet,' : ' that the baseline lacks or asks otherwise,';
  return `of ${counted(cases, 'case')}${which} ${open} did not pass, and no gate asks about them: make a new baseline, or add the gate pass_rate`;
}
