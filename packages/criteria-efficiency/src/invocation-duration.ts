import { couldNotJudge, defineCriterion, noOptions } from '@agent-criteria/core';
import { measured } from './measured.ts';

/** `invocation_duration_v1`: the seconds that a turn took. Unknown for turns that were recorded without their time. */
export const invocationDuration = defineCriterion({
  ...measured,
  name: 'invocation_duration_v1',
  description: 'Few seconds for a turn.',
  options: noOptions,
  scope: 'turn',
  evaluate({ actual: { duration } }) {
    return typeof duration === 'number' ? { value: duration } : couldNotJudge('the turn has no recorded duration');
  },
});
