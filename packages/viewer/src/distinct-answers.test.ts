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

it('distinctAnswers() lists each answer once with its repeats, most frequent first', () => {
  expect(distinctAnswers(ran(['No'], ['Yes '], ['Yes'], ['Maybe']))).toEqual([
    { texts: ['Yes'], repeats: [1, 2] },
    { texts: ['No'], repeats: [0] },
    { texts: ['Maybe'], repeats: [3] },
  ]);
});

it('distinctAnswers() compares all turns, but returns only those that differ', () => {
  expect(distinctAnswers(ran(['Hello', 'Done'], ['Hello', 'Failed'], ['Hello']))).toEqual([
    { texts: ['Done'], repeats: [0] },
    { texts: ['Failed'], repeats: [1] },
    { texts: [''], repeats: [2] },
  ]);
});

it('distinctAnswers() returns all turns if the repeats are equal, and nothing without any repeats', () => {
  expect(distinctAnswers(ran(['Hello', 'Done'], ['Hello', 'Done']))).toEqual([
    { texts: ['Hello', 'Done'], repeats: [0, 1] },
  ]);
  expect(distinctAnswers(ran())).toEqual([]);
});
