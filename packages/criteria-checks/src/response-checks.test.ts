import type { Evidence, ScorePart } from '@agent-criteria/core';
import { evalCase, inference, testCriterion } from '@agent-criteria/core/testing';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { binaryText } from '../../../test/binary-text.ts';
import { runs } from '../../../test/runs.ts';
import { responseChecks } from './response-checks.ts';
import { checkText, type TextChecks } from './text-checks.ts';

const answered = (...answers: readonly (string | null)[]) => inference(answers.map((answer) => ({ answer })));
const asked = (turns: number, agentCriteria?: object) =>
  evalCase(
    'refund',
    Array.from({ length: turns }, () => ({ user: 'Refund me.' })),
    agentCriteria === undefined ? {} : { agentCriteria: { response_checks: { ...agentCriteria } } },
  );

test('fulfils the criterion contract', async () => {
  const contains = { contains: ['refund', 'Monday'] };
  await testCriterion(responseChecks, {
    examples: [
      {
        name: 'all checks hold',
        evalCase: asked(1),
        inference: answered('The refund is there on Monday.'),
        options: contains,
        scores: [1],
      },
      {
        name: 'the share of those that hold',
        evalCase: asked(1),
        inference: answered('It is there on Monday.'),
        options: contains,
        scores: [0.5],
      },
      {
        name: 'no answer: that something is not in it says nothing',
        evalCase: asked(1),
        inference: answered(null),
        options: { excludes: 'sorry', max_words: 5, matches_none: 'x' },
        scores: ['could-not-judge'],
      },
      {
        name: 'no answer: what must be in it is missing',
        evalCase: asked(2),
        inference: answered('', null),
        options: { contains: 'refund', min_words: 1, number: { value: 1 }, json: true },
        scores: [0, 0],
      },
      {
        name: 'a case says what to check, and for which turns',
        evalCase: asked(3, { turns: { '2': { contains: 'two' }, last: { max_words: 1 } } }),
        inference: answered('one', 'two', 'three of them'),
        scores: ['not-applicable', 1, 0],
      },
      {
        name: 'a turn that the conversation did not have can never pass',
        evalCase: asked(1, { contains: 'one', turns: { '2': { contains: 'two' } } }),
        inference: answered('one'),
        scores: [1],
      },
    ],
    badOptions: [
      { contains: '' },
      { contains: [] },
      { matches: '(' },
      { matches: 'a(?=b)' },
      { min_words: 5, max_words: 4 },
      { number: {} },
      { number: { value: 1, tolerance: -1 } },
      { json: false },
      { json_schema: { unknown: 1 } },
      { json_schema: { properties: { a: { pattern: '(' } } } },
      { turns: { '0': { contains: 'a' } } },
      { turns: { '2': { contains: '' } } },
      { turns: { '2': { turns: {} } } },
      {},
    ],
  });
});

const failed = (text: string, checks: TextChecks): readonly ScorePart[] =>
  checkText(text, checks).filter((part) => !('value' in part && part.value === 1));
const evidenceOf = (text: string, checks: TextChecks): readonly Evidence[] =>
  failed(text, checks).flatMap(({ evidence = [] }) => evidence);

