import { couldNotJudge, defineCriterion, noOptions } from '@agent-criteria/core';
import { measured } from './measured.ts';

/** `invocation_duration_v1`: the duration of a turn in seconds. Unknown for turns recorded without it. */
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
