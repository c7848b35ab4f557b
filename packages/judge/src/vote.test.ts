import { decide } from '@agent-criteria/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allRuns, runs } from '../../../test/runs.ts';
import { ballotOf, collectSamples, type Opinion, opinionsEvidence, type Sample, voteScore } from './vote.ts';

type Said = 'yes' | 'no' | null;
const opinion = (said: 'yes' | 'no'): Opinion => ({
  positive: said === 'yes',
  label: said,
  rationale: `because ${said}`,
});
const sample = (...said: readonly Said[]): Sample => ({
  opinions: new Map(said.flatMap((one, item) => (one === null ? [] : [[`item ${item}`, opinion(one)] as const]))),
  ...(said.every((one) => one === null) ? { failure: 'unreadable' } : {}),
  model: 'scripted',
});
const outcomeOf = (samples: readonly Sample[], count: number) => {
  const score = voteScore(samples, 'item 0', count);
  return 'value' in score ? score.value : undefined;
};

/** Yields all combinations of `count` opinions. */
function* outcomes(count: number): Generator<Said[]> {
  if (count === 0) return yield [];
  for (const rest of outcomes(count - 1)) for (const said of ['yes', 'no', null] as const) yield [...rest, said];
}

async function vote(all: readonly Said[], early: boolean) {
  let asked = 0;
  const ask = async (index: number) => {
    asked += 1;
    return sample(all[index] ?? null);
  };
  const samples = await collectSamples(all.length, ['item 0'], ask, early);
  return { samples, asked };
}

describe('collectSamples() with early stopping', () => {
  // Nine samples have almost twenty thousand combinations.
  it.each([1, 2, 3, 4, 5, 6, 7, 8, ...(allRuns ? [9] : [])])(
    'gives the same verdict as all %i samples, for every combination',
    async (count) => {
      for (const all of outcomes(count)) {
        const { samples, asked } = await vote(all, true);
        expect(outcomeOf(samples, count)).toBe(
          outcomeOf(
            all.map((said) => sample(said)),
            count,
          ),
        );
        // It stopped as soon as no further sample could change the verdict.
        const before = asked - 1;
        if (before > Math.floor(count / 2)) {
          expect(decide(count, ballotOf(samples.slice(0, before), 'item 0'))).toBe('undecided');
        }
      }
    },
  );
});

it('collectSamples() first requests as many samples at once as a decision needs, then one at a time', async () => {
  const underWay: number[] = [];
  let now = 0;
  const said: readonly Said[] = ['yes', 'no', 'yes', 'no', 'yes'];
  await collectSamples(5, ['item 0'], async (index) => {
    underWay.push(++now);
    await new Promise((settle) => setTimeout(settle, 5));
    now -= 1;
    return sample(said[index] ?? null);
  });
  expect(underWay).toEqual([1, 2, 3, 1, 1]);
});

it('collectSamples() requests all samples if early stopping is off, as in ADK', async () => {
  const { asked } = await vote(['yes', 'yes', 'yes', 'yes', 'yes'], false);
  expect(asked).toBe(5);
});

it.each<[string, Said[], number]>([
  ['unanimous', ['yes', 'yes', 'yes', 'yes', 'yes'], 3],
  ['4:1 with the minority first', ['no', 'yes', 'yes', 'yes', 'yes'], 4],
  ['3:2', ['no', 'yes', 'no', 'yes', 'yes'], 5],
  ['a judge that always fails', [null, null, null, null, null], 3],
])('a vote that is %s takes %o of five calls', async (_what, all, calls) => {
  expect((await vote(all, true)).asked).toBe(calls);
});

it('collectSamples() continues until every item is decided', async () => {
  const said: readonly (readonly Said[])[] = [
    ['yes', 'yes'],
    ['yes', 'no'],
    ['yes', null],
    [null, 'yes'],
    [null, 'yes'],
  ];
  const samples = await collectSamples(5, ['item 0', 'item 1'], async (index) => sample(...(said[index] ?? [])));
  expect(samples).toHaveLength(5);
  expect(voteScore(samples, 'item 0', 5)).toMatchObject({ value: 1 });
  expect(voteScore(samples, 'item 1', 5)).toMatchObject({ value: 1 });
});

it('collectSamples() returns the same samples whatever their order of arrival', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom<Said>('yes', 'no', null), { minLength: 1, maxLength: 7 }),
      fc.scheduler(),
      async (all, scheduler) => {
        const running = collectSamples(all.length, ['item 0'], (index) =>
          scheduler.schedule(Promise.resolve(sample(all[index] ?? null))),
        );
        await scheduler.waitFor(running);
        expect(await running).toEqual((await vote(all, true)).samples);
      },
    ),
    { numRuns: runs(200) },
  );
});

