import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contentText,
  fileNames,
  hasContent,
  intermediateTexts,
  messageTitle,
  toolCalls,
  toolResponses,
  toolSteps,
} from './accessors.ts';
import type { FunctionCall, FunctionResponse, Invocation } from './model.ts';

const userContent = { role: 'user', parts: [{ text: 'go' }] };

/** Returns two turns with the same calls and responses, in the hand-written and in the recorded format. */
function bothForms(calls: FunctionCall[], responses: FunctionResponse[]): [Invocation, Invocation] {
  const parts = [
    ...calls.map((functionCall) => ({ functionCall })),
    ...responses.map((functionResponse) => ({ functionResponse })),
  ];
  const events = parts.map((part) => ({ author: 'agent', content: { role: 'model', parts: [part] } }));
  return [
    { userContent, intermediateData: { toolUses: calls, toolResponses: responses } },
    { userContent, intermediateData: { invocationEvents: events } },
  ];
}

describe('hasContent()', () => {
  it.each([
    [{ text: 'Hello' }, true],
    [{ functionCall: { name: 'look' } }, true],
    [{ inlineData: { mimeType: 'image/png', data: '' } }, true],
    [{}, false],
    [{ text: '' }, false],
    [{ text: '', thoughtSignature: 'c2ln' }, false],
    [{ text: 'Let me see', thought: true }, false],
    [{ text: '', functionCall: null }, false],
  ])('for the part %j, returns %s', (part, says) => {
    expect(hasContent(part)).toBe(says);
  });
});

describe('intermediate data', () => {
  it('is read the same way in both formats', () => {
    const named = fc.record({
      name: fc.constantFrom('a', 'b'),
      id: fc.option(fc.constantFrom('1', '2', '3'), { nil: null }),
    });
    fc.assert(
      fc.property(fc.array(named, { maxLength: 5 }), fc.array(named, { maxLength: 5 }), (calls, responses) => {
        const [written, recorded] = bothForms(calls, responses);
        expect(toolCalls(recorded)).toEqual(toolCalls(written));
        expect(toolResponses(recorded)).toEqual(toolResponses(written));
        expect(toolSteps(recorded)).toEqual(toolSteps(written));
      }),
    );
  });

  it('is empty if it is missing or has no content', () => {
    for (const intermediateData of [
      null,
      undefined,
      {},
      { invocationEvents: [] },
      { invocationEvents: [{ author: 'a', content: null }] },
    ]) {
      const turn: Invocation = { userContent, intermediateData };
      expect([toolCalls(turn), toolResponses(turn), toolSteps(turn), intermediateTexts(turn)]).toEqual([
        [],
        [],
        [],
        [],
      ]);
    }
  });

  it('pairs calls and responses by id, or without ids by name and order', () => {
    const [turn] = bothForms(
      [{ name: 'a' }, { name: 'b' }, { name: 'a' }, { name: 'a', id: '7' }, { name: 'c', id: '8' }],
      [
        { name: 'a', id: '7', response: { n: 7 } },
        { name: 'a', response: { n: 1 } },
        { name: 'a', response: { n: 2 } },
      ],
    );
    expect(toolSteps(turn).map(({ response }) => response?.response?.n ?? null)).toEqual([1, null, 2, 7, null]);
  });

  it('provides texts with their authors, without thoughts', () => {
    const events: Invocation = {
      userContent,
      intermediateData: {
        invocationEvents: [
          {
            author: 'desk',
            content: {
              parts: [{ text: 'hm', thought: true }, { text: 'Let me see.' }, { functionCall: { name: 'a' } }],
            },
          },
          { author: 'helper', content: { parts: [{ text: '' }, { text: 'Found it.' }] } },
        ],
      },
    };
    expect(intermediateTexts(events)).toEqual([
      { author: 'desk', text: 'Let me see.' },
      { author: 'helper', text: 'Found it.' },
    ]);
    const written: Invocation = {
      userContent,
      intermediateData: { intermediateResponses: [['desk', [{ text: 'Let me see.' }]]] },
    };
    expect(intermediateTexts(written)).toEqual([{ author: 'desk', text: 'Let me see.' }]);
  });
});

describe('contentText', () => {
  it('joins the texts with newlines and skips everything else', () => {
    expect(
      contentText({
        parts: [{ text: 'Seat 4A is held.' }, { functionCall: { name: 'hold' } }, { text: 'Anything else?' }],
      }),
    ).toBe('Seat 4A is held.\nAnything else?');
    expect(contentText({ parts: [{ functionCall: { name: 'hold_seat' } }] })).toBe('');
    expect(contentText({ parts: [{ text: null }, { text: '' }] })).toBe('');
    expect(contentText(null)).toBe('');
    expect(contentText({})).toBe('');
  });

  it('includes thoughts only on request', () => {
    const content = { parts: [{ text: 'thinking', thought: true }, { text: 'said' }] };
    expect(contentText(content)).toBe('said');
    expect(contentText(content, { thoughts: true })).toBe('thinking\nsaid');
  });
});

describe('fileNames', () => {
  it('names each file by its name, its address or its type', () => {
    const parts = [
      { text: 'Look' },
      { inlineData: { mimeType: 'image/png', data: 'AA==', displayName: 'cat.png' } },
      { fileData: { mimeType: 'application/pdf', fileUri: 'gs://bucket/a.pdf' } },
      { inlineData: { mimeType: 'audio/wav', data: 'AA==', displayName: '' } },
      { inlineData: {} },
      { inlineData: null },
    ];
    expect(fileNames({ parts })).toEqual(['cat.png', 'gs://bucket/a.pdf', 'audio/wav', 'a file']);
    expect([fileNames(null), fileNames({}), fileNames({ parts: null })]).toEqual([[], [], []]);
  });
});

describe('messageTitle', () => {
  it('is the text of a message or, without one, the names of its files', () => {
    const picture = { inlineData: { mimeType: 'image/png', data: 'AA==', displayName: 'cat.png' } };
    expect(messageTitle({ parts: [{ text: 'Look' }, picture] })).toBe('Look');
    expect(messageTitle({ parts: [picture, picture] })).toBe('cat.png, cat.png');
    expect(messageTitle(undefined)).toBe('');
  });
});
