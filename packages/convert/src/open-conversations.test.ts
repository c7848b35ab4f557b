import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { CriteriaError, contentText, intermediateTexts, toolSteps } from '@agent-criteria/core';
import { describe, expect, test } from 'vitest';
import { folderOf } from '../../../test/folder.ts';
import type { Conversation } from './conversation.ts';
import { openConversations } from './open-conversations.ts';
import type { OpenConversationsOptions } from './open-options.ts';

const fixture = (name: string) => fileURLToPath(new URL(`__fixtures__/${name}`, import.meta.url));

async function read(file: string, more: Partial<OpenConversationsOptions> = {}) {
  const opened = openConversations({ files: [file], ...more });
  const all: Conversation[] = [];
  for await (const one of opened.conversations) all.push(one);
  const losses = opened.losses().map(({ what, count }) => `${count} × ${what}`);
  return { all, losses, file: opened.files[0], shown: all.map(shown) };
}

/** A conversation as texts, for people to read in a failed test. */
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

/** Reads a file with this content. */
async function readText(name: string, content: string | Uint8Array, more: Partial<OpenConversationsOptions> = {}) {
  return read(join(folderOf({ [name]: content }), name), more);
}

async function problemsOf(name: string, content: string | Uint8Array, more: Partial<OpenConversationsOptions> = {}) {
  const error: unknown = await readText(name, content, more).catch((reason: unknown) => reason);
  if (!CriteriaError.is(error)) throw error;
  return error.problems.map(({ code, path, message }) => `${code} ${path ?? ''}: ${message}`);
}

describe('message lists', () => {
  test('of OpenAI chat completions are read with calls, results, refusals, tools and instructions', async () => {
    const { shown: all, losses, file, all: conversations } = await read(fixture('openai-chat.jsonl'));
    expect(file).toMatchObject({
      format: 'messages',
      text: 'jsonl',
      columns: { messages: '$.messages', label: '$.label' },
    });
    expect(all).toEqual([
      [
        'user: How warm is the kitchen?',
        'get_temperature({"room":"kitchen"}) = {"celsius":21}',
        'answer: The kitchen is at 21 °C.',
        'user: Thanks!',
        'answer: You are welcome.',
      ],
      [
        'user: What is this?',
        'text: Let me look.',
        'look({"input":"not json"}) = {"result":"nothing found"}',
        'answer: ',
      ],
      ['user: Turn it on', 'answer: Which lamp?'],
    ]);
    expect(losses).toEqual(['1 × arguments of tool calls that are not a JSON object, kept as the text "input"']);
    const [first, second, third] = conversations;
    expect(first?.turns[1]?.appDetails).toEqual({
      agentDetails: {
        agent: {
          name: 'agent',
          instructions: 'You control a home.',
          toolDeclarations: [{ functionDeclarations: [expect.objectContaining({ name: 'get_temperature' })] }],
        },
      },
    });
    expect(first?.label).toEqual({ label: 'pass', reason: 'right' });
    expect(second?.turns[0]?.userContent.parts?.[1]).toEqual({ fileData: { fileUri: 'https://example.com/lamp.png' } });
    expect(JSON.stringify(third?.turns)).toContain('"promptTokenCount":9');
  });

  test('of the AI SDK are read, as model messages and as UI messages', async () => {
    const { shown: all, losses, all: conversations } = await read(fixture('ai-sdk.json'));
    expect(all).toEqual([
      [
        'user: How warm is it?',
        'text: I look.',
        'get_temperature({"room":"kitchen"}) = {"celsius":21}',
        'get_temperature({"room":"attic"}) = {"error":"no such room"}',
        'answer: The kitchen is at 21 °C.',
      ],
      ['user: Is the lamp on?', 'get_lamp({"id":1}) = {"result":"on"}', 'answer: Yes, it is on.'],
    ]);
    expect(JSON.stringify(conversations[0]?.turns)).toContain('{"text":"I need the thermometer.","thought":true}');
    expect(losses).toEqual(['1 × parts of messages of the type "data-weather", left out']);
  });

  test('of the Responses API are read, also where each line is a list', async () => {
    const { shown: all, losses } = await read(fixture('responses.jsonl'));
    expect(all).toEqual([
      ['user: How warm is it?', 'get_temperature({"room":"kitchen"}) = {"result":"21"}', 'answer: 21 degrees.'],
      ['user: And outside?', 'answer: I do not know.'],
    ]);
    expect(losses).toEqual([]);
  });

  test('keep messages of the user in a row as one turn, and list what precedes the first', async () => {
    const messages = [
      { role: 'assistant', content: 'How can I help?' },
      { role: 'user', content: 'Hello' },
      { role: 'user', content: 'Are you there?' },
      { role: 'assistant', content: 'Yes' },
      { role: 'assistant', content: 'I am' },
      { role: 'user', content: 'Bye' },
    ];
    const { shown: all, losses, all: conversations } = await readText('a.json', JSON.stringify({ messages }));
    expect(all).toEqual([['user: Hello\nAre you there?', 'text: Yes', 'answer: I am', 'user: Bye', 'answer: ']]);
    expect(losses).toEqual(['1 × messages of the assistant before the first message of the user, left out']);
    expect(conversations[0]?.turns[0]?.userContent.parts).toHaveLength(2);
  });

  test('of Anthropic are read, whose results of tools are messages of the user', async () => {
    const messages = [
      { role: 'user', content: 'How warm is it?' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 't1', name: 'look', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: '21' }] }] },
      { role: 'assistant', content: [{ type: 'text', text: '21 degrees' }] },
    ];
    const { shown: all } = await readText('a.json', JSON.stringify({ messages }));
    expect(all).toEqual([
      ['user: How warm is it?', 'text: I look.', 'look({}) = {"result":"21"}', 'answer: 21 degrees'],
    ]);
  });
});

