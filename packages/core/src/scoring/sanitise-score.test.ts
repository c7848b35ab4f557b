import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitiseScore } from './sanitise-score.ts';

const range = { min: 0, max: 1, better: 'higher' } as const;

/** Returns an object whose value is a number when it is checked, but not when it is used. */
function changing(): object {
  let reads = 0;
  return {
    get value() {
      reads += 1;
      return reads % 2 === 1 ? 1 : Number.NaN;
    },
  };
}

describe('sanitiseScore', () => {
  it('leaves a valid score unchanged', () => {
    const score = { value: 0.5, reason: 'half', evidence: [{ kind: 'note', text: 'seen' }], warnings: ['mind this'] };
    expect(sanitiseScore(score, range)).toEqual(score);
  });

  it('explains what to return instead of a bare number', () => {
    expect(sanitiseScore(0.5, range).reason).toBe(
      'the criterion returned 0.5, which is not a score: return { value: 0.5 }',
    );
    expect(sanitiseScore(true, range).reason).toContain('return { value: 1 }');
    expect(sanitiseScore(undefined, range).reason).toContain('return { value: NUMBER }');
  });

  it.each([
    ['nothing', undefined],
    ['a bare number', 1],
    ['NaN', { value: Number.NaN }],
    ['infinity', { value: Number.POSITIVE_INFINITY }],
    ['a value above the range', { value: 1.1 }],
    ['a value below the range', { value: -0.1 }],
    ['a text', { value: '1' }],
    ['true', { value: true }],
    ['no parts', { parts: [] }],
    ['parts that are no list', { parts: {} }],
    ['value and parts', { value: 1, parts: [{ id: 'a', kind: 'rubric', value: 1 }] }],
    ['null without a kind of missing', { value: null }],
    ['an unknown kind of missing', { value: null, missing: 'skipped' }],
    ['a value that could not be judged', { value: 1, missing: 'could-not-judge', reason: 'the service was down' }],
    ['a value that is not applicable', { value: 0, missing: 'not-applicable' }],
    ['a value with an unknown kind of missing', { value: 1, missing: 'skipped' }],
    ['a BigInt', { value: 1n }],
    ['an object that is a number', { value: Object(1) }],
    ['an object that says that it is one', { value: { valueOf: () => 1, toString: () => '1' } }],
    ['a list of a number', { value: [1] }],
    ['a map', new Map([['value', 1]])],
    // biome-ignore lint/suspicious/noThenProperty: a plugin may return such an object.
    ['a promise of a score', { then: (done: (score: object) => void) => done({ value: 1 }) }],
    ['a function', () => ({ value: 1 })],
    ['a value that changes whenever it is read', changing()],
    ['parts and missing', { parts: [{ id: 'a', kind: 'rubric', value: 1 }], missing: 'not-applicable' }],
  ])('turns %s into could-not-judge, with a reason', (_what, returned) => {
    const score = sanitiseScore(returned, range);
    expect(score).toMatchObject({ value: null, missing: 'could-not-judge' });
    expect(score.reason).not.toBe('');
  });

  it('reports both sides of a contradiction, along with the reason given', () => {
    const returned = { value: 1, missing: 'could-not-judge', reason: 'the service was down' };
    expect(sanitiseScore(returned, range).reason).toBe(
      'the criterion contradicts itself: it returned both the value 1 and missing "could-not-judge": the service was down',
    );
    const part = { id: 'a', kind: 'rubric', ...returned };
    expect(sanitiseScore({ parts: [part] }, range)).toMatchObject({ parts: [{ value: null }] });
    expect(sanitiseScore({ value: 1, missing: undefined }, range)).toEqual({ value: 1 });
    expect(sanitiseScore({ value: 1, missing: null }, range)).toEqual({ value: 1 });
  });

  it.each([
    [{ value: 0.25 }, { value: 0.25 }],
    [{ value: 2 }, 'the overall score 2 is outside the range 0 to 1'],
    [{ value: Number.NaN }, 'the overall score is NaN, which is not a number'],
    [{ value: '1' }, 'the overall score is a string, which is not a number'],
    [{ value: null }, 'the criterion returned no overall score'],
    [7, 'the overall score is undefined, which is not a number'],
    [{ value: 1, missing: 'could-not-judge' }, 'it returned both the overall score 1 and missing "could-not-judge"'],
  ])('accepts the overall score %j, or explains why not', (overall, expected) => {
    const score = sanitiseScore({ value: 1, overall }, range);
    expect(score).toMatchObject({ value: 1 });
    if (typeof expected !== 'string') expect(score.overall).toEqual(expected);
    else {
      expect(score.overall).toMatchObject({ value: null, missing: 'could-not-judge' });
      expect(score.overall?.reason).toContain(expected);
    }
  });

  it('checks parts one by one', () => {
    const parts = [
      { id: 'a', kind: 'rubric', value: 1 },
      { id: 'b', kind: 'sentence', value: 7 },
      null,
      { value: 0, kind: 'nonsense' },
    ];
    expect(sanitiseScore({ parts }, range)).toMatchObject({
      parts: [
        { id: 'a', kind: 'rubric', value: 1 },
        { id: 'b', kind: 'sentence', value: null, missing: 'could-not-judge' },
        { id: '2', kind: 'step', value: null, missing: 'could-not-judge' },
        { id: '3', kind: 'step', value: 0 },
      ],
    });
  });

  it('survives cyclic parts and evidence that is not JSON', () => {
    const cycle: { parts: unknown[] } = { parts: [] };
    cycle.parts.push(cycle);
    expect(JSON.stringify(sanitiseScore(cycle, range))).toContain('could-not-judge');
    const loop: Record<string, unknown> = { kind: 'json' };
    loop.value = loop;
    expect(sanitiseScore({ value: 1, evidence: [loop] }, range)).toMatchObject({
      value: 1,
      evidence: [{ kind: 'note' }],
    });
  });

  it('rejects evidence that lacks a field of its kind', () => {
    const bad = [
      { kind: 'vote', positive: 1 },
      { kind: 'words', missing: 5, extra: [] },
      { kind: 'diff', expected: 1 },
    ];
    const good = [
      { kind: 'vote', positive: 1, negative: 0, unreadable: 0, of: 1 },
      { kind: 'diff', expected: 1, actual: 2 },
    ];
    expect(sanitiseScore({ value: 1, evidence: [...bad, ...good] }, range).evidence).toEqual([
      ...bad.map((value) => ({ kind: 'json', value })),
      ...good,
    ]);
  });

  const opinions = {
    kind: 'opinions',
    prompt: 'polite/1',
    questions: [{ id: 'thanks', text: 'It thanks.' }, { id: 'short' }],
    samples: [
      {
        sample: 0,
        model: 'judge',
        from: 'cache',
        opinions: [
          { question: 'thanks', label: 'yes', rationale: 'It does.', countedAs: 'positive' },
          { question: 'short', unreadable: 'the judge contradicted itself' },
        ],
      },
      { sample: 1, opinions: [], failure: 'the judge failed: 503' },
      { sample: 2, opinions: [{ question: 'short', label: 'late', countedAs: null }] },
    ],
  };
  const sampleWith = (own: object) => ({ ...opinions, samples: [{ sample: 0, opinions: [], ...own }] });
  const opinionWith = (own: object) => sampleWith({ opinions: [{ question: 'thanks', label: 'yes', ...own }] });

  it('keeps opinions, including samples that have none', () => {
    const evidence = [opinions, { kind: 'opinions', questions: [], samples: [] }, opinionWith({})];
    expect(sanitiseScore({ value: 1, evidence }, range).evidence).toEqual(evidence);
  });

  it.each<[string, object]>([
    ['no questions', { ...opinions, questions: undefined }],
    ['a question without an id', { ...opinions, questions: [{ text: 'It thanks.' }] }],
    ['a question twice', { ...opinions, questions: [...opinions.questions, { id: 'short' }] }],
    ['a prompt that is no text', { ...opinions, prompt: 1 }],
    ['samples that are no list', { ...opinions, samples: {} }],
    ['a sample that is none', { ...opinions, samples: [null] }],
    ['a sample without a number', sampleWith({ sample: undefined })],
    ['a sample before the first', sampleWith({ sample: -1 })],
    ['a source that there is not', sampleWith({ from: 'hearsay' })],
    ['a sample without a list', sampleWith({ opinions: undefined })],
    ['opinions of a sample that failed', { ...opinions, samples: [{ ...opinions.samples[0], failure: 'cut off' }] }],
    ['an opinion on no question', opinionWith({ question: 'kind' })],
    ['two opinions on one question', sampleWith({ opinions: [0, 1].map(() => ({ question: 'short', label: 'no' })) })],
    ['an opinion without a label', sampleWith({ opinions: [{ question: 'thanks' }] })],
    ['an opinion that was and was not read', opinionWith({ unreadable: 'it was cut off' })],
    ['a side that there is not', opinionWith({ countedAs: 'yes' })],
    ['a rationale that is no text', opinionWith({ rationale: 1 })],
  ])('rejects opinions with %s', (_what, broken) => {
    const value: unknown = JSON.parse(JSON.stringify(broken));
    expect(sanitiseScore({ value: 1, evidence: [broken] }, range).evidence).toEqual([{ kind: 'json', value }]);
  });

  it('returns plain JSON for any input, and is idempotent', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        (returned) => {
          const score = sanitiseScore(returned, range);
          expect(JSON.parse(JSON.stringify(score))).toEqual(score);
          expect(sanitiseScore(score, range)).toEqual(score);
        },
      ),
    );
  });
});

describe('the adkValue of a score', () => {
  const unjudged = { value: null, missing: 'could-not-judge', reason: 'no majority' };

  it('is kept if it is a number in the range', () => {
    expect(sanitiseScore({ ...unjudged, adkValue: 1 }, range)).toEqual({ ...unjudged, adkValue: 1 });
    expect(sanitiseScore({ ...unjudged, missing: 'not-applicable', adkValue: 0 }, range)).toMatchObject({
      adkValue: 0,
    });
  });

  it('may be null although the score has a number', () => {
    expect(sanitiseScore({ value: 1, adkValue: null }, range)).toEqual({ value: 1, adkValue: null });
  });

  it.each([Number.NaN, 2, -1, '1'])('is dropped if it is %s', (adkValue) => {
    expect(sanitiseScore({ ...unjudged, adkValue }, range)).toEqual(unjudged);
  });
});
