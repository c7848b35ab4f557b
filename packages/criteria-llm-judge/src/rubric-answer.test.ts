import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { readRubricAnswer, rubricAnswerSchema } from './rubric-answer.ts';

const ids = ['a', 'b', 'c'];

function labels(value: unknown): Record<string, string> | undefined {
  const read = readRubricAnswer(value, ids);
  return read && Object.fromEntries([...read.opinions].map(([id, { label }]) => [id, label]));
}

function one(verdict: unknown): string | undefined {
  return labels({ rubrics: [{ id: '1', verdict }] })?.a;
}

describe('readRubricAnswer()', () => {
  it('reads verdict, rationale and evidence by number, in any order', () => {
    const read = readRubricAnswer(
      {
        rubrics: [
          { id: '2', evidence: ' turn 1: "no" ', rationale: ' It is missing. ', verdict: 'no' },
          { id: '1', evidence: '', rationale: '', verdict: 'yes' },
        ],
      },
      ids,
    );
    expect([...(read?.opinions ?? [])]).toEqual([
      [
        'b',
        {
          positive: false,
          label: 'no',
          rationale: 'It is missing.',
          evidence: [{ kind: 'note', text: 'turn 1: "no"' }],
        },
      ],
      ['a', { positive: true, label: 'yes' }],
    ]);
  });

  it('counts not_applicable as fulfilled, under its own label', () => {
    const read = readRubricAnswer({ rubrics: [{ id: '1', verdict: 'not_applicable' }] }, ids);
    expect(read?.opinions.get('a')).toEqual({ positive: true, label: 'not_applicable' });
  });

  it.each([
    ...['yes', 'YES', ' Yes ', 'yes.', '"yes"', '**Yes**', 'Yes, it does.', 'yes - it does', ['yes']].map(
      (said) => [said, 'yes'] as const,
    ),
    ...['no', 'No.', 'no, not yes', 'NO: nothing of it', 'no (see turn 2)', '*no*'].map(
      (said) => [said, 'no'] as const,
    ),
    ...['not_applicable', 'Not applicable', 'not-applicable.', 'N/A', 'n/a, as nothing was asked', 'notApplicable'].map(
      (said) => [said, 'not_applicable'] as const,
    ),
  ])('reads %j as %s', (said, label) => expect(one(said)).toBe(label));

  it.each(
    [
      ...[
        'unknown',
        'cannot tell',
        'none',
        'eyes',
        'yes or no',
        'yes/no',
        'No issues',
        'no doubt: yes',
        'not clear',
        '',
      ],
      ...['nobody', 'noted', 'yesterday', 'not', 'applicable', 'y', 'true', '1', 'the verdict is yes'],
      ...[true, 1, null, undefined, {}, [], ['yes', 'no'], [['yes']]],
    ].map((said) => [said]),
  )('reads no verdict from %j', (said) => expect(one(said)).toBeUndefined());

  it('accepts a number as a string, in a list of one, or with white space', () => {
    expect(labels({ rubrics: [{ id: 1, verdict: 'yes' }] })).toEqual({ a: 'yes' });
    expect(labels({ rubrics: [{ id: [' 2\n'], verdict: 'yes' }] })).toEqual({ b: 'yes' });
  });

  it('ignores entries without a number, and omits rubrics without an entry', () => {
    for (const id of ['c', 'first', '1.', '', true, null, [1, 2]]) {
      const rubrics = [
        { id, verdict: 'no' },
        { id: '1', verdict: 'yes' },
      ];
      expect(labels({ rubrics })).toEqual({ a: 'yes' });
    }
  });

  it.each([0, '0', 4, -1, 1_000_000])('returns undefined for a number out of range: %j', (id) => {
    const rubrics = [
      { id: 1, verdict: 'yes' },
      { id, verdict: 'no' },
    ];
    expect(labels({ rubrics })).toBeUndefined();
  });

  it('accepts repeated equal verdicts, and drops contradictory ones', () => {
    const twice = (...said: string[]) => labels({ rubrics: [...said.map((verdict) => ({ id: '1', verdict })), keep] });
    const keep = { id: '2', verdict: 'no' };
    expect(twice('yes', 'Yes')).toEqual({ a: 'yes', b: 'no' });
    expect(twice('yes', 'no')).toEqual({ b: 'no' });
    expect(twice('yes', 'not_applicable')).toEqual({ b: 'no' });
    expect(twice('yes', 'perhaps')).toEqual({ b: 'no' });
    expect(twice('perhaps', 'yes')).toEqual({ b: 'no' });
    expect(twice('yes', 'no', 'yes')).toEqual({ b: 'no' });
  });

  it('reports why an entry has no opinion', () => {
    const said = [
      { id: '1', verdict: 'yes' },
      { id: '1', verdict: 'no' },
      { id: '3', verdict: 'perhaps' },
      { id: '2', verdict: 'no' },
    ];
    expect([...(readRubricAnswer({ rubrics: said }, [...ids, 'left out'])?.unreadable ?? [])]).toEqual([
      ['a', 'it was judged twice: yes, and no'],
      ['c', 'its verdict could not be read'],
    ]);
  });

  it.each(
    [
      null,
      'yes',
      [],
      {},
      { rubrics: {} },
      { rubrics: [] },
      { rubrics: [null, '1', ['1']] },
      { verdict: 'yes', id: '1' },
    ].map((value) => [value]),
  )('returns undefined for %j, so that the sample is repeated', (value) => expect(labels(value)).toBeUndefined());

  it('handles names of built-in object properties', () => {
    const found = JSON.parse(
      '{"rubrics":[{"id":"__proto__","verdict":"yes"},{"id":"1","verdict":"no","__proto__":{"verdict":"yes"}}]}',
    );
    expect(labels(found)).toEqual({ a: 'no' });
    const read = readRubricAnswer(found, ['__proto__']);
    expect(read?.opinions.get('__proto__')?.label).toBe('no');
  });

  it('reads a verdict of a million letters in linear time', () => {
    const long = 1_000_000;
    const taken = cpuTime();
    for (const said of [' '.repeat(long), `yes${' '.repeat(long)}x`, '*'.repeat(long), `no${'"'.repeat(long)}x`]) {
      expect(one(said)).toBeUndefined();
    }
    expect(taken()).toBeLessThan(5_000);
  });
});