describe('ADK', () => {
  test('sessions are read with steps, token counts, state and times', async () => {
    const { all, shown: texts, file } = await read(fixture('adk-web-session.json'));
    expect(file).toMatchObject({ format: 'adk', text: 'json', columns: {} });
    expect(texts).toEqual([
      ['user: How warm is it?', 'get_temperature({"room":"kitchen"}) = {"celsius":21}', 'answer: It is 21 °C.'],
    ]);
    expect(all[0]).toMatchObject({
      id: 'session-1',
      sessionInput: { appName: 'home', state: { unit: 'C' } },
      finalState: { unit: 'C', room: 'kitchen' },
      startedAt: 1764338399100,
      endedAt: 1764338400500,
    });
    expect(JSON.stringify(all)).toContain('"totalTokenCount":36');
  });

  test('events are read as sessions, and an error ends a conversation', async () => {
    const { all, shown: texts } = await read(fixture('adk-events.jsonl'));
    expect(texts).toEqual([
      ['user: Hello', 'answer: Hi!'],
      ['user: Lamp on', 'answer: '],
    ]);
    expect(all.map(({ id, error }) => [id, error?.message])).toEqual([
      ['s1', undefined],
      ['s2', 'MALFORMED_FUNCTION_CALL: bad call'],
    ]);
  });

  test('events of a session that lie apart are a mistake, not two sessions', async () => {
    const event = (session: string) => ({
      session_id: session,
      invocation_id: 'i',
      author: 'user',
      content: { role: 'user', parts: [{ text: 'x' }] },
    });
    const lines = ['a', 'b', 'a'].map((session) => JSON.stringify(event(session))).join('\n');
    expect(await problemsOf('e.jsonl', lines)).toEqual([
      'INVALID_DATA line 3: this event belongs to the session "a", whose events ended before: sort the file by session',
    ]);
  });
});

