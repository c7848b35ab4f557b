import { inference, message } from '@agent-criteria/core/testing';

/** One turn by an agent that reports everything, including a model call. */
export const reporting = inference([], {
  invocations: [
    {
      userContent: message('user', 'Go on.'),
      finalResponse: message('model', 'Done.'),
      intermediateData: {
        invocationEvents: [
          { author: 'agent', content: null, usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5 } },
        ],
      },
      inferenceCallCount: 1,
      duration: 0.5,
    },
  ],
});

/** One turn by an agent that reports only its tool calls. */
export const silent = inference([{ answer: 'Done.', calls: [{ name: 'search', args: {} }] }]);
