import {
  couldNotJudge,
  defineCriterion,
  type Evidence,
  type Invocation,
  noOptions,
  type Score,
} from '@agent-criteria/core';
import { modelCalls, modelEvents, sumTokens } from '@agent-criteria/core/usage';
import { measured } from './measured.ts';

/**
 * `token_usage_v1`: the tokens sent and received in a turn, over all its model calls. Unknown if one of the calls
 * reported none, because a partial sum would be wrong.
 */
export const tokenUsage = defineCriterion({
  ...measured,
  name: 'token_usage_v1',
  description: 'Few tokens in a turn.',
  options: noOptions,
  scope: 'turn',
  evaluate({ actual, index }, { tools: { compat }, transcript }): Score {
    const usages =
      compat === 'adk' ? usagesOfEvents(actual) : modelCalls(actual, index, transcript).map(({ usage }) => usage);
    const tokens = sumTokens(usages);
    const total = tokens.total_tokens;
    if (total === null) {
      const unknown = couldNotJudge('the agent reports no tokens');
      // ADK divides by the number of all turns as soon as one of them has tokens.
      const others = transcript.turns.some((turn) => sumTokens(usagesOfEvents(turn.actual)).total_tokens !== null);
      return others ? { ...unknown, adkValue: 0 } : unknown;
    }
    // ADK's result files have dedicated fields for these numbers; writers of such files find these numbers by their
    // label.
    const evidence: readonly Evidence[] = [{ kind: 'json', label: 'token_usage_details', value: { ...tokens } }];
    const silent = usages.filter((usage) => sumTokens([usage]).total_tokens === null).length;
    const calls = Math.max(usages.length, actual.inferenceCallCount ?? 0);
    const missing = calls - usages.length + silent;
    if (missing === 0) return { value: total, evidence };
    const reason = `${missing} of ${calls} calls to models reported no tokens; the others took ${total}`;
    return { ...couldNotJudge(reason), adkValue: total, evidence };
  },
});

function usagesOfEvents(actual: Invocation): readonly unknown[] {
  return (modelEvents(actual) ?? []).map(({ usageMetadata }) => usageMetadata);
}
