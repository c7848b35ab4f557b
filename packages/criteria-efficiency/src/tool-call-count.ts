import { defineCriterion, noOptions, toolCalls } from '@agent-criteria/core';
import { measured } from './measured.ts';

/** `tool_call_count_v1`: the number of tool calls in a turn. A turn that reports no calls counts as 0. */
export const toolCallCount = defineCriterion({
  ...measured,
  name: 'tool_call_count_v1',
  description: 'Few tool calls in a turn.',
  options: noOptions,
  scope: 'turn',
  evaluate: ({ actual }) => ({ value: toolCalls(actual).length }),
});
