import type { AiSdkStep } from '@agent-criteria/formats/messages';

// Steps of generateText, recorded from ai 7.0.173 and 6.0.326 with a scripted model, without the fields that are not read.

const usage = {
  inputTokens: 10,
  inputTokenDetails: { noCacheTokens: 6, cacheReadTokens: 4, cacheWriteTokens: 0 },
  outputTokens: 5,
  outputTokenDetails: { textTokens: 3, reasoningTokens: 2 },
  totalTokens: 15,
};

const calls = [
  { type: 'text', text: 'Let me look.' },
  { type: 'tool-call', toolCallId: 'c1', toolName: 'roll', input: { sides: 6 } },
  { type: 'tool-call', toolCallId: 'c2', toolName: 'bad', input: {} },
  { type: 'tool-call', toolCallId: 'c3', toolName: 'nope', input: { x: 1 }, dynamic: true, invalid: true },
  {
    type: 'tool-error',
    toolCallId: 'c3',
    toolName: 'nope',
    input: { x: 1 },
    error: "AI_NoSuchToolError: Model tried to call unavailable tool 'nope'. Available tools: roll, bad.",
    dynamic: true,
  },
  {
    type: 'tool-result',
    toolCallId: 'c1',
    toolName: 'roll',
    input: { sides: 6 },
    output: { value: 4 },
    dynamic: false,
  },
  { type: 'tool-error', toolCallId: 'c2', toolName: 'bad', input: {}, error: new Error('boom'), dynamic: false },
];

/** A step with calls that succeeded, failed and did not exist, and the answer. */
export const stepsOf6: readonly AiSdkStep[] = [
  { content: calls, finishReason: 'tool-calls', usage, response: { modelId: 'm' } },
  { content: [{ type: 'text', text: 'Done.' }], finishReason: 'stop', usage, response: { modelId: 'm' } },
];

/** Version 7 adds times, in milliseconds. */
export const stepsOf7: readonly AiSdkStep[] = stepsOf6.map((step, index) => ({
  ...step,
  performance:
    index === 0
      ? { stepTimeMs: 30.2, responseTimeMs: 10.4, toolExecutionMs: { c1: 5.3, c2: 0.1 } }
      : { stepTimeMs: 20, responseTimeMs: 19.6, toolExecutionMs: {} },
}));
