import { expect, it } from 'vitest';
import type { ChatEntry, ChatPart } from './chat-event.ts';
import { chatRows } from './chat-rows.ts';

const entry = (id: string, author: string, parts: readonly ChatPart[], more: Partial<ChatEntry> = {}): ChatEntry => ({
  id,
  invocationId: 'i',
  author,
  at: null,
  parts,
  error: null,
  stateDelta: null,
  isPartial: false,
  isCut: false,
  ...more,
});
const call = (id: string | null, name: string): ChatPart => ({ kind: 'call', id, name, value: {} });
const response = (id: string | null, name: string, value: unknown): ChatPart => ({ kind: 'response', id, name, value });
const text: ChatPart = { kind: 'text', text: 'Hi' };

it('chatRows() joins calls with their results by id, in whatever order they come', () => {
  const rows = chatRows([
    entry('1', 'desk', [call('a', 'look'), call('b', 'look')]),
    entry('2', 'desk', [response('b', 'look', 2)]),
    entry('3', 'desk', [response('a', 'look', 1)]),
    entry('4', 'desk', [text]),
  ]);
  expect(rows.map(({ ids }) => ids)).toEqual([['1', '2', '3'], ['4']]);
  expect(rows[0]?.rows).toMatchObject([
    { id: 'a', result: { value: 1, event: '3' } },
    { id: 'b', result: { value: 2, event: '2' } },
  ]);
});

it('chatRows() joins calls without ids by name and order', () => {
  const [row] = chatRows([
    entry('1', 'desk', [call(null, 'look'), call(null, 'book'), call(null, 'look')]),
    entry('2', 'desk', [response(null, 'look', 1), response(null, 'look', 2)]),
  ]);
  expect(row?.rows.map((part) => (part.kind === 'call' ? part.result?.value : null))).toEqual([1, undefined, 2]);
});

it('chatRows() keeps results without a call, of another turn, and entries that also say something else', () => {
  const rows = chatRows([
    entry('1', 'desk', [call('a', 'look')]),
    entry('2', 'desk', [response('a', 'look', 1)], { invocationId: 'other' }),
    entry('3', 'desk', [response('a', 'look', 1)], { stateDelta: { x: 1 } }),
    entry('4', 'desk', [response('z', 'book', 1)]),
  ]);
  expect(rows.map(({ id, rows: parts }) => [id, parts.length])).toEqual([
    ['1', 1],
    ['2', 1],
    ['3', 0],
    ['4', 1],
  ]);
});

it('chatRows() says where the same author goes on', () => {
  const rows = chatRows([entry('1', 'user', [text]), entry('2', 'desk', [text]), entry('3', 'desk', [text])]);
  expect(rows.map(({ goesOn }) => goesOn)).toEqual([false, false, true]);
});
