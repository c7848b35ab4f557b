import { couldNotJudge, defineCriterion, noOptions } from '@agent-criteria/core';
import { modelEvents } from '@agent-criteria/core/usage';
import { measured } from './measured.ts';

/**
 * `inference_call_count_v1`: the number of model calls in a turn, as counted by the agent, or else the number of
 * recorded events that a model produced. Unknown if neither is recorded.
 */
export const inferenceCallCount = defineCriterion({
  ...measured,
  name: 'inference_call_count_v1',
  description: 'Few calls to models in a turn.',
  options: noOptions,
  scope: 'turn',
  evaluate({ actual }) {
    const { inferenceCallCount: counted } = actual;
    if (typeof counted === 'number') return { value: counted };
    const events = modelEvents(actual);
    if (events === null) return couldNotJudge('the agent reports no calls to models');
    if (events.length > 0) return { value: events.length };
    return { ...couldNotJudge('no event of the turn says that a model made it'), adkValue: 0 };
  },
});
