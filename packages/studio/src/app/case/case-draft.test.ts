import type { EvalCase } from '@agent-criteria/core';
import { expect, it } from 'vitest';
import { addTurn, type Draft, edit, removeTurn, textOf, undo, withTags, withText } from './case-draft.ts';

const first: EvalCase = { evalId: 'a', conversation: [{ userContent: { role: 'user', parts: [{ text: 'Hi' }] } }] };
const start: Draft = { value: first, before: [], field: '' };

it('undo() reverts consecutive edits to one field in a single step', () => {
  const typed = edit(edit(start, 'id', { ...first, evalId: 'ab' }), 'id', { ...first, evalId: 'abc' });
  const both = edit(typed, 'turn', addTurn(typed.value));
  expect(undo(both).value).toEqual({ ...first, evalId: 'abc' });
  expect(undo(undo(both)).value).toBe(first);
  expect(undo(undo(undo(both))).value).toBe(first);
});

it('undo() reverts a deleted entry as a separate step between edits to the same field', () => {
  const withCalls = (names: readonly string[]) =>
    ({ ...first, rubrics: names.map((rubricId) => ({ rubricId, rubricContent: { textProperty: '' } })) }) as EvalCase;
  const begun: Draft = { value: withCalls(['a', 'b']), before: [], field: '' };
  const typed = edit(edit(begun, 'rubrics', withCalls(['ax', 'b'])), 'rubrics', withCalls(['axy', 'b']));
  const deleted = edit(typed, 'rubrics', withCalls(['axy']));
  const again = edit(edit(deleted, 'rubrics', withCalls(['axyz'])), 'rubrics', withCalls(['axyzz']));
  expect(undo(again).value).toEqual(withCalls(['axy']));
  expect(undo(undo(again)).value).toEqual(withCalls(['axy', 'b']));
  expect(undo(undo(undo(again))).value).toBe(begun.value);
});

it('undo() reverts each deleted turn separately', () => {
  const two = edit(start, '', addTurn(first));
  const none = edit(edit(two, '', removeTurn(two.value, 1)), '', removeTurn(first, 0));
  expect(undo(none).value.conversation).toHaveLength(1);
  expect(undo(undo(none)).value.conversation).toHaveLength(2);
});

it('withText() replaces the first text part of a message and keeps the other parts', () => {
  const content = {
    role: 'user',
    parts: [{ inlineData: { data: 'x', mimeType: 'image/png' } }, { text: 'See' }, { text: 'more' }],
  };
  expect(textOf(content)).toBe('See');
  expect(withText(content, 'Look', 'user').parts).toEqual([content.parts[0], { text: 'Look' }, { text: 'more' }]);
  expect(withText(null, 'Hi', 'model')).toEqual({ role: 'model', parts: [{ text: 'Hi' }] });
});

it('withTags() keeps the other keys of agent_criteria', () => {
  const tagged: EvalCase = { ...first, agentCriteria: { tags: ['a'], tool_checks: { x: 1 } } };
  expect(withTags(tagged, 'b, c, b,').agentCriteria).toEqual({ tool_checks: { x: 1 }, tags: ['b', 'c'] });
  expect(withTags(tagged, ' ').agentCriteria).toEqual({ tool_checks: { x: 1 } });
  expect(withTags({ ...first, agentCriteria: { tags: ['a'] } }, '')).toEqual(first);
});
