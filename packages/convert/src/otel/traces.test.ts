import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allToolSteps, CriteriaError, contentText, intermediateTexts, toolSteps } from '@agent-criteria/core';
import { modelEvents } from '@agent-criteria/core/usage';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { runs } from '../../../../test/runs.ts';
import type { Conversation } from '../conversation.ts';
import { openConversations } from '../open-conversations.ts';
import { isTraces, readSpans } from './read-spans.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../__fixtures__/${name}`, import.meta.url));

async function readFile(file: string) {
  const opened = openConversations({ files: [file] });
  const all: Conversation[] = [];
  for await (const one of opened.conversations) all.push(one);
  return { all, losses: opened.losses().map(({ what, count }) => `${count} × ${what}`), file: opened.files[0] };
}

const read = (content: object, name = 'traces.json') =>
  readFile(join(folderOf({ [name]: JSON.stringify(content) }), name));

function shown({ turns }: Conversation): string[] {
  return turns.flatMap((turn) => [
    `user: ${contentText(turn.userContent)}`,
    ...intermediateTexts(turn).map(({ text }) => `text: ${text}`),
    ...toolSteps(turn).map(
      ({ call, response }) => `${call.name}(${JSON.stringify(call.args)}) = ${JSON.stringify(response?.response)}`,
    ),
    `answer: ${contentText(turn.finalResponse)}`,
  ]);
}

type Value = string | number | boolean | object;
interface Given {
  readonly id: string;
  readonly under?: string;
  readonly name?: string;
  readonly trace?: string;
  readonly attributes?: Readonly<Record<string, Value>>;
  readonly events?: readonly (readonly [name: string, attributes: Readonly<Record<string, Value>>])[];
  readonly failed?: string;
}

/** Writes an export in OTLP's JSON. Spans begin in their order, a second apart. Objects become JSON in a text. */
function otlp(...spans: readonly Given[]) {
  const attributesOf = (attributes: Readonly<Record<string, Value>> = {}) =>
    Object.entries(attributes).map(([key, value]) => ({
      key,
      value:
        typeof value === 'number'
          ? { intValue: String(value) }
          : typeof value === 'boolean'
            ? { boolValue: value }
            : { stringValue: typeof value === 'object' ? JSON.stringify(value) : value },
    }));
  const written = spans.map(({ id, under, name = id, trace = 't', attributes, events = [], failed }, index) => ({
    traceId: trace,
    spanId: id,
    ...(under === undefined ? {} : { parentSpanId: under }),
    name,
    startTimeUnixNano: `${1_795_000_000 + index}000000000`,
    endTimeUnixNano: `${1_795_000_001 + index}000000000`,
    attributes: attributesOf(attributes),
    events: events.map(([event, own]) => ({ name: event, attributes: attributesOf(own) })),
    status: failed === undefined ? {} : { code: 2, message: failed },
  }));
  return { resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ scope: { name: 's' }, spans: written }] }] };
}

const said = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });
const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'dice' };
const chat = (input: readonly object[], output: readonly object[]) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.input.messages': input,
  'gen_ai.output.messages': output,
});

