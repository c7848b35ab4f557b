import type { Invocation, Part } from '@agent-criteria/core';
import { message } from '@agent-criteria/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { messagesOf, userMessage, withAllResults } from './model-messages.ts';

describe('messagesOf()', () => {
  it('writes texts, calls with their results and the answer in order, without thoughts', () => {
    const invocation: Invocation = {
      userContent: message('user', 'Roll.'),
      intermediateData: {
        invocationEvents: [
          {
            author: 'dice',
            content: {
              role: 'model',
              parts: [
                { text: 'Hm.', thought: true },
                { text: 'Rolling.' },
                { functionCall: { id: 'a', name: 'roll', args: { sides: 6 } } },
                { functionCall: { name: 'broken' } },
              ],
            },
          },
          {
            author: 'dice',
            content: {
              role: 'user',
              parts: [
                { functionResponse: { name: 'broken', response: { error: 'out of order' } } },
                { functionResponse: { id: 'a', name: 'roll', response: { result: 'four' } } },
              ],
            },
          },
        ],
      },
      finalResponse: message('model', 'A four.'),
    };
    expect(messagesOf(invocation, 0)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Roll.' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Rolling.' },
          { type: 'tool-call', toolCallId: 'a', toolName: 'roll', input: { sides: 6 } },
          { type: 'tool-call', toolCallId: 'call-1-2', toolName: 'broken', input: {} },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'a', toolName: 'roll', output: { type: 'text', value: 'four' } },
          {
            type: 'tool-result',
            toolCallId: 'call-1-2',
            toolName: 'broken',
            output: { type: 'error-text', value: 'out of order' },
          },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'A four.' }] },
    ]);
  });

  it('gives every call exactly one result, right after the message that has it', () => {
    const name = fc.constantFrom('a', 'b');
    const id = fc.option(fc.constantFrom('1', '2', '3'), { nil: undefined });
    const part: fc.Arbitrary<Part> = fc.oneof(
      fc.record({ text: fc.string() }),
      fc.record({ functionCall: fc.record({ id, name }) }),
      fc.record({ functionResponse: fc.record({ id, name, response: fc.constant({ ok: true }) }) }),
    );
    const events = fc.array(fc.record({ author: name, content: fc.record({ parts: fc.array(part) }) }));
    fc.assert(
      fc.property(events, (invocationEvents) => {
        const seen = new Set<string>();
        // A model gives every call an id of its own.
        for (const { content } of invocationEvents) {
          content.parts = content.parts.filter(({ functionCall }) => {
            if (!functionCall?.id) return true;
            return seen.has(functionCall.id) ? false : seen.add(functionCall.id);
          });
        }
        const messages = messagesOf({ userContent: message('user', 'Hi'), intermediateData: { invocationEvents } }, 0);
        const open: string[] = [];
        for (const { role, content } of messages) {
          if (role !== 'tool') expect(open).toEqual([]);
          for (const one of content) {
            if (one.type === 'tool-call') open.push(one.toolCallId);
            if (one.type === 'tool-result')
              open.splice(open.indexOf(one.toolCallId), open.includes(one.toolCallId) ? 1 : 0);
          }
        }
        expect(open).toEqual([]);
      }),
      { numRuns: runs(1000) },
    );
  });
});

it('withAllResults() keeps the messages of the AI SDK, whose content may be text', () => {
  const messages = [{ role: 'assistant', content: 'Hello' }] as never;
  expect(withAllResults(messages)).toEqual(messages);
});

describe('userMessage()', () => {
  it('passes files on, by content or by address', () => {
    const parts = [
      { inlineData: { data: 'aGk=', mimeType: 'text/plain' } },
      { fileData: { fileUri: 'https://example.com/a.png', mimeType: 'image/png' } },
    ];
    expect(userMessage({ parts }).content).toEqual([
      { type: 'file', data: 'aGk=', mediaType: 'text/plain' },
      { type: 'file', data: new URL('https://example.com/a.png'), mediaType: 'image/png' },
    ]);
  });

  it('is never empty, because models reject a message without content', () => {
    expect(userMessage({ parts: [] }).content).toEqual([{ type: 'text', text: '' }]);
  });
});