describe('the score of a vote', () => {
  it('has the reason from the first sample on the winning side, and the counts', () => {
    const samples = [sample('no'), sample('yes'), sample('yes')];
    expect(voteScore(samples, 'item 0', 3)).toEqual({
      value: 1,
      reason: 'because yes',
      evidence: [{ kind: 'vote', positive: 2, negative: 1, unreadable: 0, of: 3 }],
    });
  });

  it('is negative on a tie', () => {
    expect(voteScore([sample('yes'), sample('no')], 'item 0', 2)).toMatchObject({ value: 0, reason: 'because no' });
  });

  it("explains a missing majority, with ADK's value", () => {
    const score = voteScore([sample('yes'), sample(null), sample(null)], 'item 0', 3);
    expect(score).toMatchObject({ value: null, missing: 'could-not-judge', adkValue: 1 });
    expect(score.reason).toBe('2 of 3 samples gave no opinion (1 for, 0 against): unreadable');
    expect(voteScore([sample(null)], 'item 0', 1)).not.toHaveProperty('adkValue');
  });

  it('explains that the judge did not mention an item', () => {
    const score = voteScore([sample('yes', null)], 'item 1', 1);
    expect(score).toMatchObject({
      value: null,
      reason: '1 of 1 samples gave no opinion: the judge did not mention it',
    });
  });
});

describe('opinionsEvidence()', () => {
  it('lists each sample’s opinion on each question and how it counted, or why there is none', () => {
    const samples: readonly Sample[] = [
      { ...sample('yes', 'no'), from: 'cache' },
      { ...sample('no', null), unreadable: new Map([['item 1', 'it was judged twice']]) },
      sample(null, 'yes'),
      { opinions: new Map(), failure: 'the judge failed: no connection', callFailed: true, model: 'scripted' },
    ];
    const questions = [{ id: 'item 0', text: 'It is so.' }, { id: 'item 1' }];
    expect(JSON.parse(JSON.stringify(opinionsEvidence(samples, questions, 'any/1')))).toEqual({
      kind: 'opinions',
      prompt: 'any/1',
      questions,
      samples: [
        {
          sample: 0,
          model: 'scripted',
          from: 'cache',
          opinions: [
            { question: 'item 0', label: 'yes', rationale: 'because yes', countedAs: 'positive' },
            { question: 'item 1', label: 'no', rationale: 'because no', countedAs: 'negative' },
          ],
        },
        {
          sample: 1,
          model: 'scripted',
          opinions: [
            { question: 'item 0', label: 'no', rationale: 'because no', countedAs: 'negative' },
            { question: 'item 1', unreadable: 'it was judged twice' },
          ],
        },
        {
          sample: 2,
          model: 'scripted',
          opinions: [
            { question: 'item 0', unreadable: 'the judge did not mention it' },
            { question: 'item 1', label: 'yes', rationale: 'because yes', countedAs: 'positive' },
          ],
        },
        { sample: 3, model: 'scripted', opinions: [], failure: 'the judge failed: no connection' },
      ],
    });
  });
});

describe('a vote in compat mode with a failed call', () => {
  const failed: Sample = {
    opinions: new Map(),
    failure: 'the judge failed: no connection',
    callFailed: true,
    model: 'm',
  };

  it("keeps its score if it is decided, although ADK's value is null", () => {
    const score = voteScore([sample('no'), sample('no'), failed], 'item 0', 3, 'adk');
    expect(score).toMatchObject({ value: 0, adkValue: null });
    expect(voteScore([sample('no'), sample('no'), failed], 'item 0', 3)).not.toHaveProperty('adkValue');
  });

  it("has neither a score nor ADK's value if it is undecided", () => {
    const score = voteScore([sample('yes'), failed, failed], 'item 0', 3, 'adk');
    expect(score).toMatchObject({ value: null, missing: 'could-not-judge' });
    expect(score).not.toHaveProperty('adkValue');
  });
});

it('collectSamples() rejects with the first rejection by index, after all calls in flight have settled', async () => {
  let underWay = 0;
  const ask = async (index: number): Promise<Sample> => {
    underWay += 1;
    await new Promise((settle) => setTimeout(settle, index === 0 ? 1 : 30 - 5 * index));
    underWay -= 1;
    if (index === 0) return sample('yes');
    throw new Error(`no more at ${index}`);
  };
  await expect(collectSamples(5, ['item 0'], ask)).rejects.toThrow('no more at 1');
  expect(underWay).toBe(0);
});
