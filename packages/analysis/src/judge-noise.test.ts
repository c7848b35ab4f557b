import { createRandom, normalQuantile } from '@agent-criteria/statistics';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allRuns } from '../../../test/runs.ts';
import { meanOf } from './estimate.ts';
import type { Instrument } from './instrument.ts';
import { type JudgedAgain, judgeNoise, noiseFile } from './judge-noise.ts';

const instrument: Instrument = {
  criterion: 'polite',
  options: 'o',
  origin: 'p 1',
  prompts: ['polite/1'],
  judges: ['m'],
};

const again = (caseId: string, scores: readonly (number | null)[], repeat = 0): JudgedAgain => ({
  setId: 'home',
  caseId,
  group: null,
  repeat,
  scores,
  verdicts: [scores.map((score) => (score === null ? null : score >= 0.5))],
});

it('a judge that always gives the same score has no noise, so all noise is the agent’s', () => {
  const noise = judgeNoise(instrument, [
    again('a', [1, 1]),
    again('a', [0, 0], 1),
    again('b', [1, 1]),
    again('b', [1, 1], 1),
  ]);
  expect(noise).toMatchObject({
    flipped: { value: 0, cases: 2 },
    judgeSd: 0,
    agentSd: 0.5,
    judgeShare: 0,
    differenceFloor: { unknown: 'the judge gave the same score each time' },
    flips: [],
  });
});

it('all noise is the judge’s if it varies while the agent does not', () => {
  const noise = judgeNoise(instrument, [
    again('a', [1, 0]),
    again('a', [0, 1], 1),
    again('b', [1, 0]),
    again('b', [1, 0], 1),
  ]);
  expect(noise).toMatchObject({ flipped: { value: 1 }, differ: { value: 1 }, agentSd: 0, judgeShare: 1 });
  expect(noise.judgeSd).toBeCloseTo(Math.SQRT1_2);
  expect(noise.flips).toHaveLength(4);
});

it('the agent’s noise is unknown with one repeat, and the judge’s if it judged once', () => {
  expect(judgeNoise(instrument, [again('a', [1, 0]), again('b', [1, 1])])).toMatchObject({
    judgeSd: expect.any(Number),
    agentSd: { unknown: 'each case ran only once; use a run with repeats' },
  });
  const once = { unknown: 'no conversation was judged twice' };
  expect(judgeNoise(instrument, [again('a', [1])])).toMatchObject({
    judgeSd: once,
    agentSd: once,
    differenceFloor: once,
  });
  expect(judgeNoise(instrument, [again('a', [null, null])])).toMatchObject({ unjudged: 2, flipped: { value: null } });
});

it('noise is reported for each rubric', () => {
  const ofRubrics = (caseId: string, kind: readonly boolean[], short: readonly (boolean | null)[]) => ({
    ...again(caseId, [1, 1, 1]),
    rubrics: [
      { rubric: 'kind', verdicts: [kind] },
      { rubric: 'short', verdicts: [short] },
    ],
  });
  const noise = judgeNoise(instrument, [
    ofRubrics('a', [true, true, false], [true, true, true]),
    ofRubrics('b', [true, true, true], [false, null, null]),
  ]);
  expect(noise).toMatchObject({ flipped: { value: 0 }, flips: [] });
  expect(noise.rubrics).toMatchObject([
    { rubric: 'kind', verdicts: 2, flipped: { value: 0.5 }, flips: [{ caseId: 'a', passed: 2, of: 3 }] },
    { rubric: 'short', verdicts: 1, flipped: { value: 0 }, flips: [] },
  ]);
  expect(judgeNoise(instrument, [again('a', [1, 0])]).rubrics).toEqual([]);
});

it('judging the same answers twice gives scores that differ by less than the floor in 95 of 100 cases', () => {
  const random = createRandom(7);
  const normal = () => normalQuantile(((random() >>> 0) + 0.5) / 2 ** 32);
  const judged = (score: number) => Math.min(1, Math.max(0, score + 0.15 * normal()));
  const draws = allRuns ? 1500 : 300;
  let [held, floors] = [0, 0];
  for (let draw = 0; draw < draws; draw++) {
    // 20 cases, half of them with two conversations.
    const scores = Array.from({ length: 30 }, (_, index) => ({
      id: `c-${index % 20}`,
      score: 0.3 + 0.4 * ((index % 7) / 6),
    }));
    const five = scores.map(({ id, score }, index) =>
      again(
        id,
        Array.from({ length: 5 }, () => judged(score)),
        index < 20 ? 0 : 1,
      ),
    );
    const floor = judgeNoise(instrument, five).differenceFloor as number;
    const mean = () => {
      const cases = new Map<string, number[]>();
      for (const { id, score } of scores) cases.set(id, [...(cases.get(id) ?? []), judged(score)]);
      return meanOf([...cases.values()].map(meanOf));
    };
    floors += floor;
    if (Math.abs(mean() - mean()) < floor) held += 1;
  }
  expect(held / draws).toBeGreaterThan(allRuns ? 0.93 : 0.91);
  expect(held / draws).toBeLessThan(allRuns ? 0.97 : 0.985);
  expect(floors / draws).toBeCloseTo((1.96 * Math.sqrt(2 * 0.15 ** 2 * (10 / 1 + 10 / 2))) / 20, 2);
});

it('a noise file contains no text from an agent or a judge', () => {
  const noise = judgeNoise(instrument, [again('a', [1, 0, 1]), again('b', [1, 1, 1])]);
  expect(noiseFile([noise], 'run-1', new Date(0)).entries).toMatchObject([
    { measured: 'noise', criterion: 'polite', repeats: 3, cases: 2, flipped: { value: 0.5 } },
  ]);
});

it('shares of noise are between 0 and 1, and do not depend on the order of the rounds of judging', () => {
  const scores = fc.array(fc.array(fc.constantFrom(0, 0.5, 1), { minLength: 3, maxLength: 3 }), {
    minLength: 2,
    maxLength: 12,
  });
  fc.assert(
    fc.property(scores, (all) => {
      const noise = judgeNoise(
        instrument,
        all.map((own, index) => again(`c${index >> 1}`, own, index & 1)),
      );
      const turned = judgeNoise(
        instrument,
        all.map((own, index) => again(`c${index >> 1}`, own.toReversed(), index & 1)),
      );
      expect(turned.differ.value).toBeCloseTo(noise.differ.value as number, 12);
      for (const { value } of [noise.flipped, noise.differ]) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }
      expect(noise.differ.value).toBeLessThanOrEqual((noise.flipped.value as number) + 1e-12);
      if (typeof noise.judgeShare === 'number') expect(noise.judgeShare).toBeLessThanOrEqual(1);
    }),
  );
});
