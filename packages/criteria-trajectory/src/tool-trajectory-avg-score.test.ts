import { defineEvalConfig, type FunctionCall, type Invocation, type Score, type Turn } from '@agent-criteria/core';
import { evalCase, inference, invocation, testCriterion, testTools, unit } from '@agent-criteria/core/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/runs.ts';
import type { TrajectoryInput } from './options.ts';
import { toolTrajectory } from './tool-trajectory-avg-score.ts';

type Calls = readonly FunctionCall[];

function evaluate(
  expected: Invocation | null,
  actual: Invocation,
  written: TrajectoryInput = {},
  compat: 'adk' | null = null,
): Score {
  const options = toolTrajectory.options['~standard'].validate(written);
  if (options.issues) throw new Error(JSON.stringify(options.issues));
  if (toolTrajectory.scope !== 'turn') throw new Error('the criterion judges turns');
  const turn: Turn = { index: 0, actual, expected, rubrics: [] };
  const transcript = { unit: unit({ evalId: 'case' }), inference: inference([]), turns: [turn], rubrics: [] };
  const score = toolTrajectory.evaluate(turn, { options: options.value, tools: testTools({ compat }), transcript });
  if (score instanceof Promise) throw new Error('the criterion answers at once');
  return score;
}

const judge = (expected: Calls, actual: Calls, written: TrajectoryInput = {}, compat: 'adk' | null = null) =>
  evaluate(invocation({ calls: expected }), invocation({ calls: actual }), written, compat);

const diffOf = (score: Score) => score.evidence?.find((evidence) => evidence.kind === 'diff');
const notesOf = (score: Score) =>
  (score.evidence ?? []).flatMap((evidence) => (evidence.kind === 'note' ? [evidence.text] : []));
/** Returns the options that a note suggests, as a user would copy them. */
const offered = (score: Score) =>
  notesOf(score).flatMap((note) => {
    const json = /would accept that: (.*)$/.exec(note)?.[1];
    return json === undefined ? [] : [JSON.parse(json)];
  });

const book = (args: Record<string, unknown>): FunctionCall => ({ name: 'book_flight', args });

test('fulfils the criterion contract', async () => {
  const search: FunctionCall = { name: 'search', args: { q: 'x' } };
  const conversation = evalCase('trip', [
    { user: 'Hello', answer: 'Done.', calls: [search, book({ date: '2026-05-01' })] },
    { user: 'Hello', answer: 'Bye.', calls: [] },
  ]);
  const happened = (date: string) =>
    inference([
      { answer: 'Done.', calls: [search, book({ date })] },
      { answer: 'Bye.', calls: [] },
    ]);
  await testCriterion(toolTrajectory, {
    examples: [
      { name: 'as expected', evalCase: conversation, inference: happened('2026-05-01'), scores: [1, 1] },
      { name: 'another date', evalCase: conversation, inference: happened('2026-05-02'), scores: [0, 1] },
      {
        name: 'any date will do, in snake case',
        evalCase: conversation,
        inference: happened('2026-05-02'),
        options: { match_type: 'in order', matchers: { book_flight: { date: { one_of: ['2026-05-02'] } } } },
        scores: [1, 1],
      },
      {
        name: 'options of the case',
        evalCase: {
          ...conversation,
          agentCriteria: { tool_trajectory_avg_score: { matchers: { book_flight: { date: { shape: 'date' } } } } },
        },
        inference: happened('2026-05-02'),
        scores: [1, 1],
      },
      {
        name: 'a forbidden tool',
        evalCase: conversation,
        inference: happened('2026-05-01'),
        options: { forbiddenTools: ['search'] },
        scores: [0, 1],
      },
      {
        name: 'true is 1 in compat mode',
        evalCase: evalCase('flag', [{ user: 'Hello', calls: [{ name: 'set', args: { on: true } }] }]),
        inference: inference([{ calls: [{ name: 'set', args: { on: 1 } }] }]),
        compat: 'adk',
        scores: [1],
      },
    ],
    badOptions: [
      { match_type: 'some order' },
      { matchType: 3 },
      { matchers: { book_flight: { 'a..b': { ignore: true } } } },
      { matchers: { book_flight: { date: { pattern: '(' } } } },
      { matchers: { book_flight: { date: { shape: 'date', tolerance: 1 } } } },
      { forbidden_tools: 'rm' },
    ],
  });
});

