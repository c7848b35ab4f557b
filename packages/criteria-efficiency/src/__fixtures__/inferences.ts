import { inference, message } from '@agent-criteria/core/testing';

/** One turn of an agent that reports all that it took: a call to a model. */
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

/** One turn of an agent that tells its tool calls only. */
export const silent = inference([{ answer: 'Done.', calls: [{ name: 'search', args: {} }] }]);