describe('traces that were exported by', () => {
  test('Genkit have the flow as the agent, and continue a conversation that its model was sent', async () => {
    const { all, losses } = await readFile(fixture('trace-of-genkit.json'));
    expect(losses).toEqual([]);
    expect(all.map(shown)).toEqual([
      [
        'user: Roll a d6',
        'text: I roll.',
        'roll({"sides":6}) = {"value":4}',
        'answer: You rolled 4',
        'user: Thanks',
        'answer: Bye',
      ],
    ]);
    const [turn] = all[0]?.turns ?? [];
    const events = modelEvents(turn ?? { userContent: {} })?.map(({ author, modelVersion, usageMetadata }) => [
      author,
      modelVersion,
      usageMetadata,
    ]);
    expect(events).toEqual([
      ['dice', 'scripted', { promptTokenCount: 10, candidatesTokenCount: 1, totalTokenCount: 11 }],
      ['dice', 'scripted', { promptTokenCount: 20, candidatesTokenCount: 2, totalTokenCount: 22 }],
    ]);
    expect(turn?.appDetails?.agentDetails?.dice).toMatchObject({
      instructions: 'You roll dice.',
      toolDeclarations: [{ functionDeclarations: [{ name: 'roll', description: 'Rolls a die.' }] }],
    });
  });

  test('Genkit have files, reasoning, and a tool that failed with its error', async () => {
    const model = (messages: readonly object[], content: readonly object[]) => ({
      'genkit:type': 'action',
      'genkit:metadata:subtype': 'model',
      'genkit:name': 'm',
      'genkit:input': { messages },
      'genkit:output': {
        message: { role: 'model', content },
        usage: { inputTokens: 5, outputTokens: 2, thoughtsTokens: 3 },
      },
    });
    const asked = {
      role: 'user',
      content: [{ text: 'Look' }, { media: { url: 'https://a.example/b.png', contentType: 'image/png' } }],
    };
    const { all, losses } = await read(
      otlp(
        {
          id: 'flow',
          attributes: { 'genkit:type': 'action', 'genkit:metadata:subtype': 'flow', 'genkit:name': 'desk' },
        },
        {
          id: 'm1',
          under: 'flow',
          attributes: model(
            [asked],
            [{ reasoning: 'Hm.' }, { toolRequest: { ref: '1', name: 'find', input: { a: 1 } } }, { data: { x: 1 } }],
          ),
        },
        {
          id: 't',
          name: 'find',
          under: 'flow',
          attributes: { 'genkit:metadata:subtype': 'tool', 'genkit:name': 'find', 'genkit:input': { a: 1 } },
          failed: 'no find',
        },
        { id: 'm2', under: 'flow', attributes: model([asked], [{ text: 'Sorry' }]) },
      ),
    );
    expect(all.map(shown)).toEqual([['user: Look', 'find({"a":1}) = {"error":"no find"}', 'answer: Sorry']]);
    const [turn] = all[0]?.turns ?? [];
    expect(turn?.userContent.parts?.[1]).toEqual({
      fileData: { fileUri: 'https://a.example/b.png', mimeType: 'image/png' },
    });
    const [first] = modelEvents(turn ?? { userContent: {} }) ?? [];
    expect(JSON.stringify(turn?.intermediateData)).toContain('{"text":"Hm.","thought":true}');
    const counts = { promptTokenCount: 5, candidatesTokenCount: 2, thoughtsTokenCount: 3, totalTokenCount: 10 };
    expect(first?.usageMetadata).toEqual(counts);
    expect(losses).toEqual(['1 × parts of messages without a type, left out']);
  });

  test('Mastra have calls that only the step around a call to a model holds, instructions, and a tool that failed', async () => {
    const { all, losses } = await readFile(fixture('trace-of-mastra.json'));
    expect(losses).toEqual([]);
    expect(all.map(shown)).toEqual([
      [
        'user: Roll a d6.',
        'roll({"sides":6}) = {"value":4}',
        'answer: You rolled 4.',
        'user: Break it.',
        'broken({}) = {"error":"out of order"}',
        'answer: It is out of order.',
        'user: Thanks.',
        'answer: You are welcome.',
      ],
    ]);
    const [turn] = all[0]?.turns ?? [];
    const events = modelEvents(turn ?? { userContent: {} })?.map(({ author, modelVersion, usageMetadata }) => [
      author,
      modelVersion,
      usageMetadata,
    ]);
    expect(events).toEqual([
      ['Dice', 'gpt-6-luna', { promptTokenCount: 80, candidatesTokenCount: 12, totalTokenCount: 92 }],
      ['Dice', 'gpt-6-luna', { promptTokenCount: 120, candidatesTokenCount: 12, totalTokenCount: 132 }],
    ]);
    expect(turn?.appDetails?.agentDetails?.Dice).toMatchObject({
      instructions: 'You roll dice.',
      toolDeclarations: [{ functionDeclarations: [{ name: 'roll', description: 'Rolls a die.' }, { name: 'broken' }] }],
    });
  });

  test('Mastra have calls that never ran, and take the answer of the agent where a call to a tool is last', async () => {
    const step = { text: 'I ask.', toolCalls: [{ toolCallId: 'c', toolName: 'confirm', args: { a: 1 } }] };
    const root = {
      ...agent,
      'mastra.agent_run.input': 'Book it.',
      'mastra.agent_run.output': { text: 'Please confirm.' },
      'gen_ai.conversation.id': 'thread-1',
    };
    const { all, losses } = await read(
      otlp(
        { id: 'a', attributes: root },
        {
          id: 's',
          under: 'a',
          attributes: { 'gen_ai.operation.name': 'agent_step', 'mastra.model_step.output': step },
        },
        { id: 'm', under: 's', attributes: { 'gen_ai.operation.name': 'chat' } },
      ),
    );
    expect(losses).toEqual([]);
    expect(all.map(({ id }) => id)).toEqual(['thread-1']);
    expect(all.map(shown)).toEqual([
      ['user: Book it.', 'text: I ask.', 'confirm({"a":1}) = undefined', 'answer: Please confirm.'],
    ]);
  });

  test('@google/adk are conversations by session, with calls, results, tokens, instructions and tools', async () => {
    const { all, losses, file } = await readFile(fixture('trace-of-adk.json'));
    expect(file?.format).toBe('traces');
    expect(losses).toEqual([]);
    expect(all.map(shown)).toEqual([
      [
        'user: My toaster is broken, can somebody look at it?',
        'find_slot({"item":"toaster"}) = {"free":true,"slot":"Saturday 10:00"}',
        'answer: There is a free place on Saturday 10:00. Shall I book it, and for whom?',
        'user: Yes please, for Ines.',
        'book_slot({"item":"toaster","slot":"Saturday 10:00","name":"Ines"}) = {"code":"R-7144","item":"toaster","slot":"Saturday 10:00","name":"Ines"}',
        'answer: Booked: Saturday 10:00, code R-7144.',
      ],
    ]);
    const [turn] = all[0]?.turns ?? [];
    const counts = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 };
    expect(modelEvents(turn ?? { userContent: {} })?.map(({ usageMetadata }) => usageMetadata)).toEqual([
      counts,
      counts,
    ]);
    const details = turn?.appDetails?.agentDetails?.repair_desk;
    expect(details?.instructions).toContain('You are the desk of a repair café.');
    expect(JSON.stringify(details?.toolDeclarations)).toContain('"name":"book_slot"');
  });

  test('@google/adk have code that was run, with its result, and grounding', async () => {
    const contents = [{ role: 'user', parts: [{ text: 'Compute.' }] }];
    const parts = [
      { executable_code: { language: 'PYTHON', code: 'print(1)' } },
      { code_execution_result: { outcome: 'OUTCOME_OK', output: '1' } },
      { text: 'It is 1.' },
    ];
    const { all, losses } = await read(
      otlp(
        { id: 'a', attributes: agent },
        {
          id: 'm',
          under: 'a',
          name: 'call_llm',
          attributes: {
            'gcp.vertex.agent.llm_request': { contents },
            'gcp.vertex.agent.llm_response': {
              content: { role: 'model', parts },
              grounding_metadata: { webSearchQueries: ['one'] },
            },
          },
        },
      ),
    );
    expect(losses).toEqual([]);
    expect(all.map(shown)).toEqual([['user: Compute.', 'answer: It is 1.']]);
    const [turn] = all[0]?.turns ?? [];
    expect(
      allToolSteps(turn ?? { userContent: {} }).map(({ call, response }) => [call.name, response?.response]),
    ).toEqual([
      ['code_execution', { outcome: 'OUTCOME_OK', output: '1' }],
      ['google_search', undefined],
    ]);
  });

  test.each(['trace-of-ai-sdk-6.json', 'trace-of-ai-sdk-7.json'])(
    'the AI SDK, without ids of conversations, continue the one whose messages were sent: %s',
    async (name) => {
      const { all, losses } = await readFile(fixture(name));
      expect(losses).toEqual([]);
      expect(all.map(shown)).toEqual([
        [
          'user: Roll a d6.',
          'text: Let me roll.',
          'roll({"sides":6}) = {"value":4}',
          'answer: You rolled 4.',
          'user: Break it.',
          'broken({}) = {"error":"out of order"}',
          'answer: It is out of order.',
        ],
      ]);
      expect(all[0]?.turns.map((turn) => modelEvents(turn)?.length)).toEqual([2, 2]);
    },
  );
});