describe('rows', () => {
  test('of CSV are read by guessed columns, with labels and reasons', async () => {
    const { all, shown: texts, file } = await read(fixture('rows.csv'));
    expect(file).toMatchObject({
      format: 'rows',
      text: 'csv',
      columns: {
        id: '$.id',
        user: '$.question',
        answer: '$.answer',
        reference: '$.reference',
        label: '$.label',
        reason: '$.comment',
      },
    });
    expect(texts).toEqual([
      ['user: How warm is it?', 'answer: 21 °C'],
      ['user: Who said "hi"?', 'answer: Me, of course.'],
    ]);
    expect(all.map(({ label, where }) => [label, where.split(', ').at(-1)])).toEqual([
      [{ label: 'pass', reason: null }, 'line 2'],
      [{ label: 'fail', reason: 'wrong,\nquite' }, 'line 3'],
    ]);
    expect(all[1]?.expected.get(0)).toEqual({ answer: 'You' });
  });

  test('of YAML are read, with columns within objects', async () => {
    const { all, shown: texts, file } = await read(fixture('rows.yaml'));
    expect(file).toMatchObject({
      text: 'yaml',
      columns: { user: '$.input', answer: '$.output.text', reference: '$.expected' },
    });
    expect(texts).toEqual([
      ['user: How warm is it?', 'answer: 21 °C'],
      ['user: Who said hi?', 'answer: Me'],
    ]);
    expect(all.map(({ label }) => label?.label)).toEqual(['pass', 'fail']);
  });

  test('that are each a turn become one conversation, by the columns of session and turn', async () => {
    const { all, shown: texts } = await read(fixture('turns.csv'));
    expect(texts).toEqual([
      [
        'user: How warm is it?',
        'get_temperature({"room":"kitchen"}) = {"celsius":21}',
        'answer: 21 °C',
        'user: Thanks',
        'answer: You are welcome',
      ],
      ['user: Lamp on', 'answer: Which lamp?'],
    ]);
    expect(all.map(({ id, label }) => [id, label?.label])).toEqual([
      ['a', 'pass'],
      ['b', 'fail'],
    ]);
  });

  test('take columns by path, and guess the others', async () => {
    const { all, file } = await read(fixture('nested.jsonl'), { columns: ['label=$.metadata.ok'] });
    expect(file?.columns).toEqual({ user: '$.inputs.question', answer: '$.outputs.answer', label: '$.metadata.ok' });
    expect(file?.guessed).toEqual(['user', 'answer']);
    expect(all.map(({ label }) => label?.label)).toEqual(['pass', 'fail']);
  });

  test('with several answers become a conversation for each, in the group of the row', async () => {
    const row = { id: 'q', question: 'How?', answers: { a: { text: 'So', ok: true }, b: { text: 'No', ok: false } } };
    const { all } = await readText('a.jsonl', JSON.stringify(row), {
      columns: ['answer=$.answers[*].text', 'label=$.answers[*].ok'],
    });
    expect(all.map(({ id, group, tags, label }) => [id, group, tags, label?.label])).toEqual([
      ['q/a', 'q', ['a'], 'pass'],
      ['q/b', 'q', ['b'], 'fail'],
    ]);
  });

  test('leave out a last message of the user that ends the conversation, where its text is named', async () => {
    const turns = [
      { user: 'Hi', answer: 'Hello' },
      { user: 'Done. ###STOP###', calls: [] },
    ];
    const { shown: texts, losses } = await readText('a.json', JSON.stringify([{ turns }]), { stop: '###STOP###' });
    expect(texts).toEqual([['user: Hi', 'answer: Hello']]);
    expect(losses).toEqual(['1 × last messages of the user that end the conversation (###STOP###), left out']);
  });

  test('take only the records with the values of conditions', async () => {
    const { all } = await read(fixture('rows.csv'), { where: ['topic=people'] });
    expect(all.map(({ id }) => id)).toEqual(['q2']);
  });

  test('with a label that is neither pass nor fail are a mistake where the column was named, and a loss elsewhere', async () => {
    const rows = 'question,answer,label\na,b,pass\nc,d,meh\n';
    expect(await problemsOf('a.csv', rows, { columns: ['label=label'] })).toEqual([
      'INVALID_DATA line 3, $.label: "meh" is neither a pass nor a failure: say with --pass VALUE which values pass',
    ]);
    const { losses, all } = await readText('a.csv', rows);
    expect(losses).toHaveLength(1);
    expect(all.map(({ label }) => label?.label)).toEqual(['pass', undefined]);
    const named = await readText('a.csv', rows, { passes: ['MEH'] });
    expect(named.all.map(({ label }) => label?.label)).toEqual(['fail', 'pass']);
  });

  test('that all lack a named column are a mistake, because its values would be missing without a word', async () => {
    const rows = 'question,answer,label\nhi,hello,pass\n';
    expect(await problemsOf('a.csv', rows, { columns: ['label=verdict', 'reason='] })).toEqual([
      expect.stringMatching(/no record has the column label at \$\.verdict: correct the path/),
    ]);
    // One record that has it is enough.
    const lines = '{"question":"hi","answer":"a"}\n{"question":"ho","answer":"b","ok":true}\n';
    expect((await readText('a.jsonl', lines, { columns: ['label=$.ok'] })).all).toHaveLength(2);
    const adk = read(fixture('adk-web-session.json'), { columns: ['label=$.ok'] });
    await expect(adk).rejects.toThrow('no record has the column label');
  });

  test('without messages of the user say how to name the column', async () => {
    expect(await problemsOf('a.jsonl', '{"x":1}')).toEqual([
      expect.stringContaining('name it with --column user=PATH'),
    ]);
  });
});

