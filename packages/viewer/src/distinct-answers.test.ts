import type { RunCase } from '@agent-criteria/results';
import { expect, it } from 'vitest';
import { distinctAnswers } from './distinct-answers.ts';

const ran = (...answers: readonly (readonly string[])[]): Pick<RunCase, 'inferences'> => ({
  inferences: answers.map((texts, repeat) => ({
    key: { setId: 's', caseId: 'c', repeat },
    inference: {
      sessionId: '',
      invocations: texts.map((text) => ({ userContent: {}, finalResponse: { parts: [{ text }] } })),
      state: { initial: null, final: null },
      ending: { by: 'end-of-case' },
    },
  })),
});

it('lists each answer once with the repeats that gave it, the most frequent first', () => {
  expect(distinctAnswers(ran(['No'], ['Yes '], ['Yes'], ['Maybe']))).toEqual([
    { texts: ['Yes'], repeats: [1, 2] },
    { texts: ['No'], repeats: [0] },
    { texts: ['Maybe'], repeats: [3] },
  ]);
});

it('tells conversations apart by any turn, and shows only the turns that differ', () => {
  expect(distinctAnswers(ran(['Hello', 'Done'], ['Hello', 'Failed'], ['Hello']))).toEqual([
    { texts: ['Done'], repeats: [0] },
    { texts: ['Failed'], repeats: [1] },
    { texts: [''], repeats: [2] },
  ]);
});

it('shows all turns where every repeat went the same way, and nothing where none ran', () => {
  expect(distinctAnswers(ran(['Hello', 'Done'], ['Hello', 'Done']))).toEqual([
    { texts: ['Hello', 'Done'], repeats: [0, 1] },
  ]);
  expect(distinctAnswers(ran())).toEqual([]);
});
