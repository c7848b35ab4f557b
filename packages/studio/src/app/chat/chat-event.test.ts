import { expect, it } from 'vitest';
import { newestArtifacts, withPiece } from '../../sessions/event.ts';
import { chatEntry } from './chat-event.ts';

const said = (text: string, more: object = {}) => ({
  id: 'e',
  author: 'a',
  content: { role: 'model', parts: [{ text }] },
  ...more,
});

it('withPiece() joins partial events and replaces them with the complete one', () => {
  const open = ['Hel', 'lo'].reduce<readonly ReturnType<typeof said>[]>(
    (events, text) => withPiece(events, said(text, { partial: true })),
    [],
  );
  expect(open.map((event) => chatEntry(event).parts)).toEqual([[{ kind: 'text', text: 'Hello' }]]);
  expect(withPiece(open, said('Hello!'))).toEqual([said('Hello!')]);
  expect(withPiece(open, said('Bye', { author: 'b', partial: true }))).toHaveLength(2);
});

it('chatEntry() reads text, thoughts, calls, results, media, errors and state changes', () => {
  const parts = [
    { text: 'Hm', thought: true },
    { functionCall: { name: 'f', args: { x: 1 } } },
    { functionResponse: { name: 'f', response: { y: 2 } } },
    { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
    { inlineData: { mimeType: 'image/svg+xml', data: 'AAAA' } },
    { executableCode: { code: '1' } },
  ];
  const entry = chatEntry({
    id: 'e',
    author: 'a',
    content: { parts },
    errorCode: 'X',
    actions: { stateDelta: { a: 1 } },
  });
  expect(entry.parts.map(({ kind }) => kind)).toEqual(['thought', 'call', 'response', 'file', 'file', 'other']);
  expect(entry).toMatchObject({ error: { code: 'X', message: '' }, stateDelta: { a: 1 } });
});

it('newestArtifacts() returns the latest version of each artifact', () => {
  const events = [1, 2].map((version) => ({ actions: { artifactDelta: { 'a.txt': version } } }));
  expect([...newestArtifacts(events)]).toEqual([['a.txt', 2]]);
});
