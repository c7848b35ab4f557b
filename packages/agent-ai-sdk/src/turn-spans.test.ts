import { describe, expect, it } from 'vitest';
import { stepsOf6, stepsOf7 } from './__fixtures__/recorded-steps.ts';
import { type TurnRecord, turnSpans } from './turn-spans.ts';

const record: TurnRecord = {
  turn: 1,
  agent: 'desk',
  startedAt: 1000,
  endedAt: 1100,
  steps: [],
  begins: [],
  ends: [],
  isCut: false,
  runs: [],
};

function times(more: Partial<TurnRecord>) {
  return turnSpans({ ...record, ...more }).map(({ name, startedAt, endedAt }) => [name, startedAt, endedAt]);
}

describe('turnSpans()', () => {
  it('takes the times of models and tools from version 7, if it has not seen them', () => {
    expect(times({ steps: stepsOf7 })).toEqual([
      ['desk', 1000, 1100],
      ['m', 1000, 1010],
      ['roll', 1010, 1015],
      ['bad', 1010, 1010],
      ['nope', 1010, 1010],
      ['m', 1010, 1030],
    ]);
  });

  it('ends a call to a model of version 6 where its first tool begins', () => {
    const runs = [
      { id: 'c1', name: 'roll', input: { sides: 6 }, startedAt: 1020, endedAt: 1050, answer: { output: { value: 4 } } },
      { id: 'c2', name: 'bad', input: {}, startedAt: 1021, endedAt: 1040, answer: { error: new Error('boom') } },
    ];
    expect(times({ steps: stepsOf6, runs })).toEqual([
      ['desk', 1000, 1100],
      ['m', 1000, 1020],
      ['roll', 1020, 1050],
      ['bad', 1021, 1040],
      ['nope', 1020, 1020],
      ['m', 1050, 1100],
    ]);
    const spans = turnSpans({ ...record, steps: stepsOf6, runs });
    expect(spans.map(({ error }) => error?.message)).toEqual([
      undefined,
      undefined,
      undefined,
      'boom',
      expect.stringContaining('unavailable tool'),
      undefined,
    ]);
    expect(spans[1]).toMatchObject({
      id: '2.2',
      parentId: '2.1',
      turn: 1,
      author: 'desk',
      usage: { promptTokenCount: 10, cachedContentTokenCount: 4, candidatesTokenCount: 3, thoughtsTokenCount: 2 },
    });
  });

  it('keeps what was in flight open if the turn was stopped, and marks a call to a model that failed', () => {
    const begins = [{ at: 1001, request: { messages: [] } }];
    const runs = [{ id: 'c', name: 'roll', input: {}, startedAt: 1002 }];
    expect(times({ begins, runs, isCut: true })).toEqual([
      ['desk', 1000, 1100],
      ['model', 1001, undefined],
      ['roll', 1002, undefined],
    ]);
    const error = { code: 'AGENT_FAILED', message: 'no key' } as const;
    expect(turnSpans({ ...record, begins, error })[1]).toMatchObject({ error, endedAt: 1100, parentId: '2.1' });
  });
});
