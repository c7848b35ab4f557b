import { expect, it } from 'vitest';
import { turnEvents } from './turn-events.ts';

const call = { id: 'c', name: 'look_up', args: {} };
const response = { id: 'c', name: 'look_up', response: { rooms: 2 } };
const answer = { parts: [{ text: 'Done' }] };

it("turnEvents() numbers recorded events and appends the answer with the last event's author", () => {
  const turn = {
    userContent: {},
    finalResponse: answer,
    intermediateData: {
      invocationEvents: [
        { author: 'desk', content: { parts: [{ functionCall: call }] } },
        { author: 'desk', content: { parts: [{ functionResponse: response }] } },
      ],
    },
  };
  const events = turnEvents(turn, 1);
  expect(events.map(({ id, author }) => [id, author])).toEqual([
    ['1-0', 'desk'],
    ['1-1', 'desk'],
    ['1-2', 'desk'],
  ]);
});

it('turnEvents() derives events from calls and text if none were recorded', () => {
  const turn = {
    userContent: {},
    finalResponse: answer,
    intermediateData: {
      toolUses: [call, { name: 'cancel' }],
      toolResponses: [response],
      intermediateResponses: [['helper', [{ text: 'One moment' }]]] as const,
    },
  };
  const events = turnEvents(turn as Parameters<typeof turnEvents>[0], 0);
  expect(events.map(({ content }) => Object.keys(content?.parts?.[0] ?? {})[0])).toEqual([
    'text',
    'functionCall',
    'functionResponse',
    'functionCall',
    'text',
  ]);
});

it('turnEvents() returns only the answer for a turn without steps, and nothing for an empty turn', () => {
  expect(turnEvents({ userContent: {}, finalResponse: answer }, 0)).toEqual([
    { id: '0-0', author: 'agent', content: answer, value: { author: 'agent', content: answer } },
  ]);
  expect(turnEvents({ userContent: {} }, 0)).toEqual([]);
});
