import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { contentText, toolCalls } from '../data/accessors.ts';
import type { EvalCase } from '../data/model.ts';
import { parseEvalSet, writeEvalSet } from '../data/parse.ts';
import { CriteriaError, type Problem } from '../errors.ts';
import { formatPath } from '../schema/path.ts';
import { readAgentsCliDataset } from './agents-cli-dataset.ts';
import { migrateEvalData } from './migrate.ts';

const said = (role: string, text: string) => ({ role, parts: [{ text }] });
const user = (text: string) => ({ author: 'user', content: said('user', text) });
const agent = (text: string, author = 'agent') => ({ author, content: said('model', text) });
const recorded = (...events: unknown[]) => ({ agent_data: { turns: [{ turn_index: 0, events }] } });

function migrate(row: object, more: object = {}) {
  const { value, warnings } = migrateEvalData({ eval_cases: [row], ...more }, { id: 's' });
  // The written file is a complete eval set.
  expect(parseEvalSet(writeEvalSet(value)).value).toEqual(value);
  const [evalCase] = value.evalCases;
  if (evalCase === undefined) throw new Error('there is no case');
  return { value, evalCase, warnings: warnings.map(({ path, message }) => `${path}: ${message}`) };
}

const texts = ({ conversation }: EvalCase) => conversation?.map(({ userContent }) => contentText(userContent));

describe('the initial state in a dataset', () => {
  const seeded = recorded({ author: 'user', state_delta: { tier: 'gold' } }, user('my tier?'));

  it('becomes the state of the session input', () => {
    const { evalCase, warnings } = migrate({ eval_case_id: 'a', ...seeded });
    expect(evalCase.sessionInput).toEqual({ appName: '', userId: '', state: { tier: 'gold' } });
    expect(texts(evalCase)).toEqual(['my tier?']);
    expect(warnings).toEqual([]);
  });

  it('includes the changes of all events before the last message, in order', () => {
    const { evalCase, warnings } = migrate(
      recorded(
        { author: 'user', state_delta: { a: 1, b: 1 } },
        user('one'),
        { author: 'agent', actions: { state_delta: { b: 2 } }, content: said('model', 'One.') },
        user('two'),
      ),
    );
    expect(evalCase.sessionInput?.state).toEqual({ a: 1, b: 2 });
    expect(warnings).toEqual([
      expect.stringMatching(/events\[2\]\.actions\.state_delta\.b: it replaces another value of "b"/),
    ]);
  });

  it('excludes changes after the recorded answer, with a warning', () => {
    const { evalCase, warnings } = migrate(recorded(user('one'), { ...agent('One.'), state_delta: { done: true } }));
    expect(evalCase.sessionInput).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining('events[1].state_delta: the state that the recorded answer')]);
  });

  it("includes the system instruction under the key of Google's converter", () => {
    const { evalCase } = migrate({ prompt: 'Hi', system_instruction: 'Be brief.' });
    expect(evalCase.sessionInput?.state).toEqual({ system_instruction: 'Be brief.' });
  });

  it('is rejected if it has a __proto__ key', () => {
    const row = JSON.parse(
      '{"prompt":"Hi","session_input":{"app_name":"a","user_id":"u","state":{"__proto__":{"x":1}}}}',
    );
    expect(() => migrate(row)).toThrow(CriteriaError);
    const delta = JSON.parse('{"author":"user","state_delta":{"__proto__":{"x":1}}}');
    expect(() => migrate(recorded(delta, user('x')))).toThrow(CriteriaError);
  });
});

