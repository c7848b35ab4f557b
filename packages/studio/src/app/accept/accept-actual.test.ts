import type { EvalCase, Invocation } from '@agent-criteria/core';
import { describe, expect, it } from 'vitest';
import { acceptActual, differences } from './accept-actual.ts';

const said = (text: string) => ({ role: 'model', parts: [{ text }] });
const asked = (text: string) => ({ role: 'user', parts: [{ text }] });
const turn = (user: string, answer: string, args: Record<string, string>): Invocation => ({
  userContent: asked(user),
  finalResponse: said(answer),
  intermediateData: { toolUses: [{ name: 'look_up', args }] },
});
const events = (args: Record<string, string>) => ({
  invocationEvents: [
    { author: 'desk', content: { role: 'model', parts: [{ functionCall: { id: '1', name: 'look_up', args } }] } },
  ],
});
const evalCase = {
  evalId: 'a',
  mine: 1,
  conversation: [turn('Hi', 'Hello', { a: '1', b: '2' }), turn('Bye', 'Farewell', { day: 'today' })],
  agentCriteria: { tags: ['smoke'] },
} as EvalCase;
const actual: readonly Invocation[] = [
  { ...turn('Hi', 'Hello!', {}), intermediateData: events({ b: '2', a: '1' }) },
  { ...turn('Bye', 'Farewell ', {}), intermediateData: events({ day: 'tomorrow' }) },
];

describe('differences()', () => {
  it('compares turn by turn, ignoring ids, argument order and surrounding whitespace', () => {
    expect(differences(evalCase, actual)).toEqual([
      { turn: 0, field: 'answer' },
      { turn: 1, field: 'calls' },
    ]);
  });

  it('skips missing answers, turns whose question changed, and simulated conversations', () => {
    const { finalResponse: _, ...silent } = actual[0] as Invocation;
    expect(differences(evalCase, [silent])).toEqual([]);
    const edited = {
      ...evalCase,
      conversation: [turn('Good day', 'Hello', {}), ...(evalCase.conversation ?? []).slice(1)],
    };
    expect(differences(edited, actual)).toEqual([{ turn: 1, field: 'calls' }]);
    expect(differences({ evalId: 'b' }, actual)).toEqual([]);
  });
});

describe('acceptActual()', () => {
  it('changes only the accepted fields of a case', () => {
    const after = acceptActual(evalCase, actual, [{ turn: 0, field: 'answer' }]);
    expect(after).toEqual({
      ...evalCase,
      conversation: [{ ...evalCase.conversation?.[0], finalResponse: said('Hello!') }, evalCase.conversation?.[1]],
    });
    expect(differences(after, actual)).toEqual([{ turn: 1, field: 'calls' }]);
    expect(evalCase.conversation?.[0]?.finalResponse).toEqual(said('Hello'));
  });

  it('leaves no differences if everything is accepted', () => {
    expect(differences(acceptActual(evalCase, actual, differences(evalCase, actual)), actual)).toEqual([]);
  });

  it('keeps expected intermediate text alongside listed calls and drops expected tool responses', () => {
    const before: EvalCase = {
      evalId: 'a',
      conversation: [
        {
          userContent: asked('Hi'),
          intermediateData: {
            toolUses: [{ name: 'old' }],
            toolResponses: [{ name: 'old', response: {} }],
            intermediateResponses: [['desk', [{ text: 'One moment' }]]],
          },
        },
      ],
    };
    const after = acceptActual(before, [turn('Hi', 'Hello', { a: '1' })], [{ turn: 0, field: 'calls' }]);
    expect(after.conversation?.[0]?.intermediateData).toEqual({
      toolUses: [{ name: 'look_up', args: { a: '1' } }],
      intermediateResponses: [['desk', [{ text: 'One moment' }]]],
    });
  });

  it('expects no calls if none were recorded', () => {
    const after = acceptActual(evalCase, [{ userContent: asked('Hi') }], [{ turn: 0, field: 'calls' }]);
    expect(after.conversation?.[0]?.intermediateData).toEqual({ toolUses: [] });
  });
});