describe('traces by', () => {
  test("OpenTelemetry's conventions have the calls of sub-agents by their author, and files, reasoning and client tools", async () => {
    const call = { type: 'tool_call', id: 'c1', name: 'ask_browser', arguments: { url: 'x' } };
    const asked = [
      {
        role: 'user',
        parts: [
          { type: 'text', content: 'See this.' },
          { type: 'blob', mime_type: 'image/png', content: 'AA==' },
        ],
      },
    ];
    const { all, losses } = await read(
      otlp(
        { id: 'root', attributes: { ...agent, 'gen_ai.conversation.id': 'k' } },
        {
          id: 'm1',
          under: 'root',
          attributes: chat(asked, [{ role: 'assistant', parts: [{ type: 'reasoning', content: 'Hm.' }, call] }]),
        },
        { id: 'sub', under: 'root', attributes: { ...agent, 'gen_ai.agent.name': 'helper' } },
        {
          id: 'look',
          under: 'sub',
          attributes: {
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': 'look',
            'gen_ai.tool.call.arguments': { at: 'x' },
            'gen_ai.tool.call.result': 'fur',
          },
        },
        {
          id: 'm2',
          under: 'sub',
          attributes: chat(
            [
              ...asked,
              { role: 'assistant', parts: [call] },
              { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'seen' }] },
            ],
            [said('assistant', 'A cat.')],
          ),
        },
      ),
    );
    expect(losses).toEqual([]);
    expect(all.map(({ id }) => id)).toEqual(['k']);
    expect(all.map(shown)).toEqual([
      [
        'user: See this.',
        'ask_browser({"url":"x"}) = {"result":"seen"}',
        'look({"at":"x"}) = {"result":"fur"}',
        'answer: A cat.',
      ],
    ]);
    const [turn] = all[0]?.turns ?? [];
    expect(turn?.userContent.parts?.[1]?.inlineData).toEqual({ mimeType: 'image/png', data: 'AA==' });
    expect(JSON.stringify(turn?.intermediateData)).toMatch(/"thought":true.*"author":"helper"/);
  });

  test('two instrumentations of one call to a model count once', async () => {
    const asked = [said('user', 'Hi')];
    const inner = { ...chat(asked, [said('assistant', 'Hello')]), 'gen_ai.operation.name': 'generate_content' };
    const usage = { 'gen_ai.usage.input_tokens': 3, 'gen_ai.usage.output_tokens': 2 };
    const request = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] };
    const outer = {
      'gcp.vertex.agent.llm_request': request,
      'gcp.vertex.agent.llm_response': { content: { role: 'model', parts: [{ text: 'Hello' }] } },
      ...usage,
    };
    for (const attributes of [outer, usage]) {
      const { all } = await read(
        otlp(
          { id: 'a', attributes: agent },
          { id: 'm', under: 'a', name: 'call_llm', attributes },
          { id: 'same', under: 'm', attributes: inner },
        ),
      );
      expect(all.map(shown)).toEqual([['user: Hi', 'answer: Hello']]);
      expect(all[0]?.turns.map((turn) => modelEvents(turn)?.length)).toEqual([1]);
    }
  });

  test('older conventions have messages in events of spans', async () => {
    const { all } = await read(
      otlp({
        id: 'm',
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.usage.prompt_tokens': 3,
          'gen_ai.usage.completion_tokens': 2,
        },
        events: [
          ['gen_ai.system.message', { content: 'Be kind.' }],
          ['gen_ai.user.message', { content: 'Hi' }],
          ['gen_ai.choice', { message: { content: 'Hello' } }],
        ],
      }),
    );
    expect(all.map(shown)).toEqual([['user: Hi', 'answer: Hello']]);
    expect(all[0]?.turns[0]?.appDetails?.agentDetails?.agent?.instructions).toBe('Be kind.');
  });

  test('conventions with the content in log records join the records with their spans', async () => {
    const messages = (text: string, role: string) => ({ stringValue: JSON.stringify([said(role, text)]) });
    const logs = {
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: [
                {
                  traceId: 't',
                  spanId: 'm',
                  eventName: 'gen_ai.client.inference.operation.details',
                  attributes: [
                    { key: 'gen_ai.input.messages', value: messages('Hi', 'user') },
                    { key: 'gen_ai.output.messages', value: messages('Hello', 'assistant') },
                  ],
                },
              ],
            },
          ],
        },
      ],
    };
    const spans = otlp({ id: 'm', attributes: { 'gen_ai.operation.name': 'chat' } });
    const { all } = await read({ ...logs, ...spans });
    expect(all.map(shown)).toEqual([['user: Hi', 'answer: Hello']]);
  });

  test.each([
    ['OpenInference', 'llm.input_messages', 'llm.output_messages', 'message.', { 'openinference.span.kind': 'LLM' }],
    ['OpenLLMetry', 'gen_ai.prompt', 'gen_ai.completion', '', { 'llm.request.type': 'chat' }],
  ])('%s have flattened messages', async (_, input, output, inner, kind) => {
    const tool = inner === '' ? 'tool_calls.0' : 'message.tool_calls.0.tool_call.function';
    const { all, losses } = await read(
      otlp(
        { id: 'chain' },
        {
          id: 'm1',
          under: 'chain',
          attributes: {
            ...kind,
            [`${input}.0.${inner}role`]: 'user',
            [`${input}.0.${inner}content`]: 'Roll.',
            [`${output}.0.${inner}role`]: 'assistant',
            [`${output}.0.${tool}.name`]: 'roll',
            [`${output}.0.${tool}.arguments`]: '{"sides":6}',
          },
        },
        {
          id: 'm2',
          under: 'chain',
          attributes: { ...kind, [`${output}.0.${inner}role`]: 'assistant', [`${output}.0.${inner}content`]: 'A 4.' },
        },
      ),
    );
    expect(losses).toEqual([]);
    expect(all.map(shown)).toEqual([['user: Roll.', 'roll({"sides":6}) = undefined', 'answer: A 4.']]);
  });

  test('Jaeger have tags and references', async () => {
    const tag = (key: string, value: unknown) => ({ key, type: 'string', value });
    const { all } = await read({
      data: [
        {
          traceID: 't',
          spans: [
            {
              spanID: 'a',
              operationName: 'invoke_agent',
              startTime: 1000,
              duration: 5,
              tags: [tag('gen_ai.operation.name', 'invoke_agent')],
            },
            {
              spanID: 'm',
              operationName: 'chat',
              startTime: 1001,
              duration: 3,
              references: [{ refType: 'CHILD_OF', traceID: 't', spanID: 'a' }],
              tags: [
                tag('gen_ai.operation.name', 'chat'),
                tag('gen_ai.input.messages', JSON.stringify([said('user', 'Hi')])),
                tag('gen_ai.output.messages', JSON.stringify([said('assistant', 'Hello')])),
              ],
            },
          ],
        },
      ],
    });
    expect(all.map(shown)).toEqual([['user: Hi', 'answer: Hello']]);
  });
});

