import { untilAborted } from '@agent-criteria/calls';
import type { Inference, Unit } from '@agent-criteria/core';
import { type Plan, type ScoreUnitOptions, scoreUnit, type UnitScores } from '@agent-criteria/core/host';
import { limitCriteria } from './limit-criteria.ts';

/**
 * The scores of one unit; `null` when the run was aborted first. A criterion that ignores the abort does not hold it up, and one
 * that never ends costs its own score only.
 */
export async function scoreOne(
  plan: Plan,
  unit: Unit,
  inference: Inference,
  criterionTimeout: number,
  options: ScoreUnitOptions & { readonly signal: AbortSignal },
): Promise<UnitScores | null> {
  const { signal } = options;
  try {
    const limited = limitCriteria(plan, criterionTimeout);
    return await untilAborted(() => scoreUnit(limited, unit, inference, options), signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    return null;
  }
}
