import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.ts';
import { readRequest, readResponse } from './model-messages.ts';

const schema = { type: 'object', properties: { day: { type: 'string' } } };

describe('readRequest()', () => {
  it('reads a request of Gemini, with instruction, tools, calls, results and images', () => {
    expect(
      readRequest({
        model: 'gemini-2.5-flash',
        contents: [
          { role: 'user', parts: [{ text: 'Is it free?' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
          { role: 'model', parts: [{ functionCall: { name: 'look_up', args: { day: 'Monday' } } }] },
          { role: 'user', parts: [{ functionResponse: { name: 'look_up', response: { rooms: [12] } } }] },
          { role: 'model', parts: [{ text: 'Let me think', thought: true }, { thoughtSignature: 'x' }] },
        ],
        config: {
          systemInstruction: 'You book rooms.',
          tools: [
            { functionDeclarations: [{ name: 'look_up', description: 'Finds rooms.', parameters: schema }] },
            { googleSearch: {} },
          ],
          temperature: 0,
        },
        liveConnectConfig: {},
      }),
    ).toEqual({
      model: 'gemini-2.5-flash',
      system: 'You book rooms.',
      tools: [
        { name: 'look_up', description: 'Finds rooms.', parameters: schema },
        { name: 'googleSearch', description: '', parameters: {} },
      ],
      messages: [
        {
          role: 'user',
          parts: [
            { kind: 'text', text: 'Is it free?' },
            { kind: 'media', name: 'image/png', bytes: 3 },
          ],
        },
        { role: 'model', parts: [{ kind: 'call', name: 'look_up', value: { day: 'Monday' } }] },
        { role: 'user', parts: [{ kind: 'result', name: 'look_up', value: { rooms: [12] } }] },
        { role: 'model', parts: [{ kind: 'thought', text: 'Let me think' }] },
      ],
      settings: { temperature: 0 },
    });
  });

  it("reads ADK's spelling for Python, where the instruction is a message", () => {
    const request = readRequest({
      contents: [],
      config: {
        system_instruction: { parts: [{ text: 'One.' }, { text: 'Two.' }] },
        tools: [{ function_declarations: [{ name: 'a', parameters_json_schema: schema }] }],
      },
    });
    expect(request).toMatchObject({ system: 'One.\n\nTwo.', tools: [{ name: 'a', parameters: schema }] });
  });

  it("reads a request of OpenAI's chat, whose system messages come first", () => {
    expect(
      readRequest({
        model: 'gpt-5',
        messages: [
          { role: 'system', content: 'You book rooms.' },
          { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Look:' },
              { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,AAAAAA==' } },
              { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
            ],
          },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look_up', arguments: '{"day":"Monday"}' } }],
          },
          { role: 'tool', tool_call_id: 'c1', content: '{"rooms":[12]}' },
        ],
        tools: [{ type: 'function', function: { name: 'look_up', description: 'Finds rooms.', parameters: schema } }],
        temperature: 0.2,
      }),
    ).toEqual({
      model: 'gpt-5',
      system: 'You book rooms.\n\nBe brief.',
      tools: [{ name: 'look_up', description: 'Finds rooms.', parameters: schema }],
      messages: [
        {
          role: 'user',
          parts: [
            { kind: 'text', text: 'Look:' },
            { kind: 'media', name: 'image/jpeg', bytes: 4 },
            { kind: 'media', name: 'https://example.com/a.png', bytes: null },
          ],
        },
        { role: 'assistant', parts: [{ kind: 'call', name: 'look_up', value: { day: 'Monday' } }] },
        { role: 'tool', parts: [{ kind: 'result', name: 'c1', value: { rooms: [12] } }] },
      ],
      settings: { temperature: 0.2 },
    });
  });

  it("reads a request of Anthropic's messages", () => {
    expect(
      readRequest({
        model: 'claude',
        system: [{ type: 'text', text: 'You book rooms.' }],
        messages: [
          { role: 'user', content: 'Is it free?' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'look_up', input: { day: 'Monday' } }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'full' }] },
        ],
        tools: [{ name: 'look_up', description: 'Finds rooms.', input_schema: schema }],
        max_tokens: 100,
      }),
    ).toEqual({
      model: 'claude',
      system: 'You book rooms.',
      tools: [{ name: 'look_up', description: 'Finds rooms.', parameters: schema }],
      messages: [
        { role: 'user', parts: [{ kind: 'text', text: 'Is it free?' }] },
        { role: 'assistant', parts: [{ kind: 'call', name: 'look_up', value: { day: 'Monday' } }] },
        { role: 'user', parts: [{ kind: 'result', name: 't', value: 'full' }] },
      ],
      settings: { max_tokens: 100 },
    });
  });

  it.each([null, 'text', 1, [], {}, { asked: 'a' }, { contents: 'a' }, { messages: [1] }, { contents: [null] }])(
    'leaves %j to be shown as JSON',
    (value) => expect(readRequest(value)).toBeNull(),
  );
});

describe('readResponse()', () => {
  it.each([
    ['Gemini', { candidates: [{ content: { role: 'model', parts: [{ text: 'Yes' }] }, finishReason: 'STOP' }] }],
    ['ADK', { content: { role: 'model', parts: [{ text: 'Yes' }] }, finishReason: 'STOP' }],
  ])('reads a response of %s', (_, value) => {
    expect(readResponse(value)).toEqual({
      messages: [{ role: 'model', parts: [{ kind: 'text', text: 'Yes' }] }],
      facts: { finishReason: 'STOP' },
    });
  });

  it.each([
    [
      'OpenAI',
      { choices: [{ message: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' }] },
      'finish_reason',
    ],
    ['Anthropic', { role: 'assistant', content: [{ type: 'text', text: 'Yes' }], stop_reason: 'stop' }, 'stop_reason'],
  ])('reads a response of %s', (_, value, reason) => {
    expect(readResponse(value)).toEqual({
      messages: [{ role: 'assistant', parts: [{ kind: 'text', text: 'Yes' }] }],
      facts: { [reason]: 'stop' },
    });
  });

  it.each([null, 'Yes', { said: 'Yes' }, { candidates: [1] }, { choices: [{}] }, { content: 'Yes' }])(
    'leaves %j to be shown as JSON',
    (value) => expect(readResponse(value)).toBeNull(),
  );
});

describe('what a model was asked', () => {
  it('is read without an error, whatever was recorded', () => {
    const key = fc.constantFrom(
      ...['contents', 'messages', 'candidates', 'choices', 'content', 'message', 'parts', 'role', 'config', 'tools'],
      ...['text', 'functionCall', 'function', 'tool_calls', 'inlineData', 'image_url', 'url', 'data', 'name', 'type'],
      ...['systemInstruction', 'functionDeclarations', 'parameters', 'arguments', 'system', 'source'],
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'medium', withCrossShrink: true },
        fc.constantFrom('system', 'tool', 'data:;base64,', '{"a":', 'tool_use', '', 1, null, true),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(value, value, (one, other) => {
        for (const each of [one, { contents: [{ parts: [one] }], config: other }, { messages: [one], tools: other }]) {
          readRequest(each);
          readResponse(each);
        }
        readRequest({ messages: [{ role: 'user', content: one, tool_calls: other }], tools: [one, other] });
        readResponse({ choices: [{ message: { content: [one], tool_calls: [other] } }] });
      }),
      { numRuns: runs(2000) },
    );
  });
});