test('the compiler completes and checks its options', () => {
  const config = defineEvalConfig({
    plugins: [toolTrajectory],
    criteria: {
      tool_trajectory_avg_score: { threshold: 1, matchType: 'IN_ORDER', matchers: { '*': { id: { ignore: true } } } },
    },
  });
  expect(config.criteria.tool_trajectory_avg_score).toBeDefined();
  defineEvalConfig({
    plugins: [toolTrajectory],
    // @ts-expect-error: a typo in a match type does not compile.
    criteria: { tool_trajectory_avg_score: { threshold: 1, matchType: 'IN_ORDR' } },
  });
});

test('a turn without an expectation is not applicable', () => {
  expect(evaluate(null, invocation({}))).toEqual({
    value: null,
    missing: 'not-applicable',
    reason: expect.stringMatching(/./),
  });
});

describe('the explanation of a score of 0', () => {
  test('shows the calls side by side and the first difference', () => {
    const score = judge(
      [{ id: '1', name: 'search', args: { q: 'x' } }, book({ to: { city: 'Oslo', zip: [1, 2] } })],
      [{ id: '2', name: 'search', args: { q: 'x' } }, book({ to: { city: 'Oslo', zip: [1, 3] } })],
    );
    expect(score).toMatchObject({ value: 0, reason: 'Call 2, book_flight, has 3 instead of 2 at args.to.zip[1].' });
    expect(diffOf(score)).toEqual({
      kind: 'diff',
      expected: [{ name: 'search', args: { q: 'x' } }, book({ to: { city: 'Oslo', zip: [1, 2] } })],
      actual: [{ name: 'search', args: { q: 'x' } }, book({ to: { city: 'Oslo', zip: [1, 3] } })],
      path: '$[1].args.to.zip[1]',
    });
  });

  test('shows null for a side without a call', () => {
    const score = judge([{ name: 'a' }, { name: 'c' }], [{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
    expect(score.reason).toBe('Call 2, b, was not expected.');
    expect(diffOf(score)).toEqual({
      kind: 'diff',
      expected: [{ name: 'a' }, null, { name: 'c' }],
      actual: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
      path: '$[1]',
    });
  });

  test.each<[string, Calls, Calls, TrajectoryInput, string, string]>([
    [
      'a missing call',
      [{ name: 'a' }, { name: 'b' }],
      [{ name: 'a' }],
      {},
      'The expected call 2, b, was not made.',
      '$[1]',
    ],
    ['another tool', [{ name: 'a' }], [{ name: 'b' }], {}, 'Call 1, b, has "b" instead of "a" at name.', '$[0].name'],
    ['no call', [{ name: 'a' }, { name: 'b' }], [], {}, 'No tool was called, and 2 calls are expected.', '$[0]'],
    ['any call', [], [{ name: 'a' }], {}, 'Call 1, a, was made where no call is expected.', '$[0]'],
    [
      'a key too many',
      [book({})],
      [book({ 'a b': 1 })],
      {},
      "Call 1, book_flight, has 1 instead of nothing at args['a b'].",
      "$[0].args['a b']",
    ],
    [
      'a key missing',
      [book({ a: null })],
      [book({})],
      {},
      'Call 1, book_flight, has nothing instead of null at args.a.',
      '$[0].args.a',
    ],
    [
      'another order',
      [{ name: 'a' }, { name: 'b' }],
      [{ name: 'b' }, { name: 'a' }],
      { matchType: 'IN_ORDER' },
      'The expected call 1, a, was made, but not in that position.',
      '$[0]',
    ],
    [
      'a forbidden tool, before anything else',
      [{ name: 'a' }],
      [{ name: 'b' }, { name: 'rm' }],
      { forbiddenTools: ['rm'] },
      'Call 2, rm, is to a forbidden tool; 1 other call is not as expected.',
      '$[1]',
    ],
    [
      'no name',
      [{ name: 'a' }],
      [{ args: {} }],
      { matchType: 'ANY_ORDER' },
      'The expected call 1, a, was not made.',
      '$[0]',
    ],
  ])('is as expected: %s', (_, expected, actual, options, reason, path) => {
    const score = judge(expected, actual, options);
    expect(score).toMatchObject({ value: 0, reason });
    expect(diffOf(score)).toMatchObject({ path });
  });

  test('truncates a long diff around the first fault', () => {
    const list = (changed: number) =>
      Array.from({ length: 1_000 }, (_, index) =>
        book({ index, note: index === changed ? 'x' : 'y', pad: 'z'.repeat(5_000) }),
      );
    const score = judge(list(-1), list(900));
    const diff = diffOf(score)!;
    expect(diff).toMatchObject({ path: '$[10].args.note' });
    expect(diff.expected).toHaveLength(100);
    expect((diff.expected as unknown[]).at(-1)).toEqual({ name: 'book_flight', args: '…' });
    expect((diff.actual as { args: { note: string } }[])[10]!.args.note).toBe('x');
    expect(JSON.stringify(score).length).toBeLessThan(200_000);
    expect(notesOf(score)).toContain('The diff shows the rows 891 to 990 of 1000.');
  });

  test('shows hostile arguments in bounded time and size, as plain JSON', () => {
    const deep = JSON.parse(`${'{"a":['.repeat(20_000)}1${']}'.repeat(20_000)}`);
    const wide = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, index) => [`${'k'.repeat(20)}${index}`, index]),
    );
    const proto = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 1}');
    const score = judge([book({})], [book(deep), book(wide), book(proto), book({ text: 'x'.repeat(1e6) })], {
      matchType: 'EXACT',
    });
    expect(score).toMatchObject({ value: 0 });
    expect(JSON.stringify(score).length).toBeLessThan(200_000);
    expect(JSON.parse(JSON.stringify(score))).toEqual(score);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    const small = judge([], [book(proto)]);
    expect(JSON.stringify(diffOf(small))).toContain('"args":{"__proto__":{"polluted":1},"constructor":1}');
  });
});