describe('a file of traces', () => {
  const turn = (id: string, input: readonly object[], answer: string, more: Partial<Given> = {}): readonly Given[] => [
    { id, trace: id, attributes: agent, ...more },
    { id: `${id}-m`, trace: id, under: id, attributes: chat(input, [said('assistant', answer)]) },
  ];

  test('may have the spans of one trace in several lines, in any order, and twice', async () => {
    const [root, model] = turn('a', [said('user', 'Hi')], 'Hello');
    const lines = [model, root, model].flatMap((span) => (span === undefined ? [] : JSON.stringify(otlp(span))));
    const folder = folderOf({ 'traces.jsonl': lines.join('\n') });
    expect((await readFile(join(folder, 'traces.jsonl'))).all.map(shown)).toEqual([['user: Hi', 'answer: Hello']]);
  });

  test('keeps conversations apart that begin alike, and takes turns that it lacks from the messages that were sent', async () => {
    const [hi, hello] = [said('user', 'Hi'), said('assistant', 'Hello')];
    const { all } = await read(
      otlp(
        ...turn('a', [hi], 'Hello'),
        ...turn('b', [hi], 'Hello'),
        ...turn('c', [hi, hello, said('user', 'One?')], '1'),
        ...turn('d', [hi, hello, said('user', 'Two?')], '2'),
        ...turn('e', [said('user', 'Yo'), said('assistant', 'Yes?'), said('user', 'Three?')], '3'),
      ),
    );
    expect(all.map((one) => shown(one).filter((line) => line.startsWith('user')))).toEqual([
      ['user: Hi', 'user: One?'],
      ['user: Hi', 'user: Two?'],
      ['user: Yo', 'user: Three?'],
    ]);
  });

  test('lists what has no place, and leaves out traces without content', async () => {
    const { all, losses } = await read(
      otlp(
        ...turn('a', [said('user', 'Hi')], 'Hello'),
        { id: 'silent', trace: 's', attributes: agent },
        { id: 'web', trace: 'w', name: 'GET /' },
        { id: 'x', trace: 'circle', under: 'y' },
        { id: 'y', trace: 'circle', under: 'x' },
        {
          id: 'tool',
          trace: 'a',
          under: 'a',
          attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'ask' },
        },
        { id: 'inner', trace: 'a', under: 'tool', attributes: chat([said('user', 'inner')], [said('assistant', 'x')]) },
      ),
    );
    expect(all).toHaveLength(1);
    expect(losses).toEqual([
      '1 × traces without an agent or a call to a model, left out',
      '1 × spans whose parents form a circle, or more than 500 deep, left out',
      '1 × calls to models that a tool made itself, left out',
      '1 × traces without a message of the user, whose content was not recorded, left out',
    ]);
  });

  test('marks a conversation whose agent failed, so that it is not judged', async () => {
    const { all } = await read(otlp(...turn('a', [said('user', 'Hi')], '', { failed: 'no key' })));
    expect(all[0]?.error).toEqual({ code: 'AGENT_FAILED', message: 'no key' });
  });

  test('with a record of another kind is a mistake with its line', async () => {
    const folder = folderOf({ 'traces.jsonl': `${JSON.stringify(otlp(...turn('a', [], '')))}\n{"other":1}\n` });
    const error: unknown = await readFile(join(folder, 'traces.jsonl')).catch((reason: unknown) => reason);
    expect(CriteriaError.is(error) && error.problems[0]?.path).toBe('line 2');
  });

  it('never fails, and never changes a prototype, whatever its spans hold', async () => {
    const hostile = JSON.parse(readFileSync(fixture('trace-of-ai-sdk-7.json'), 'utf8')) as object;
    const key = fc.constantFrom(
      '__proto__',
      'gen_ai.input.messages',
      'llm.input_messages.0.message.__proto__.x',
      'gen_ai.prompt.9e9.role',
      'gen_ai.operation.name',
      'name',
      'parts',
      'type',
    );
    const value = fc.oneof(
      fc.constantFrom('chat', 'invoke_agent', 'execute_tool', 'text', '[{}]', '[{"role":"user","parts":[{}]}]'),
      fc.jsonValue(),
    );
    const attributes = fc.array(fc.record({ key, value: fc.oneof(fc.record({ stringValue: value }), value) }), {
      maxLength: 6,
    });
    const id = fc.constantFrom('1', '2', '3');
    const span = fc.record({
      traceId: id,
      spanId: id,
      parentSpanId: id,
      name: fc.constantFrom('call_llm', 'x'),
      attributes,
      events: value,
      status: value,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(span, { maxLength: 5 }), async (spans) => {
        const given = { resourceSpans: [{ scopeSpans: [{ spans }] }, hostile] };
        if (!isTraces(given)) throw new Error('these are traces');
        readSpans(given, 'x');
        await read(given).catch((error: unknown) => {
          if (!CriteriaError.is(error)) throw error;
        });
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { numRuns: runs(200) },
    );
  });
});
