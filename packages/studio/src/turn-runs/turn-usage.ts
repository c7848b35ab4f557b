import { agentCost, type Prices, type RunInference, usageOf } from '@agent-criteria/results';
import type { TurnUsage } from '../api.ts';
import { inferenceOf, type RecordedTurns } from './source-turn.ts';

/** Sums up an agent's calls to models in a conversation. Returns `null` if the agent reports none. */
export function turnUsage(one: RunInference, prices: Prices | undefined): TurnUsage | null {
  const { agent } = usageOf({ inferences: [one] });
  if (agent === undefined) return null;
  const cost = prices === undefined ? null : agentCost(one, prices);
  return {
    modelCalls: agent.live + agent.failed,
    tokens: agent.tokens,
    cost: typeof cost === 'number' ? cost : null,
  };
}

/** Selects the turns from a position on. */
export function turnsFrom({ invocations, trace }: RecordedTurns, from: number): RunInference {
  return inferenceOf({
    invocations: invocations.slice(from),
    trace: trace.flatMap((span) => (span.turn < from ? [] : [{ ...span, turn: span.turn - from }])),
  });
}