describe('warnings about data that is left out', () => {
  it('name the data, at any level of a dataset', () => {
    const { value, warnings } = migrate(
      {
        prompt: said('user', 'Hi'),
        ...recorded(user('other')),
        responses: [{ response: said('model', 'Hello') }],
      },
      { description: 'What it is for', gcs_source: 'gs://x' },
    );
    expect(value.description).toBe('What it is for');
    expect(warnings).toEqual([
      expect.stringMatching(/^\$\.eval_cases\[0\]\.agent_data\.turns: the case also has a prompt.*agents-cli refuses/),
      '$.eval_cases[0].responses: "responses" has no place in an eval set, and is left out',
      '$.gcs_source: "gcs_source" has no place in an eval set, and is left out',
    ]);
  });

  it('are combined for all cases with the same key', () => {
    const rows = Array.from({ length: 70 }, (_, index) => ({ prompt: `${index}`, note: index, other: index }));
    const { warnings } = migrateEvalData({ eval_cases: rows });
    expect(warnings.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      '$.eval_cases[0].note: "note" has no place in an eval set, and is left out (here and in 69 more places like it)',
      '$.eval_cases[0].other: "other" has no place in an eval set, and is left out (here and in 69 more places like it)',
    ]);
  });

  it('name an event without content, and one before the first message', () => {
    const { warnings } = migrate(recorded(agent('Welcome!'), { author: 'agent', id: 'e' }, user('Hi')));
    expect(warnings.join('\n')).toMatch(/events\[0\]\.content: no message of the user comes before it/);
    expect(warnings.join('\n')).toMatch(/events\[1\]\.id|events\[1\]:/);
  });

  it('name the authors of answers if several agents respond', () => {
    const one = migrate(recorded(user('Hi'), agent('Hello', 'root'), user('And?')));
    expect(one.warnings).toEqual([]);
    const several = migrate(
      recorded(user('Hi'), agent('Hello', 'root'), user('So?'), agent('Yes', 'sub'), user('And?')),
    );
    expect(several.warnings).toEqual([
      expect.stringContaining('an eval set does not say who gave an answer: "root"'),
      expect.stringContaining('"sub"'),
    ]);
  });
});

describe('a case that ends with a user message', () => {
  const call = { name: 'f', args: { a: 1 } };
  const row = recorded(
    user('Who is best?'),
    { author: 'root', content: { role: 'model', parts: [{ text: 'Let me see.' }, { function_call: call }] } },
    { author: 'tool', content: { role: 'user', parts: [{ function_response: { name: 'f', response: {} } }] } },
    agent('Shiv.', 'root'),
    user('for everyone'),
  );

  it('has the earlier turns as history, and states no expected calls', () => {
    const { evalCase, warnings } = migrate(row);
    expect(evalCase.agentCriteria).toEqual({ history: 1, calls_not_stated: [1] });
    expect(texts(evalCase)).toEqual(['Who is best?', 'for everyone']);
    const [first, last] = evalCase.conversation ?? [];
    expect(first && toolCalls(first)).toEqual([call]);
    expect(first).toMatchObject({
      intermediateData: { invocationEvents: [{ author: 'root' }, { author: 'tool' }] },
      finalResponse: said('model', 'Shiv.'),
    });
    expect(last).not.toHaveProperty('intermediateData');
    expect(warnings).toEqual([]);
  });

  it('keeps an earlier message without an answer as a separate turn', () => {
    const { evalCase } = migrate(recorded(user('[SUMMARY] …'), user('What now?')));
    expect(texts(evalCase)).toEqual(['[SUMMARY] …', 'What now?']);
    expect(evalCase.agentCriteria).toEqual({ history: 1, calls_not_stated: [1] });
  });

  it('expects the recorded answer and calls if there is an answer', () => {
    const { evalCase } = migrate(recorded(user('One'), agent('1'), user('Two'), agent('2')));
    expect(evalCase.agentCriteria).toEqual({ history: 1 });
    expect(evalCase.conversation?.[1]).toMatchObject({
      finalResponse: said('model', '2'),
      intermediateData: { invocationEvents: [] },
    });
  });

  it('states no expected calls if it is only a prompt', () => {
    expect(migrate({ prompt: 'Hi' }).evalCase.agentCriteria).toEqual({ calls_not_stated: [0] });
  });
});