describe('datasets of agents-cli', () => {
  const text = (role: string, said: string) => ({ role, parts: [{ text: said }] });

  test('are read with recorded turns, responses, references, instructions and tools, and list what else they have', async () => {
    const call = { functionCall: { id: 'c', name: 'roll', args: { sides: 6 } } };
    const response = { functionResponse: { id: 'c', name: 'roll', response: { value: 4 } } };
    const dataset = {
      eval_cases: [
        {
          eval_case_id: 'prompted',
          prompt: text('user', 'Capital of France?'),
          responses: [{ response: text('model', 'Paris') }, { response: text('model', 'Lyon') }],
          reference: { response: text('model', 'It is Paris.') },
          rubric_groups: {},
        },
        {
          eval_case_id: 'recorded',
          agent_data: {
            agents: {
              dice: { agent_id: 'dice', instruction: 'Roll.', tools: [{ function_declarations: [{ name: 'roll' }] }] },
            },
            turns: [
              {
                turn_index: 0,
                events: [
                  { author: 'user', content: text('user', 'Roll') },
                  { author: 'dice', content: { role: 'model', parts: [call] } },
                  { author: 'dice', content: { role: 'user', parts: [response] } },
                  { author: 'dice', content: text('model', '4') },
                ],
              },
              {
                turn_index: 1,
                events: [
                  { author: 'user', content: text('user', 'Thanks') },
                  { author: 'dice', content: text('model', 'Bye') },
                ],
              },
            ],
          },
        },
      ],
    };
    const { shown: all, all: conversations, losses, file } = await readText('dataset.json', JSON.stringify(dataset));
    expect(file?.format).toBe('agents-cli');
    expect(all).toEqual([
      ['user: Capital of France?', 'answer: Paris'],
      ['user: Roll', 'roll({"sides":6}) = {"value":4}', 'answer: 4', 'user: Thanks', 'answer: Bye'],
    ]);
    expect(conversations[0]?.expected.get(0)).toEqual({ answer: 'It is Paris.' });
    expect(conversations.map(({ id }) => id)).toEqual(['prompted', 'recorded']);
    expect(conversations[1]?.turns[0]?.appDetails?.agentDetails?.dice).toMatchObject({
      name: 'dice',
      instructions: 'Roll.',
    });
    expect(losses).toEqual([
      '1 × the key "rubric_groups" of cases of agents-cli, left out',
      '1 × further responses beside the first, left out',
    ]);
  });

  test('without a message of the user are a mistake with its line', async () => {
    const dataset = { eval_cases: [{ eval_case_id: 'a', agent_data: { turns: [] } }] };
    expect(await problemsOf('dataset.json', JSON.stringify(dataset))).toEqual([
      expect.stringMatching(/^EMPTY line 1.*no user message/),
    ]);
  });
});

