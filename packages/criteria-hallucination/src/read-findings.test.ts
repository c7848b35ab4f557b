import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFindings, readLabel } from './read-findings.ts';
import { labels } from './validator-prompt.ts';

const entry = (number: unknown, label: unknown) => ({ number, label, rationale: ' r ', supporting_excerpt: 'q' });
const labelsOf = (value: unknown, count: number) => {
  const read = readFindings(value, count);
  return read && Object.fromEntries([...read.findings].map(([number, { label }]) => [number, label]));
};

test('readLabel() accepts labels in any case and with any separator, and nothing else', () => {
  for (const said of ['not_applicable', 'Not Applicable', ' NOT-APPLICABLE\n', 'not  applicable']) {
    expect(readLabel(said)).toBe('not_applicable');
  }
  for (const said of [
    '',
    'n/a',
    'support',
    '**supported**',
    'partially_supported',
    'ｓupported',
    1,
    null,
    ['supported'],
  ]) {
    expect(readLabel(said)).toBeUndefined();
  }
});

test('readFindings() reads label, rationale and quotes by number', () => {
  const value = {
    sentences: [
      entry(2, 'Disputed'),
      { number: '1', label: 'supported', supporting_excerpt: null, contradicting_excerpt: ' Null ', rationale: 3 },
    ],
  };
  expect(readFindings(value, 2)?.findings).toEqual(
    new Map([
      [2, { label: 'disputed', rationale: 'r', supporting: 'q', contradicting: '' }],
      [1, { label: 'supported', rationale: '', supporting: '', contradicting: '' }],
    ]),
  );
});

test('readFindings() omits sentences that are not answered, labelled in two ways or given an unknown label', () => {
  const sentences = [
    ...[entry(1, 'supported'), entry(1, 'supported')],
    ...[entry(2, 'supported'), entry(2, 'unsupported'), entry(2, 'supported')],
    ...[entry(3, 'fine'), entry(4, 'fine'), entry(4, 'supported'), entry(5, 'supported'), entry(5, 'fine')],
  ];
  expect(labelsOf({ sentences }, 6)).toEqual({ 1: 'supported' });
  expect([...(readFindings({ sentences }, 6)?.unreadable ?? [])]).toEqual([
    [2, 'it was labelled twice: supported, and unsupported'],
    ...[3, 4, 5].map((number) => [number, 'its label could not be read']),
  ]);
});

test.each<[string, unknown]>([
  ['no object', 'supported'],
  ['no list', { sentences: 'supported' }],
  ['no sentences', { sentence: [] }],
  ['an empty list', { sentences: [] }],
  ['no known label', { sentences: [entry(1, 'fine')] }],
  ['no entries', { sentences: ['supported'] }],
  ['numbers from 0', { sentences: [entry(0, 'supported'), entry(1, 'unsupported')] }],
  ['a number out of range', { sentences: [entry(1, 'supported'), entry(2, 'supported'), entry(3, 'supported')] }],
  ['a number that is not whole', { sentences: [entry(1, 'supported'), entry(1.5, 'supported')] }],
  ['an entry without a number', { sentences: [entry(1, 'supported'), { label: 'supported' }] }],
  ['an inherited list', Object.create({ sentences: [entry(1, 'supported')] })],
])('readFindings() returns undefined for %s', (_, value) => {
  expect(readFindings(value, 2)).toBeUndefined();
});

test('readFindings() truncates long rationales', () => {
  const value = { sentences: [{ ...entry(1, 'supported'), rationale: 'x'.repeat(1e6) }] };
  expect(readFindings(value, 1)?.findings.get(1)?.rationale.length).toBe(2_001);
});

describe('readFindings(), for any answer,', () => {
  const said = fc.array(
    fc.record({
      number: fc.integer({ min: 1, max: 4 }),
      label: fc.constantFrom(...labels, 'Supported', 'weird', null),
    }),
    { maxLength: 8 },
  );

  test('gives a sentence the label that all its entries share, or no label', () => {
    fc.assert(
      fc.property(said, (sentences) => {
        const findings = readFindings({ sentences }, 4)?.findings;
        for (let number = 1; number <= 4; number++) {
          const answers = new Set(
            sentences.filter((one) => one.number === number).map(({ label }) => readLabel(label)),
          );
          const [only] = answers;
          expect(findings?.get(number)?.label).toBe(answers.size === 1 ? only : undefined);
        }
      }),
    );
  });

  test('does not throw, and returns only requested numbers and known labels', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 5 }), (value, count) => {
        const findings = readFindings({ sentences: value }, count) ?? readFindings(value, count);
        for (const [number, { label }] of findings?.findings ?? []) {
          expect(number >= 1 && number <= count).toBe(true);
          expect(labels).toContain(label);
        }
      }),
    );
  });
});
