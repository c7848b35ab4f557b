import { couldNotJudge, defineCriterion, type Score } from '@agent-criteria/core';
import { largestTurn, turnTokens } from './turn-limits.ts';

/** `max_turn_tokens`: the tokens of the turn that used the most. `token_usage_v1` is the mean of the same counts. */
export const maxTurnTokens = defineCriterion({
  ...largestTurn,
  name: 'max_turn_tokens',
  description: 'No turn takes more tokens than the threshold.',
  evaluate({ actual, index }, { transcript }): Score {
    const calls = turnTokens(actual, index, transcript);
    if ('unknown' in calls) return couldNotJudge(calls.unknown);
    return { value: calls.reduce((sum, { tokens }) => sum + (tokens.total_tokens ?? 0), 0) };
  },
});