describe('files', () => {
  const line = (text: string) =>
    JSON.stringify({
      messages: [
        { role: 'user', content: text },
        { role: 'assistant', content: 'ok' },
      ],
    });

  test('with a broken line are refused with its number, after all others were read', async () => {
    const lines = [...'abcdef'].map(line);
    const text = [...lines, '{"messages": [', line('h'), '{"a" 1}'].join('\n');
    expect(await problemsOf('a.jsonl', text)).toEqual([
      expect.stringMatching(/^NOT_JSON line 7: /),
      expect.stringMatching(/^NOT_JSON line 9: .*column 6: a colon is missing/),
    ]);
    const { all, losses } = await readText('a.jsonl', text, { skipInvalid: true });
    expect(all).toHaveLength(7);
    expect(losses).toHaveLength(2);
  });

  test.each<[string, string | Uint8Array]>([
    ['a byte order mark and CRLF', `\ufeff${line('a')}\r\n\r\n${line('b')}\r\n`],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${line('a')}\n${line('b')}`, 'utf16le')],
    ['UTF-16 without one', Buffer.from(`${line('a')}\n${line('b')}`, 'utf16le')],
    ['big-endian UTF-16', Buffer.from(`\ufeff${line('a')}\n${line('b')}`, 'utf16le').swap16()],
    ['gzip', gzipSync(`${line('a')}\n${line('b')}`)],
    ['a list over several lines', `[\n${line('a')},\n${line('b')}\n]\n`],
    ['a list on one line', `[${line('a')},${line('b')}]`],
    ['an object with a list', `{"conversations":[${line('a')},${line('b')}]}`],
  ])('with %s are read whatever their name', async (_what, content) => {
    const { shown: texts } = await readText('log', content);
    expect(texts).toEqual([
      ['user: a', 'answer: ok'],
      ['user: b', 'answer: ok'],
    ]);
  });

  test.each<[string, string, string]>([
    ['a list that is cut off', `[${line('a')},`, 'line 1: this is not JSON: the list has no end'],
    [
      'an item that is cut off',
      `[\n${line('a')},\n{"messages":[`,
      'line 3: this is not JSON: the file ends within the item',
    ],
    ['a missing comma', `[${line('a')}\n${line('b')}]`, 'line 1: '],
    ['text after the list', `[${line('a')}]\nx`, 'the file continues after the list ends'],
    ['an open quote', 'question,answer\na,b\n"c,d\n', 'line 3: a quotation mark opens in this row and never closes'],
    ['too many cells', 'question,answer\na,b,c\n', 'line 2: this row has 3 cells'],
    ['a column twice', 'question,question\na,b\n', 'two columns have the name "question"'],
    ['broken YAML', '- a: [1\n- b', 'this is not YAML'],
    ['a text', 'hello', 'this is neither JSON, JSON Lines, YAML nor CSV'],
    ['nothing', ' \n', 'this file is empty'],
  ])('with %s are refused with the place', async (_what, content, message) => {
    expect((await problemsOf('log', content)).join('\n')).toContain(message);
  });

  test('that do not exist, or are a folder, or are no text are refused', async () => {
    await expect(read(join(folderOf({}), 'none.csv'))).rejects.toThrow('there is no such file');
    await expect(read(folderOf({}))).rejects.toThrow('this is a folder');
    const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0xff, 0x0a]);
    expect((await problemsOf('a.jsonl', bytes)).join()).toContain('neither UTF-8 nor UTF-16');
  });

  test('with keys such as __proto__ change no prototype', async () => {
    const hostile = '{"__proto__":{"answer":"x"},"question":"a","answer":"b","constructor":{"prototype":{"y":1}}}';
    const { shown: texts } = await readText('a.jsonl', hostile);
    expect(texts).toEqual([['user: a', 'answer: b']]);
    const { shown: ofCsv } = await readText('a.csv', '__proto__,question,answer\nx,a,b\n');
    expect(ofCsv).toEqual([['user: a', 'answer: b']]);
    const { shown: ofYaml } = await readText('a.yaml', '- __proto__: {answer: x}\n  question: a\n  answer: b\n');
    expect(ofYaml).toEqual([['user: a', 'answer: b']]);
    expect(({} as Record<string, unknown>).answer).toBeUndefined();
    const args = '{"__proto__":{"polluted":1}}';
    const messages = `[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":${JSON.stringify(args)}}}]}]`;
    const { all } = await readText('a.json', `{"messages":${messages}}`);
    expect(JSON.stringify(all[0]?.turns)).toContain('polluted');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('with aliases that multiply end in a problem', async () => {
    const lines = Array.from(
      { length: 12 },
      (_, index) => `a${index}: &a${index} [${`*a${index - 1},`.repeat(index === 0 ? 0 : 9)}x]`,
    );
    expect((await problemsOf('a.yaml', `- ${lines.join('\n  ')}\n`)).join()).toMatch(/line 1: this cannot be read/);
  });

  test('in several formats are read one after the other, and listed as they were read', async () => {
    const opened = openConversations({ files: [fixture('rows.csv'), fixture('openai-chat.jsonl')] });
    let count = 0;
    for await (const _ of opened.conversations) count += 1;
    expect(count).toBe(5);
    expect(opened.files.map(({ format }) => format)).toEqual(['rows', 'messages']);
  });
});

test('openConversations refuses columns and paths that do not exist, with every mistake', () => {
  const columns = ['anser=$.x', 'user', 'answer=$..x'];
  expect(() => openConversations({ files: ['a'], columns })).toThrow(/did you mean "answer".*needs a path.*is wrong/s);
});
