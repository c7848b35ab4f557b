import type { Evidence, Json } from '@agent-criteria/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readOpinions } from './opinions.ts';

const evidence = (value: Json, label = 'opinions'): Evidence => ({ kind: 'json', label, value });

it('reads what each sample said, and why one said nothing', () => {
  const value = [
    {
      ...{ sample: 0, model: 'gemini', prompt: 'match/1', from: 'cache' },
      opinions: [
        { item: 'polite', label: 'yes', rationale: 'It thanks.' },
        { item: 'short', label: 'no' },
      ],
    },
    { sample: 1, model: 'gemini', failure: 'it was cut off' },
  ];
  expect(readOpinions(evidence(value))).toEqual([value[0], { ...value[1], opinions: [] }]);
});

it.each<[string, Evidence]>([
  ['another label', evidence([{ sample: 0, opinions: [] }], 'samples')],
  ['no list', evidence({ sample: 0 })],
  ['an empty list', evidence([])],
  ['a sample without a number', evidence([{ opinions: [] }])],
  ['a sample that is a text', evidence(['0'])],
  ['opinions that are no list', evidence([{ sample: 0, opinions: { item: 'a', label: 'b' } }])],
  ['an opinion without a label', evidence([{ sample: 0, opinions: [{ item: 'a' }] }])],
  ['another kind', { kind: 'note', text: 'opinions' }],
])('leaves evidence of anything else as it is: %s', (_what, other) => {
  expect(readOpinions(other)).toBeNull();
});

it('takes any JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const read = readOpinions(evidence(value as Json));
      for (const { sample, opinions } of read ?? []) {
        expect(typeof sample).toBe('number');
        for (const { item, label } of opinions) expect([typeof item, typeof label]).toEqual(['string', 'string']);
      }
    }),
  );
});
