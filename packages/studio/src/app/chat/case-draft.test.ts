import { toolCalls } from '@agent-criteria/core';
import { describe, expect, it } from 'vitest';
import { editedTurns, idFrom, NO_EDITS, withMatchers } from './case-draft.ts';

const content = (text: string) => ({ role: 'user', parts: [{ text }] });
const written = {
  userContent: content('Book a table, please'),
  finalResponse: content('Done'),
  intermediateData: {
    toolUses: [
      { id: '1', name: 'book', args: { n: 1 } },
      { id: '2', name: 'log' },
    ],
    toolResponses: [{ id: '2', name: 'log' }],
  },
};
const recorded = {
  userContent: content('Hi'),
  intermediateData: {
    invocationEvents: [
      { author: 'a', content: { parts: [{ functionCall: { id: '1', name: 'book', args: {} } }] } },
      { author: 'a', content: { parts: [{ functionResponse: { id: '1', name: 'book' } }] } },
      { author: 'a', content: { parts: [{ text: 'Wait' }, { functionCall: { name: 'log' } }] } },
    ],
  },
};

describe('editedTurns()', () => {
  it('returns the same turns if there are no edits', () => {
    expect(editedTurns([written, recorded], NO_EDITS)).toEqual([written, recorded]);
  });

  it('applies edited text and arguments, and removes calls with their responses', () => {
    const [turn] = editedTurns([written], {
      ...NO_EDITS,
      messages: { 0: 'Book two' },
      answers: { 0: ' ' },
      args: { '0.0': { n: 2 } },
      withoutCalls: new Set(['0.1']),
    });
    expect(turn).toEqual({
      userContent: content('Book two'),
      intermediateData: { toolUses: [{ id: '1', name: 'book', args: { n: 2 } }], toolResponses: [] },
    });
  });

  it('keeps the format of recorded events', () => {
    const [turn] = editedTurns([recorded], { ...NO_EDITS, args: { '0.1': { x: 1 } }, withoutCalls: new Set(['0.0']) });
    expect(toolCalls(turn!)).toEqual([{ name: 'log', args: { x: 1 } }]);
    expect(turn?.intermediateData).toEqual({
      invocationEvents: [
        { author: 'a', content: { parts: [{ text: 'Wait' }, { functionCall: { name: 'log', args: { x: 1 } } }] } },
      ],
    });
  });

  it('omits removed turns', () => {
    expect(editedTurns([written, recorded], { ...NO_EDITS, withoutTurns: new Set([0]) })).toEqual([recorded]);
  });
});

describe('withMatchers()', () => {
  const matcher = { shape: 'date' } as const;
  const bare = { evalId: 'x' };
  const draft = {
    bare,
    evalCase: {
      evalId: 'x',
      agentCriteria: { tool_trajectory_avg_score: { matchers: { book: { day: matcher, id: matcher } } } },
    },
    suggestions: ['day', 'id'].map((path) => ({ tool: 'book', path, kind: 'a date', matcher })),
    notes: [],
  };

  it('keeps only the selected matchers', () => {
    expect(withMatchers(draft, new Set(['["book","id"]'])).agentCriteria).toEqual({
      tool_trajectory_avg_score: { matchers: { book: { id: matcher } } },
    });
    expect(withMatchers(draft, new Set())).toBe(bare);
  });
});

it('idFrom() derives the id from the first message', () => {
  expect(idFrom([written])).toBe('book_a_table_please');
  expect(idFrom([{ userContent: content('???') }])).toBe('session');
  const picture = { inlineData: { mimeType: 'image/png', data: 'AA==', displayName: 'My cat.png' } };
  expect(idFrom([{ userContent: { role: 'user', parts: [picture] } }])).toBe('my_cat_png');
});