describe("migration of data that Google's converter keeps", () => {
  it('keeps rubrics that are strings, or objects in either spelling', () => {
    const { evalCase, warnings } = migrate({
      prompt: 'Hi',
      rubrics: [
        'It is short.',
        { rubricId: 'own', rubricContent: { textProperty: 'It is kind.' }, type: 'TOOL_USE_QUALITY' },
        { rubric_id: 'described', description: 'It is true.' },
        { rubric_id: 'strange', rubric_content: { text_property: 'It is new.' }, type: 'LANGUAGE' },
      ],
    });
    expect(evalCase.rubrics).toEqual([
      { rubricId: 'rubric_0', rubricContent: { textProperty: 'It is short.' }, type: 'FINAL_RESPONSE_QUALITY' },
      { rubricId: 'own', rubricContent: { textProperty: 'It is kind.' }, type: 'TOOL_USE_QUALITY' },
      { rubricId: 'described', rubricContent: { textProperty: 'It is true.' }, type: 'FINAL_RESPONSE_QUALITY' },
      { rubricId: 'strange', rubricContent: { textProperty: 'It is new.' }, type: 'FINAL_RESPONSE_QUALITY' },
    ]);
    expect(warnings).toEqual([
      expect.stringMatching(/rubrics\[3\]\.type: no criterion judges rubrics of the type "LANGUAGE"/),
    ]);
  });

  it('keeps groups of rubrics without a warning about a group_id that equals their key', () => {
    const rubric = { rubric_id: 'r', content: { property: { description: 'It is short.' } }, importance: 'HIGH' };
    const { evalCase, warnings } = migrate({
      prompt: 'Hi',
      rubric_groups: { g: { group_id: 'g', rubrics: [rubric] } },
    });
    expect(evalCase.rubrics).toMatchObject([{ rubricId: 'r' }]);
    expect(warnings).toEqual([expect.stringContaining('importance')]);
  });

  it('keeps a conversation_history before the prompt, with strings as contents', () => {
    const { evalCase, warnings } = migrate({
      conversation_history: [
        { role: 'user', content: 'Hi' },
        { author: 'agent', content: said('model', 'Hello') },
        { role: 'user', parts: [{ text: 'How warm is it?' }] },
        { role: 'model', content: '21 degrees' },
      ],
      prompt: 'And tomorrow?',
    });
    expect(texts(evalCase)).toEqual(['Hi', 'How warm is it?', 'And tomorrow?']);
    expect(evalCase.conversation?.map(({ finalResponse }) => contentText(finalResponse))).toEqual([
      'Hello',
      '21 degrees',
      '',
    ]);
    expect(evalCase.agentCriteria).toEqual({ history: 2, calls_not_stated: [2] });
    expect(warnings).toEqual([]);
  });

  it('keeps intermediate_events, which state the expected calls', () => {
    const call = { function_call: { name: 'f', args: {} } };
    const { evalCase, warnings } = migrate({
      prompt: 'Hi',
      intermediate_events: [
        { content: { role: 'model', parts: [call] } },
        { author: 'sub', content: said('model', 'Hm') },
      ],
    });
    expect(evalCase.conversation?.[0]?.intermediateData).toMatchObject({
      invocationEvents: [{ author: 'agent' }, { author: 'sub' }],
    });
    expect(evalCase.agentCriteria).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it.each([
    { reference: 'Hello' },
    { reference: { response: 'Hello' } },
    { reference: { response: said('model', 'Hello') } },
    { reference: said('model', 'Hello') },
    { reference_final_response: 'Hello' },
    { expectedResponse: 'Hello' },
  ])('keeps an answer in the format %j', (row) => {
    const { evalCase, warnings } = migrate({ prompt: 'Hi', ...row });
    expect(evalCase.conversation).toMatchObject([
      { userContent: said('user', 'Hi'), finalResponse: said('model', 'Hello') },
    ]);
    expect(warnings).toEqual([]);
  });

  it('keeps ids under either key, and numbers cases without one', () => {
    const { value } = migrateEvalData({
      eval_cases: [
        { prompt: 'a' },
        { eval_id: 'own', prompt: 'b' },
        { eval_case_id: 'case_3', prompt: 'c' },
        { prompt: 'd' },
      ],
    });
    expect(value.evalCases.map(({ evalId }) => evalId)).toEqual(['case_0', 'own', 'case_3', 'case_3_']);
  });
});

describe('expected calls in a dataset', () => {
  it.each(['expected_tool_use', 'expected_tool_uses', 'expected_tools', 'expectedToolCalls', 'reference_trajectory'])(
    'become the calls of the turn: %s',
    (key) => {
      const { evalCase, warnings } = migrate({
        prompt: 'Hi',
        [key]: [
          { name: 'f', args: { a: 1 } },
          { tool_name: 'g', tool_input: { b: 2 } },
        ],
      });
      expect(evalCase.conversation?.map(toolCalls)).toEqual([
        [
          { name: 'f', args: { a: 1 } },
          { name: 'g', args: { b: 2 } },
        ],
      ]);
      expect(evalCase.agentCriteria).toBeUndefined();
      expect(warnings).toEqual([]);
    },
  );

  it('may be just names, which match any arguments', () => {
    const { evalCase } = migrate({
      prompt: 'Hi',
      expected_tool_use: [{ tool_name: 'f' }, 'g', { name: 'h', args: {} }],
    });
    expect(evalCase.conversation?.map(toolCalls)).toEqual([[{ name: 'f' }, { name: 'g' }, { name: 'h', args: {} }]]);
    expect(evalCase.agentCriteria).toEqual({
      tool_trajectory_avg_score: { matchers: { f: { $: { ignore: true } }, g: { $: { ignore: true } } } },
    });
  });

  it('are an empty list if the dataset has an empty list', () => {
    const { evalCase } = migrate({ prompt: 'Hi', expected_tool_uses: [] });
    expect(evalCase.agentCriteria).toBeUndefined();
    expect(evalCase.conversation?.[0]?.intermediateData).toEqual({ toolUses: [] });
  });

  it('replace the recorded calls, with a warning', () => {
    const { evalCase, warnings } = migrate({
      ...recorded(
        user('Hi'),
        { author: 'a', content: { role: 'model', parts: [{ function_call: { name: 'old' } }] } },
        agent('Old', 'a'),
      ),
      expected_tools: [{ name: 'new', args: {} }],
      reference: 'New',
    });
    expect(JSON.stringify(evalCase)).not.toMatch(/old/i);
    expect(warnings).toEqual([
      expect.stringContaining('the recorded steps are left out'),
      expect.stringContaining('the recorded one is left out'),
    ]);
  });

  it('cause a warning if they have no name, or invalid arguments', () => {
    const { warnings } = migrate({ prompt: 'Hi', expected_tools: [{ args: {} }, { name: 'f', args: 'x' }, 7] });
    expect(warnings).toEqual([
      expect.stringContaining('expected_tools[0]: an expected call needs the name'),
      expect.stringContaining('expected_tools[2]'),
      expect.stringContaining('expected_tools[1].args: the arguments'),
    ]);
  });
});

// ---- generated datasets: every value is kept or mentioned in a warning

const word = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 6 }).map((text) => `w${text}`);
const anything = fc.oneof(word, fc.double({ noNaN: true }), fc.record({ x: word }), fc.array(word, { maxLength: 2 }));
const content = fc.oneof(
  word,
  fc.record({
    role: fc.constantFrom('user', 'model'),
    parts: fc.array(fc.record({ text: word }), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({ parts: fc.constant([{ functionCall: { name: 'fn', args: { k: 'wcall' } } }]) }),
);
const event = fc.record(
  {
    author: fc.constantFrom('user', 'user', 'agent', 'sub', 'tool'),
    content,
    state_delta: fc.dictionary(word, anything, { maxKeys: 2 }),
    more: anything,
  },
  { requiredKeys: [] },
);
const calls = fc.array(
  fc.oneof(
    word,
    fc.record({ name: word, args: fc.dictionary(word, anything, { maxKeys: 1 }), note: word }, { requiredKeys: [] }),
  ),
  { maxLength: 3 },
);
const rubric = fc.oneof(
  word,
  fc.record(
    { rubric_id: word, description: word, type: word, rubric_content: fc.record({ text_property: word }) },
    { requiredKeys: ['rubric_content'] },
  ),
);
const fields = fc.record(
  {
    eval_case_id: word,
    prompt: content,
    agent_data: fc.record(
      {
        agents: anything,
        turns: fc.array(
          fc.record(
            { turn_index: fc.nat(2), turn_id: word, events: fc.array(event, { maxLength: 5 }) },
            { requiredKeys: [] },
          ),
          { maxLength: 3 },
        ),
      },
      { requiredKeys: [] },
    ),
    conversation_history: fc.array(fc.oneof(event, fc.record({ role: fc.constantFrom('user', 'model'), content })), {
      maxLength: 4,
    }),
    reference: fc.oneof(content, fc.record({ response: content, score: fc.double({ noNaN: true }) })),
    reference_final_response: content,
    expected_tool_use: calls,
    expected_tools: calls,
    intermediate_events: fc.array(event, { maxLength: 3 }),
    rubrics: fc.array(rubric, { maxLength: 3 }),
    rubric_groups: fc.dictionary(
      word,
      fc.record({ group_id: word, rubrics: fc.array(rubric, { maxLength: 2 }) }, { requiredKeys: [] }),
      { maxKeys: 2 },
    ),
    user_scenario: fc.record(
      { starting_prompt: word, conversation_plan: word, extra: word },
      { requiredKeys: ['starting_prompt', 'conversation_plan'] },
    ),
    system_instruction: word,
    session_input: fc.record({ app_name: word, user_id: word, state: fc.dictionary(word, anything, { maxKeys: 2 }) }),
    context: anything,
    extra: anything,
  },
  { requiredKeys: [] },
);
/** A case that begins in one way, or in several mutually exclusive ways. */
const row = fc
  .tuple(fields, fc.constantFrom('prompt', 'turns', 'turns', 'history', 'scenario', 'several'), content)
  .map(([{ prompt: _prompt, agent_data, conversation_history, user_scenario, ...rest }, kind, message]) => {
    const turns = [...(agent_data?.turns ?? []), { events: [{ author: 'user', content: message }] }];
    const is = (one: string) => kind === one || kind === 'several';
    return {
      ...rest,
      ...(is('prompt') || is('history') ? { prompt: message } : {}),
      ...(is('history') ? { conversation_history } : {}),
      ...(is('turns') ? { agent_data: { ...agent_data, turns } } : {}),
      ...(is('scenario') ? { user_scenario } : {}),
    };
  });
const dataset = fc.record(
  // Only one case, because warnings about several cases are combined.
  { eval_cases: fc.array(row, { minLength: 1, maxLength: 1 }), description: word, name: word, source: anything },
  { requiredKeys: ['eval_cases'] },
);

function* leavesOf(
  value: unknown,
  path: readonly (string | number)[] = [],
): Generator<[readonly (string | number)[], unknown]> {
  if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value))
      yield* leavesOf(inner, [...path, Array.isArray(value) ? Number(key) : key]);
  } else yield [path, value];
}

