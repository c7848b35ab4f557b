import { couldNotJudge, defineCriterion } from '@agent-criteria/core';
import { largestTurn } from './turn-limits.ts';

/**
 * `max_turn_seconds`: the duration of the slowest turn in seconds. `invocation_duration_v1` is the mean of the same
 * durations.
 */
export const maxTurnSeconds = defineCriterion({
  ...largestTurn,
  name: 'max_turn_seconds',
  description: 'No turn takes longer than the threshold, in seconds.',
  evaluate: ({ actual: { duration } }) =>
    typeof duration === 'number' ? { value: duration } : couldNotJudge('the turn has no recorded duration'),
});
