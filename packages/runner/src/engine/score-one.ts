import { untilAborted } from '@agent-criteria/calls';
import type { Inference, Tools, Unit } from '@agent-criteria/core';
import { type Plan, scoreUnit, type ToolsFor, type UnitScores } from '@agent-criteria/core/host';
import { limitCriteria } from './limit-criteria.ts';

/**
 * The scores of one unit; `null` when the run was aborted first. A criterion that ignores the abort does not hold it up, and one
 * that never ends costs its own score only.
 */
export async function scoreOne(
  plan: Plan,
  unit: Unit,
  inference: Inference,
  signal: AbortSignal,
  tools: (bound: ToolsFor, plain: Tools) => Tools,
  criterionTimeout: number,
): Promise<UnitScores | null> {
  try {
    const limited = limitCriteria(plan, criterionTimeout);
    return await untilAborted(() => scoreUnit(limited, unit, inference, { signal, tools }), signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    return null;
  }
}