describe('suggested options', () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>, Record<string, unknown>]>([
    ['a date', { at: '2026-05-01' }, { at: '2026-05-02T10:00:00Z' }, { at: { shape: 'date' } }],
    [
      'an id',
      { key: '6f9619ff-8b86-d011-b42d-00c04fc964ff' },
      { key: '123e4567-e89b-12d3-a456-426614174000' },
      { key: { shape: 'uuid' } },
    ],
    ['an id', { order: 'ORD-1' }, { order: 'ORD-22' }, { order: { pattern: 'ORD-[0-9]+' } }],
    ['an id', { order: 'ORD-118' }, { order: 'ORD-119' }, { order: { pattern: 'ORD-[0-9]+' } }],
    ['an id', { key: 'v1.2/ab12' }, { key: 'v1.2/cd34' }, { key: { pattern: 'v1\\.2/[0-9a-f]+' } }],
    ['an id', { order_id: 12 }, { order_id: 4711 }, { order_id: { ignore: true } }],
    ['an id', { order: '4711001' }, { order: '4711002' }, { order: { pattern: '[0-9]+' } }],
    ['a number', { amount: 10 }, { amount: 9.95 }, { amount: { tolerance: 0.05 } }],
    ['a number', { amount: -0.3 }, { amount: -0.30000000000000004 }, { amount: { tolerance: 5.56e-17 } }],
    ['a number', { list: [{ n: 2.5 }] }, { list: [{ n: 2.51 }] }, { 'list[0].n': { tolerance: 0.01 } }],
    ['a number', { 'odd key': 1.001 }, { 'odd key': 1 }, { "['odd key']": { tolerance: 0.001 } }],
  ])('are as expected: %s', (kind, expected, actual, byPath) => {
    const score = judge([book(expected)], [book(actual)]);
    expect(notesOf(score)).toEqual([expect.stringContaining(`Only ${kind} differs.`)]);
    expect(offered(score)).toEqual([{ matchers: { book_flight: byPath } }]);
  });

  test('cover several calls and kinds, and include the existing matchers', () => {
    const present = { book_flight: { note: { ignore: true as const } }, search: { q: { pattern: '.*' } } };
    const score = judge(
      [
        book({ at: '2026-05-01', n: 100.5, note: 'a' }),
        book({ at: '2026-05-01', n: 50.5 }),
        { name: 'pay', args: { id: 7 } },
      ],
      [
        book({ at: '2026-05-02', n: 101, note: 'b' }),
        book({ at: '2026-05-01', n: 50.25 }),
        { name: 'pay', args: { id: 8 } },
      ],
      { matchers: present },
    );
    expect(notesOf(score)[0]).toContain('Only a date, a number and an id differ.');
    expect(offered(score)).toEqual([
      {
        matchers: {
          book_flight: { note: { ignore: true }, at: { shape: 'date' }, n: { tolerance: 0.5 } },
          search: { q: { pattern: '.*' } },
          pay: { id: { ignore: true } },
        },
      },
    ]);
  });

  test('use ignore for a path that differs in two ways', () => {
    const score = judge(
      [book({ key: 'A-1' }), book({ key: 'abc123' })],
      [book({ key: 'A-2' }), book({ key: 'def456' })],
    );
    expect(offered(score)).toEqual([{ matchers: { book_flight: { key: { ignore: true } } } }]);
  });

  test.each<[string, Calls, Calls, TrajectoryInput]>([
    ['a text differs', [book({ city: 'Oslo' })], [book({ city: 'Rome' })], {}],
    ['a number is another one', [book({ n: 21 })], [book({ n: 70 })], {}],
    ['a number has the other sign', [book({ n: 1e308 })], [book({ n: -1e308 })], {}],
    ['a number is 0', [book({ n: 0.1 })], [book({ n: 0 })], {}],
    ['whole numbers are neighbours', [book({ room: 1204 })], [book({ room: 1205 })], {}],
    [
      'a number is another one beside a date',
      [book({ at: '2026-05-01', n: 2 })],
      [book({ at: '2026-05-02', n: 9 })],
      {},
    ],
    ['a number as a text is another one', [book({ n: '21' })], [book({ n: '70' })], {}],
    ['a decimal as a text is another one', [book({ n: '1.5' })], [book({ n: '1.7' })], {}],
    ['a short code is another one', [book({ seat: '12A' })], [book({ seat: '14C' })], {}],
    ['a type differs', [book({ n: 1 })], [book({ n: '1' })], {}],
    ['a text differs beside a date', [book({ at: '2026-05-01', c: 'x' })], [book({ at: '2026-05-02', c: 'y' })], {}],
    [
      'a call is missing beside a date',
      [book({ at: '2026-05-01' }), { name: 'pay' }],
      [book({ at: '2026-05-02' })],
      {},
    ],
    [
      'the place has a matcher already',
      [book({ n: 1.5 })],
      [book({ n: 1.51 })],
      { matchers: { book_flight: { n: { tolerance: 0.001 } } } },
    ],
    [
      'more differs than is listed',
      [book({ list: Array.from({ length: 25 }, () => 1) })],
      [book({ list: Array.from({ length: 25 }, () => 2) })],
      {},
    ],
    ['the tool is forbidden', [book({ n: 1 })], [book({ n: 2 })], { forbiddenTools: ['book_flight'] }],
  ])('are left out if %s', (_, expected, actual, options) => {
    const score = judge(expected, actual, options);
    expect(score).toMatchObject({ value: 0 });
    expect(offered(score)).toEqual([]);
  });

  test('never lose the score, whatever the numbers', () => {
    const number = fc.oneof(
      fc.double(),
      fc.constantFrom(0, -0, 5e-324, 1e-310, 1.7976931348623157e308, -1.7976931348623157e308, 2 ** 53),
    );
    const near = number.chain((one) => fc.tuple(fc.constant(one), fc.constantFrom(one * 1.001, one * 0.995, -one)));
    fc.assert(
      fc.property(fc.oneof(fc.tuple(number, number), near), ([wanted, made]) => {
        const [expected, actual] = [[book({ n: wanted })], [book({ n: made })]];
        const score = judge(expected, actual);
        expect(score).toMatchObject({ value: expect.toBeOneOf([0, 1]) });
        for (const options of offered(score)) expect(judge(expected, actual, options)).toMatchObject({ value: 1 });
      }),
    );
  });

  test('name a looser match type, unless it would accept anything', () => {
    const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
    expect(offered(judge([a, b], [a, c, b]))).toEqual([{ match_type: 'IN_ORDER' }]);
    expect(offered(judge([a, b], [b, a]))).toEqual([{ match_type: 'ANY_ORDER' }]);
    expect(offered(judge([a, b], [c, b, a], { matchType: 'IN_ORDER' }))).toEqual([{ match_type: 'ANY_ORDER' }]);
    expect(offered(judge([], [a]))).toEqual([]);
    expect(offered(judge([a, b], [a, c, b], { forbiddenTools: ['c'] }))).toEqual([]);
  });

  test('make the criterion accept the turn', () => {
    const args = fc.record(
      {
        at: fc.constantFrom('2026-05-01', '2026-05-02T10:00'),
        order: fc.constantFrom('ORD-1', 'ORD-22', 'ORD_1', 'A1', '471100'),
        n: fc.constantFrom(7.5, 7.49, 7.51, -3),
        list: fc.array(fc.constantFrom<unknown>(1.5, 1.51, '2026-05-01'), { maxLength: 2 }),
      },
      { requiredKeys: ['at', 'order', 'n'] },
    );
    const call = fc.record({ name: fc.constantFrom('a', 'b'), args });
    const changed = (calls: Calls) =>
      fc.tuple(
        ...calls.map((one) =>
          fc.oneof(
            fc.constant(one),
            args.map((given) => ({ ...one, args: { ...one.args, ...given } })),
          ),
        ),
      );
    const pair = fc
      .array(call, { minLength: 1, maxLength: 3 })
      .chain((calls) => fc.tuple(fc.constant(calls), changed(calls)));
    // One in twenty pairs has a suggestion: with fewer tries, there might be almost none by chance.
    const times = Math.max(runs(3000), 1000);
    let seen = 0;
    fc.assert(
      fc.property(pair, fc.constantFrom('EXACT', 'IN_ORDER', 'ANY_ORDER'), ([expected, actual], matchType) => {
        for (const { match_type, matchers } of offered(judge(expected, actual, { matchType }))) {
          const written: TrajectoryInput = { matchType: match_type ?? matchType, matchers };
          expect(judge(expected, actual, written)).toMatchObject({ value: 1 });
          seen++;
        }
      }),
      { numRuns: times },
    );
    expect(seen).toBeGreaterThan(times / 100);
  });
});

