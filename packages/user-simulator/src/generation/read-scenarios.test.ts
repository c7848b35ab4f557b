import { describe, expect, it } from 'vitest';
import { readScenarios } from './read-scenarios.ts';

const entry = (number: unknown, more: object = {}) => ({
  number,
  starting_prompt: ' Hello ',
  conversation_plan: 'You want a room.',
  ...more,
});
const read = (scenarios: unknown, count = 3) =>
  readScenarios({ text: JSON.stringify({ scenarios }), finish: 'stop' }, count, []);

describe('readScenarios', () => {
  it('reads scenarios by their numbers, in any order', () => {
    const reading = read([entry('3'), entry(1)]);
    const text = { startingPrompt: 'Hello', conversationPlan: 'You want a room.' };
    expect(reading).toEqual({ scenarios: new Map([2, 0].map((index) => [index, text])) });
  });

  it.each([
    ['a number out of range', [entry(0), entry(4)]],
    ['no number', [entry(null), entry('x')]],
    ['a repeated number', [entry(2), entry(2, { starting_prompt: 'Other' })]],
    ['an empty message', [entry(1, { starting_prompt: ' ' })]],
    ['no plan', [entry(1, { conversation_plan: undefined })]],
    ['a text without end', [entry(1, { conversation_plan: 'x'.repeat(20_001) })]],
    ['something else in place of an entry', ['Hello', null]],
  ])('leaves out entries with %s', (_what, scenarios) => {
    expect(read(scenarios)).toEqual({ scenarios: new Map() });
  });

  it.each([
    ['cut off', { text: '{"scenarios": [', finish: 'length' as const }, 'cut off'],
    ['blocked', { text: '', finish: 'blocked' as const }, 'safety filter'],
    ['empty', { text: ' ', finish: 'stop' as const }, 'empty'],
    ['prose', { text: 'Here you are.', finish: 'stop' as const }, 'no object of the requested form'],
  ])('says why an answer that is %s has none', (_what, answer, problem) => {
    expect(readScenarios(answer, 3, [])).toEqual({ problem: expect.stringContaining(problem) });
  });
});
