import { expect, it } from 'vitest';
import { recordedEvents } from './recorded-events.ts';

const user = { role: 'user', parts: [{ text: 'Is it on?' }] };
const answer = { role: 'model', parts: [{ text: 'Yes.' }] };

it('recordedEvents() uses the given id for a turn without one, including its calls and responses', () => {
  const turn = {
    invocationId: '',
    userContent: user,
    finalResponse: answer,
    intermediateData: {
      toolUses: [{ name: 'is_on', args: {} }],
      toolResponses: [{ name: 'is_on', response: { on: true } }],
    },
  };
  const invocationId = 'e-earlier-1';
  const id = 'e-earlier-1-1';
  expect(recordedEvents(turn, 'lamp', invocationId)).toEqual([
    { invocationId, author: 'user', content: user },
    {
      invocationId,
      author: 'lamp',
      content: { role: 'model', parts: [{ functionCall: { name: 'is_on', args: {}, id } }] },
    },
    {
      invocationId,
      author: 'lamp',
      content: { role: 'user', parts: [{ functionResponse: { name: 'is_on', response: { on: true }, id } }] },
    },
    { invocationId, author: 'lamp', content: answer },
  ]);
});

it('recordedEvents() attributes steps by the author "model" to the agent', () => {
  const step = { role: 'model', parts: [{ text: 'One moment.' }] };
  const turn = {
    invocationId: 'one',
    userContent: user,
    intermediateData: {
      invocationEvents: [
        { author: 'model', content: step },
        { author: 'helper', content: step },
      ],
    },
  };
  expect(recordedEvents(turn, 'lamp', 'other').map(({ author }) => author)).toEqual(['user', 'lamp', 'helper']);
});