describe('readRubricAnswer(), for any answer,', () => {
  const label = fc.constantFrom('yes', 'no', 'not_applicable');
  const entry = fc.record({ id: fc.constantFrom('1', 2, 3, 'c'), verdict: fc.oneof(label, fc.string()) });

  it('returns only requested ids and known labels', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json().map((text): unknown => JSON.parse(text)),
          fc.record({ rubrics: fc.array(fc.anything()) }),
        ),
        (value) => {
          for (const [id, opinion] of readRubricAnswer(value, ids)?.opinions ?? []) {
            expect(ids).toContain(id);
            expect(['yes', 'no', 'not_applicable']).toContain(opinion.label);
            expect(opinion.positive).toBe(opinion.label !== 'no');
          }
        },
      ),
    );
  });

  it('does not depend on the order of the entries', () => {
    const shuffled = fc
      .array(entry, { maxLength: 8 })
      .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        expect(labels({ rubrics: other })).toEqual(labels({ rubrics: list }));
      }),
    );
  });

  it('returns an opinion if and only if all entries of a rubric have the same label', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ id: fc.constantFrom('1', '2'), verdict: fc.oneof(label, fc.constant('?')) })),
        (list) => {
          const read = labels({ rubrics: list }) ?? {};
          for (const [id, number] of [
            ['a', '1'],
            ['b', '2'],
          ] as const) {
            const said = new Set(list.filter((item) => item.id === number).map(({ verdict }) => verdict));
            const [only] = said;
            expect(read[id]).toBe(said.size === 1 && only !== '?' ? only : undefined);
          }
        },
      ),
    );
  });
});

describe('rubricAnswerSchema', () => {
  it('lists numbers and verdicts and allows nothing else', () => {
    expect(rubricAnswerSchema(2)).toMatchObject({
      required: ['rubrics'],
      additionalProperties: false,
      properties: {
        rubrics: {
          items: {
            required: ['id', 'evidence', 'rationale', 'verdict'],
            additionalProperties: false,
            properties: { id: { enum: ['1', '2'] }, verdict: { enum: ['yes', 'no', 'not_applicable'] } },
          },
        },
      },
    });
  });
});