/** Replaces indexes with `*`, because one warning covers all similar paths. */
const asPattern = (path: string) => path.replace(/\[\d+\]/g, '[*]');

/** Tells whether the structure of an eval set makes a value redundant, such as an author or a turn's position. */
function isForm(path: readonly (string | number)[]): boolean {
  return ['author', 'role', 'turn_index'].includes(String(path.at(-1)));
}

/** Tells whether a value in the state is replaced later, which has its own warning. */
function isReplaced(path: readonly (string | number)[], warnings: readonly Problem[]): boolean {
  const at = path.findIndex((segment) => segment === 'state_delta' || segment === 'state');
  const key = at === -1 ? undefined : path[at + 1];
  return warnings.some(({ message }) => message.includes(`another value of "${key}"`));
}

it('migration keeps every value of a dataset in the eval set, or mentions it in a warning', () => {
  fc.assert(
    fc.property(dataset, (value) => {
      let read: ReturnType<typeof readAgentsCliDataset>;
      try {
        read = readAgentsCliDataset(value, { id: 's' });
      } catch (error) {
        // A rejected dataset loses nothing.
        if (!CriteriaError.is(error)) throw error;
        return;
      }
      const written = writeEvalSet(read.value);
      const kept = new Set([...leavesOf(written)].map(([, leaf]) => leaf));
      const each = read.warnings.map(({ path = '', message }) =>
        message.includes('more places like it') ? asPattern(path) : path,
      );
      const named = new Set(each);
      const silent: string[] = [];
      for (const [path, leaf] of leavesOf(value)) {
        if (isForm(path) || (leaf ?? null) === null || kept.has(leaf)) continue;
        // A group_id may repeat the key of its group.
        const group = path
          .slice(0, -1)
          .reduce<unknown>((at, key) => (at as Readonly<Record<string | number, unknown>>)[key], value);
        if (path.at(-1) === 'group_id' && path.at(-2) === leaf && (group as { rubrics?: unknown }).rubrics) continue;
        const above = path.map((_, index) => path.slice(0, index + 1));
        if (isReplaced(path, read.warnings)) continue;
        const isNamed = above.some((one) => named.has(formatPath(one)) || named.has(asPattern(formatPath(one))));
        if (!isNamed) silent.push(`${formatPath(path)} = ${JSON.stringify(leaf)}`);
      }
      expect(silent).toEqual([]);
      expect(parseEvalSet(written).value).toEqual(read.value);
    }),
    { numRuns: runs(3000) },
  );
});

// ---- agents-cli's files, in a folder next to this repository

const folder = new URL('../../../../../shared/fixtures/agents-cli/', import.meta.url);
const absent = !existsSync(folder);

describe.skipIf(absent)("agents-cli's own files", () => {
  const files = absent ? [] : readdirSync(folder).filter((file) => file.endsWith('.json'));
  it.each(files)('are migrated without loss: %s', (file) => {
    const { value, leftOut } = readAgentsCliDataset(JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
    expect(leftOut).toEqual([]);
    expect(parseEvalSet(writeEvalSet(value)).value).toEqual(value);
  });
});
