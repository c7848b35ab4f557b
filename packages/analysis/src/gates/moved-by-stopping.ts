import { counted } from '@agent-criteria/core/host';
import type { RunOutcomes } from '../run-outcomes.ts';
import { gateNames } from './asked-gates.ts';
import type { Gates } from './gate.ts';

/** The gates on numbers that are biased where cases stop because of what passed. The interval of `case_pass_rate` allows for that. */
export function gatesMovedByStopping(gates: Gates): readonly string[] {
  return gateNames(gates, null).filter((name) => MOVED_BY_STOPPING.test(name));
}

const MOVED_BY_STOPPING = /^(pass_rate|pass_hat_k|flaky_share|cost|no_worse_than|(means|quantiles)\..*)$/s;

export function isMovedByStopping({ stoppedEarly }: RunOutcomes, gate: string): boolean {
  return (stoppedEarly?.stopped ?? 0) > 0 && MOVED_BY_STOPPING.test(gate);
}

export function stoppedText({ stoppedEarly }: RunOutcomes): string {
  const cases = counted(stoppedEarly?.stopped ?? 0, 'case');
  return `${cases} stopped early (--num_runs auto), which makes cases look better or worse than they are; use a fixed number of repeats`;
}
