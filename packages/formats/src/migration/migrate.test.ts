import { describe, expect, it } from 'vitest';
import { toolCalls } from '../data/accessors.ts';
import { parseEvalSet, writeEvalSet } from '../data/parse.ts';
import { CriteriaError, type Problem } from '../errors.ts';
import { type MigrateOptions, migrateEvalData } from './migrate.ts';
import { readEvalData } from './read-eval-data.ts';

function problems(call: () => unknown): readonly Problem[] {
  try {
    call();
    return [];
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    return error.problems;
  }
}
const lines = (value: unknown, options: MigrateOptions = {}) =>
  problems(() => readEvalData(value, options)).map(({ code, path, message }) => `${code} ${path}: ${message}`);

const turns = [
  { query: 'a', expected_tool_use: [{ tool_name: 't', tool_input: { someKey: 1, some_key: [null] } }], reference: 'b' },
  { query: 'a', expected_tool_use: [{ tool_name: 't', tool_input: { someKey: 1, some_key: [null] } }], reference: 'b' },
];

describe('migrateEvalData()', () => {
  it('returns the same set for the same data regardless of key order, and another id for other data', () => {
    const reordered = turns.map(({ query, expected_tool_use, reference }) => ({ reference, expected_tool_use, query }));
    expect(migrateEvalData(reordered)).toEqual(migrateEvalData(turns));
    expect(migrateEvalData([...turns, { query: 'c' }]).value.evalSetId).not.toBe(
      migrateEvalData(turns).value.evalSetId,
    );
  });

  it('generates a set id that ADK accepts, and unique turn ids', () => {
    expect(migrateEvalData(turns).value.evalSetId).toMatch(/^[a-zA-Z0-9_]+$/);
    const conversation = migrateEvalData(turns).value.evalCases[0]?.conversation ?? [];
    const ids = conversation.map((invocation) => invocation.invocationId);
    expect(new Set(ids).size).toBe(2);
  });

  it('uses a given id for the set, and for the only case of a test file', () => {
    const { value, format } = migrateEvalData(turns, { id: 'mine' });
    expect([value.evalSetId, value.name, value.evalCases[0]?.evalId, format]).toEqual([
      'mine',
      'mine',
      'mine',
      'old-test',
    ]);
    const cases = migrateEvalData([{ name: 'own name', data: turns }], { id: 'mine' });
    expect([cases.value.evalSetId, cases.value.evalCases[0]?.evalId, cases.format]).toEqual([
      'mine',
      'own name',
      'old-evalset',
    ]);
  });

  it('sets all timestamps to 0', () => {
    const { value } = migrateEvalData(turns);
    const [first] = value.evalCases;
    expect([value.creationTimestamp, first?.creationTimestamp, first?.conversation?.[0]?.creationTimestamp]).toEqual([
      0, 0, 0,
    ]);
  });

  it("preserves the spelling of the user's own keys, and shares no objects with the input", () => {
    const call = toolCalls(migrateEvalData(turns).value.evalCases[0]!.conversation![0]!)[0];
    expect(call).toEqual({ name: 't', args: { someKey: 1, some_key: [null] } });
    expect(call?.args).not.toBe(turns[0]?.expected_tool_use[0]?.tool_input);
  });

  it('returns a set that parseEvalSet() reads', () => {
    const { value } = migrateEvalData(turns, { initialSession: { state: { a: 1 } } });
    expect(parseEvalSet(writeEvalSet(value))).toEqual({ value, warnings: [] });
  });
});

describe('the initial session', () => {
  const session = { id: 'i', app_name: 'app', user_id: 'u', state: { myKey: 1 }, events: [], last_update_time: 1 };

  it('becomes the session input with its app, user and state', () => {
    const { value, warnings } = migrateEvalData(turns, { initialSession: session });
    expect(value.evalCases[0]?.sessionInput).toEqual({ appName: 'app', userId: 'u', state: { myKey: 1 } });
    expect(warnings).toEqual([]);
  });

  it.each([undefined, null, {}])('is left out if it is %j', (initialSession) => {
    expect(migrateEvalData(turns, { initialSession }).value.evalCases[0]).not.toHaveProperty('sessionInput');
  });

  it("has ADK's defaults for missing fields", () => {
    const { value } = migrateEvalData(turns, { initialSession: { id: 'i' } });
    expect(value.evalCases[0]?.sessionInput).toEqual({ appName: '', userId: '', state: {} });
  });

  it('of a case takes precedence over the shared one', () => {
    const cases = [
      { name: 'own', data: turns, initial_session: { app_name: 'mine' } },
      { name: 'none', data: turns, initial_session: {} },
    ];
    const { value } = migrateEvalData(cases, { initialSession: session });
    expect(value.evalCases.map((evalCase) => evalCase.sessionInput?.appName)).toEqual(['mine', 'app']);
  });

  it('causes a warning if it contains earlier events', () => {
    const { warnings } = migrateEvalData(turns, { initialSession: { ...session, events: [{}, {}] } });
    expect(warnings.map(({ message }) => message)).toEqual([
      'the 2 earlier events of the session are left out: only app, user and state are used',
    ]);
  });

  it('is rejected for an eval set, whose cases have their own', () => {
    const set = { eval_set_id: 's', eval_cases: [{ eval_id: 'x', conversation: [{ user_content: {} }] }] };
    expect(lines(set, { initialSession: session })[0]).toMatch(
      /^USAGE .*write it into the cases of this set as "session_input"/,
    );
    expect(lines(set, { initialSession: {} })).toEqual([]);
  });

  it('is rejected with the path of a mistake', () => {
    expect(lines(turns, { initialSession: { app_name: 3 } })).toEqual([
      'INVALID_DATA initialSession.app_name: expected text, found the number 3',
    ]);
  });
});