describe('warnings', () => {
  const none = invocation({});
  const [a, rm] = [{ name: 'a' }, { name: 'rm' }];

  test('for an expected turn without intermediate data state that it expects no calls, as in ADK', () => {
    for (const intermediateData of [undefined, null]) {
      const expected: Invocation = intermediateData === undefined ? none : { ...none, intermediateData };
      expect(evaluate(expected, none)).toEqual({ value: 1, warnings: [expect.stringContaining('"tool_uses": []')] });
      expect(evaluate(expected, invocation({ calls: [a] }))).toMatchObject({
        value: 0,
        warnings: [expect.stringContaining('says nothing about tool calls')],
      });
    }
    expect(evaluate(invocation({ calls: [] }), none)).toEqual({ value: 1 });
    expect(evaluate({ ...none, intermediateData: {} }, none)).toEqual({ value: 1 });
    expect(evaluate({ ...none, intermediateData: { invocationEvents: [] } }, none)).toEqual({ value: 1 });
  });

  test.each(['IN_ORDER', 'ANY_ORDER'] as const)('state that %s without expected calls can never fail', (matchType) => {
    expect(judge([], [a], { matchType })).toEqual({ value: 1, warnings: [expect.stringMatching(/never fail.*EXACT/)] });
    expect(judge([], [a], { matchType, forbiddenTools: ['rm'] })).toEqual({ value: 1 });
    expect(judge([], [rm], { matchType, forbiddenTools: ['rm'] })).toMatchObject({ value: 0 });
    expect(judge([a], [a], { matchType })).toEqual({ value: 1 });
  });

  test('do not state that EXACT without expected calls can never fail', () => {
    expect(judge([], [])).toEqual({ value: 1 });
  });

  test('state that an expected call to a forbidden tool can never pass', () => {
    expect(judge([rm], [rm], { forbiddenTools: ['rm'] })).toMatchObject({
      value: 0,
      warnings: [expect.stringMatching(/never pass.*rm/)],
    });
  });
});

