import type { Evidence, Json, OpinionsEvidence } from '@agent-criteria/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOpinions } from './opinions.ts';

/** Evidence as found in run folders that predate the evidence kind `opinions`. */
const older = (value: Json, label = 'opinions'): Evidence => ({ kind: 'json', label, value });

it('readOpinions returns opinions unchanged', () => {
  const opinions: OpinionsEvidence = {
    kind: 'opinions',
    questions: [{ id: 'polite' }],
    samples: [{ sample: 0, opinions: [{ question: 'polite', label: 'yes', countedAs: 'positive' }] }],
  };
  expect(readOpinions(opinions)).toBe(opinions);
});

describe('opinions of an older run folder', () => {
  it('are read, with a reason for each missing one', () => {
    const value = [
      {
        sample: 0,
        model: 'gemini',
        prompt: 'match/1',
        from: 'cache',
        opinions: [
          { item: 'polite', label: 'yes', rationale: 'It thanks.' },
          { item: 'short', label: 'no' },
        ],
      },
      { sample: 1, model: 'gemini', prompt: 'match/1', failure: 'it was cut off' },
    ];
    expect(readOpinions(older(value))).toEqual({
      kind: 'opinions',
      prompt: 'match/1',
      questions: [{ id: 'polite' }, { id: 'short' }],
      samples: [
        {
          sample: 0,
          model: 'gemini',
          from: 'cache',
          opinions: [
            { question: 'polite', label: 'yes', rationale: 'It thanks.' },
            { question: 'short', label: 'no' },
          ],
        },
        { sample: 1, model: 'gemini', opinions: [], failure: 'it was cut off' },
      ],
    });
  });

  it.each<[string, Evidence]>([
    ['another label', older([{ sample: 0, opinions: [] }], 'samples')],
    ['no list', older({ sample: 0 })],
    ['an empty list', older([])],
    ['a sample without a number', older([{ opinions: [] }])],
    ['a sample that is a text', older(['0'])],
    ['one invalid sample of two', older([{ sample: 0, opinions: [] }, null])],
    ['opinions that are not a list', older([{ sample: 0, opinions: { item: 'a', label: 'b' } }])],
    ['an opinion without a label', older([{ sample: 0, opinions: [{ item: 'a' }] }])],
    ['another kind', { kind: 'note', text: 'opinions' }],
  ])('are not read from evidence with another structure: %s', (_what, other) => {
    expect(readOpinions(other)).toBeNull();
  });

  it('are read from arbitrary JSON, and only refer to known questions', () => {
    const said = fc.record(
      {
        sample: fc.oneof(fc.nat(), fc.jsonValue()),
        opinions: fc.array(fc.record({ item: fc.string(), label: fc.string(), rationale: fc.jsonValue() })),
        from: fc.constantFrom('live', 'cache', 'hearsay'),
        model: fc.jsonValue(),
        prompt: fc.jsonValue(),
        failure: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.array(said)), (value) => {
        const read = readOpinions(older(value as Json));
        const ids = read?.questions.map(({ id }) => id) ?? [];
        expect(new Set(ids).size).toBe(ids.length);
        for (const { sample, opinions } of read?.samples ?? []) {
          expect(typeof sample).toBe('number');
          for (const { question } of opinions) expect(ids).toContain(question);
        }
        // The result survives being saved and read again.
        if (read !== null) expect(readOpinions(JSON.parse(JSON.stringify(read)))).toEqual(read);
      }),
    );
  });
});