describe('readEvalData()', () => {
  it.each([
    [turns, 'old-test'],
    [[{ name: 'a', data: turns }], 'old-evalset'],
    [{ eval_set_id: 's', eval_cases: [{ eval_id: 'x', conversation: [{ user_content: {} }] }] }, 'new'],
  ])('detects the format from the structure (example %#)', (value, format) => {
    expect(readEvalData(value).format).toBe(format);
  });

  it.each([
    [[{ query: 'a' }, { reference: 'b' }], '$[1]: "query" is missing (text)'],
    [[{ query: 'a' }, 7], '$[1]: expected an object with "query", found the number 7'],
    [
      [{ query: 'a', expected_tool_use: [{ tool_input: {} }] }],
      '$[0].expected_tool_use[0]: "tool_name" is missing (text)',
    ],
    [
      [{ query: 'a', expected_tool_use: [{ tool_name: 't' }] }],
      '$[0].expected_tool_use[0]: "tool_input" is missing (an object)',
    ],
    [
      [{ query: 'a', expected_intermediate_agent_responses: ['Let me see.'] }],
      '$[0].expected_intermediate_agent_responses[0]: expected an object with "author" and "text", found the text "Let me see."',
    ],
    [[{ query: ['a'] }], '$[0].query: expected text, found a list of 1'],
    [[{ name: 'a', data: [{ querry: 'b' }] }], '$[0].data[0]: "query" is missing; is "querry" a misspelling of it?'],
    [[{ name: 'a', data: 'b' }], '$[0].data: expected a list, found the text "b"'],
  ])('reports one mistake in legacy data: %j', (value, line) => {
    expect(lines(value)).toEqual([`INVALID_DATA ${line}`]);
  });

  it('rejects legacy cases without turns or with duplicate names', () => {
    const cases = [
      { name: 'a', data: [] },
      { name: 'a', data: turns },
    ];
    expect(lines(cases)).toEqual([
      'EMPTY $[0].data: the case has no turn, so nothing would be judged; add one',
      'DUPLICATE_ID $[1].name: "a" is already the name of $[0]; give each case its own id',
    ]);
  });

  it.each([
    [[], /^EMPTY \$: an empty list/],
    [[{ eval_id: 'x', conversation: [] }], /^UNKNOWN_FORMAT \$: a list of eval cases: write them as \{"eval_set_id"/],
    [[1, 'a'], /^UNKNOWN_FORMAT \$: a list of something else: its first item is the number 1\. Legacy/],
    [
      [{ case_id: 'x', input: 'Hi', expected_output: 'Hello' }],
      /^UNKNOWN_FORMAT \$: a list of something else, with the keys "case_id", "input", "expected_output"\. The nearest format is a list of turns: call "input" "query", "expected_output" "reference"\. Legacy/,
    ],
    [[{ a: 1 }], /with the keys "a"\. Legacy/],
  ])('rejects a list that is not eval data, and describes it: %j', (value, line) => {
    expect(lines(value)).toEqual([expect.stringMatching(line)]);
  });

  it.each([
    [{ eval_set_id: 's', eval_cases: [] }, /^this is an eval set already/],
    [{ events: [] }, /^this is a session dump/],
    [{}, /^this is not legacy eval data/],
    ['text', /^this is not eval data/],
  ])('accepts %j, which migrateEvalData() rejects', (value, message) => {
    expect(problems(() => migrateEvalData(value, { file: 'f' }))).toEqual([
      { code: 'UNKNOWN_FORMAT', message: expect.stringMatching(message), path: '$', file: 'f' },
    ]);
  });
});