test('matchers work in both modes', () => {
  const expected: Calls = [{ name: 'a' }, { name: 'b', args: { on: true, at: '2026-05-01' } }];
  const actual: Calls = [
    { name: 'a', args: {} },
    { name: 'b', args: { on: 1, at: '2026-05-02' } },
  ];
  const matchers = { b: { at: { shape: 'date' as const } } };
  expect(diffOf(judge(expected, actual, { matchers }))).toMatchObject({ path: '$[1].args.on' });
  expect(diffOf(judge(expected, actual, { matchers }, 'adk'))).toMatchObject({ path: '$[0].args' });
  expect(judge(expected.slice(1), actual.slice(1), { matchers }, 'adk')).toMatchObject({ value: 1 });
  expect(judge(expected.slice(0, 1), actual.slice(0, 1), { matchers })).toMatchObject({ value: 1 });
});

test('a transfer matches in the spellings of both TypeScript and Python', () => {
  const python = { name: 'transfer_to_agent', args: { agent_name: 'billing' } };
  const typescript = { name: 'transfer_to_agent', args: { agentName: 'billing' } };
  expect(judge([python], [typescript])).toMatchObject({ value: 1 });
  expect(judge([typescript], [python])).toMatchObject({ value: 1 });
  expect(judge([python], [typescript], {}, 'adk')).toMatchObject({ value: 0 });
  expect(judge([python], [{ ...typescript, args: { agentName: 'sales' } }])).toMatchObject({ value: 0 });
  expect(judge([python], [{ ...python, args: { agent_name: 'billing', agentName: 'sales' } }])).toMatchObject({
    value: 0,
  });
  expect(judge([{ ...python, name: 'call' }], [{ ...typescript, name: 'call' }])).toMatchObject({ value: 0 });
});