describe('checkText()', () => {
  it.each<[text: string, checks: TextChecks]>([
    ['Café in Oslo', { contains: 'Cafe\u0301' }],
    ['Die Straße', { contains: 'STRASSE', ignoreCase: true }],
    ['It is blue.', { containsAny: ['red', 'blue'] }],
    [' yes\n', { equals: 'yes' }],
    ['No', { equals: ['yes', 'no'], ignoreCase: true }],
    ['Order ORD-12 is there', { matches: 'ORD-[0-9]+' }],
    ['cafe\u0301', { matches: '^caf\u00e9$' }],
    ['Nothing secret', { matchesNone: ['[0-9]{16}', 'password'] }],
    ['one two, three — four', { minWords: 4, maxWords: 4 }],
    ['cafe\u0301', { minCharacters: 4, maxCharacters: 4 }],
    ['About 21.4 °C', { number: { value: 21, tolerance: 0.5 } }],
    ['{"a": [1]}', { json: true, jsonSchema: { type: 'object', required: ['a'] } }],
    ['```json\n{"a": 1}\n```', { json: true, allowFence: true }],
  ])('accepts %j with the check %s', (text, checks) => {
    expect(failed(text, checks)).toEqual([]);
  });

  it.each<[text: string, checks: TextChecks, reason: string]>([
    ['The Refund is due', { contains: 'refund' }, '"refund" is not in the answer'],
    ['It is green.', { containsAny: ['red', 'blue'] }, 'none of ["red","blue"] is in the answer'],
    ['I am sorry.', { excludes: ['sorry'] }, '"sorry" is in the answer'],
    ['maybe', { equals: 'yes' }, 'the answer is not "yes"'],
    [
      '{"a": 1, "a": 2}',
      { jsonSchema: { properties: { a: { const: 2 } } } },
      'the answer has the key "a" twice in the object at $: readers of JSON disagree which of the two counts',
    ],
    [
      '```json\n{"a": [{"b": 1, "b": 1}]}\n```',
      { jsonSchema: {}, allowFence: true },
      'the answer has the key "b" twice in the object at $.a[0]: readers of JSON disagree which of the two counts',
    ],
    ['ORD-x', { matches: 'ORD-[0-9]+' }, 'nothing in the answer matches /ORD-[0-9]+/'],
    ['ORD-1', { matchesNone: 'ORD-[0-9]+' }, 'something in the answer matches /ORD-[0-9]+/'],
    ['one two', { maxWords: 1 }, 'the answer has 2 words'],
    ['no', { minCharacters: 3 }, 'the answer has 2 characters'],
    [
      '1 or 25 °C',
      { number: { value: 21, tolerance: 0.5 } },
      'the answer does not state 21 ± 0.5: the closest number in it is 25',
    ],
    ['{', { json: true }, 'the answer is not JSON: '],
    [
      '{"a": "x"}',
      { jsonSchema: { properties: { a: { type: 'number' } } } },
      'the answer does not fit the schema at $.a',
    ],
  ])('fails with the check %s for the text %j, and explains why', (text, checks, reason) => {
    const [part, ...others] = failed(text, checks);
    expect(others).toEqual([]);
    expect(part).toMatchObject({ kind: 'check', value: 0 });
    expect(part?.reason).toContain(reason);
    expect(part?.evidence?.[0]).toMatchObject({ kind: 'diff' });
  });

  it('reports where a schema is violated and which value it expects', () => {
    const schema = { properties: { items: { items: { properties: { id: { type: 'integer' } } } } } };
    expect(evidenceOf('{"items": [{"id": 1}, {"id": "two"}]}', { jsonSchema: schema })).toEqual([
      { kind: 'diff', expected: 'integer', actual: 'two', path: '$.items[1].id' },
    ]);
  });

  it('quotes an excluded text as it appears in the answer', () => {
    expect(evidenceOf(`${'a '.repeat(100)}As an AI, I`, { excludes: 'as an ai', ignoreCase: true })).toEqual([
      { kind: 'diff', expected: 'no "as an ai"', actual: `…${'a '.repeat(30)}As an AI, I` },
    ]);
  });

  it('suggests options only if they would accept a near miss', () => {
    const notes = (text: string, checks: TextChecks) =>
      evidenceOf(text, checks).flatMap((one) => (one.kind === 'note' ? [one.text] : []));
    expect(notes('The Refund', { contains: 'refund' })).toEqual([expect.stringContaining('"ignore_case": true')]);
    expect(notes('```\n{}\n```', { json: true })).toEqual([expect.stringContaining('"allow_fence": true')]);
    expect(notes('Das macht 12,50 €.', { number: { value: 12.5 } })).toEqual(['With "decimal": "," it states 12.5.']);
    expect(notes('It is 1.5 m.', { number: { value: 1.5, decimal: ',' } })).toEqual([
      'With "decimal": "." it states 1.5.',
    ]);
    expect(notes('Das macht 13,50 €.', { number: { value: 12.5 } })).toEqual([]);
    expect(notes('Something else', { contains: 'refund', equals: 'no', json: true })).toEqual([]);
  });

  it('returns could-not-judge for JSON that is nested too deeply for its schema', () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const [part] = checkText(deep, { jsonSchema: { items: { $ref: '#' } } });
    expect(part).toMatchObject({ value: null, missing: 'could-not-judge' });
    expect(part?.reason).toContain('nested deeper');
  });

  it('finds every substring, regardless of case and composition', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(text, text, text, (before, piece, after) => {
        fc.pre(piece.trim() !== '');
        // Next to other characters, a combining character may be composed with its neighbour.
        const whole = `${before} ${piece} ${after}`;
        const form = (one: string) => one.normalize('NFD');
        expect(failed(whole, { contains: form(piece) })).toEqual([]);
        expect(failed(whole, { contains: piece.toUpperCase(), ignoreCase: true })).toEqual([]);
        expect(failed(whole, { excludes: piece })).toHaveLength(1);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('never throws, whatever the text and checks', () => {
    const text = binaryText({ maxLength: 200 });
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 1, maxLength: 3 }), fc.nat(50), (answer, some, limit) => {
        const parts = checkText(answer, {
          contains: some,
          equals: some,
          excludes: some,
          maxWords: limit,
          number: { value: limit },
          json: true,
          jsonSchema: { maxLength: limit },
        });
        expect(parts).toHaveLength(2 * some.length + 5);
        expect(new Set(parts.map(({ id }) => id)).size).toBe(parts.length);
      }),
      { numRuns: runs(1000) },
    );
  });
});
