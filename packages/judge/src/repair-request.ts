import type { ModelAnswer, ModelRequest } from '@agent-criteria/core';

/**
 * Creates the request that follows an unusable answer: the same one, then the answer, unless it is empty, and a message
 * that asks again.
 */
export function repairRequest(
  request: ModelRequest,
  { text: answer }: Pick<ModelAnswer, 'text'>,
  message: string,
): ModelRequest {
  return {
    ...request,
    messages: [
      ...request.messages,
      ...(typeof answer !== 'string' || answer === '' ? [] : [{ role: 'model', parts: [{ text: answer }] }]),
      { role: 'user', parts: [{ text: message }] },
    ],
  };
}
