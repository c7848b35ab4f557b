import { decide } from '@agent-criteria/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { conversation, scoreLed, turnJudge, turnsOf } from './__fixtures__/per-turn-cases.ts';

type Said = boolean | null;

/** A judge's samples for each message from the second on, and for the ending. */
const heard = fc
  .record({ turns: fc.integer({ min: 1, max: 4 }), samples: fc.integer({ min: 1, max: 5 }) })
  .chain(({ turns, samples }) =>
    fc.record({
      turns: fc.constant(turns),
      samples: fc.constant(samples),
      says: fc.array(
        fc.array(
          fc.oneof(
            { weight: 5, arbitrary: fc.constant<Said>(true) },
            { weight: 2, arbitrary: fc.constant<Said>(false) },
            { weight: 1, arbitrary: fc.constant<Said>(null) },
          ),
          { minLength: samples, maxLength: samples },
        ),
        { minLength: turns, maxLength: turns },
      ),
      threshold: fc.constantFrom(0, 0.5, 0.75, 1),
      compat: fc.constantFrom<'adk' | null>('adk', null),
      lost: fc.tuple(fc.nat(), fc.nat()),
    }),
  );

async function judged(
  says: readonly (readonly Said[])[],
  {
    samples,
    threshold,
    compat,
  }: { readonly samples: number; readonly threshold: number; readonly compat: 'adk' | null },
) {
  const judge = turnJudge(({ turn, sample }) => says[turn - 1]?.[sample] ?? 'I cannot tell.');
  const { criterion } = await scoreLed({
    inference: conversation(turnsOf(says.length)),
    judge,
    threshold,
    compat,
    options: { judge_model_options: { num_samples: samples } },
  });
  return criterion;
}

it('an unreadable sample never makes a conversation pass, in either mode', async () => {
  await fc.assert(
    fc.asyncProperty(heard, async ({ says, lost: [turn, sample], ...how }) => {
      const less = says.map((all, index) =>
        index === turn % says.length ? all.map((said, at) => (at === sample % all.length ? null : said)) : all,
      );
      const [before, after] = [await judged(says, how), await judged(less, how)];
      if (before.verdict !== 'passed') expect(after.verdict).not.toBe('passed');
    }),
    { numRuns: runs(150) },
  );
});

it('the last turn gets the worse of the scores of its message and its ending, or could-not-judge', async () => {
  const valueOfVote = (all: readonly Said[]): number | null => {
    const positive = all.filter((said) => said === true).length;
    const negative = all.filter((said) => said === false).length;
    const outcome = decide(all.length, { positive, negative, unreadable: all.length - positive - negative });
    return outcome === 'positive' ? 1 : outcome === 'negative' ? 0 : null;
  };
  await fc.assert(
    fc.asyncProperty(heard, async ({ says, ...how }) => {
      const found = await judged(says, { ...how, compat: null });
      const messages = [1, ...says.slice(0, -1).map(valueOfVote)];
      const ending = valueOfVote(says.at(-1) ?? []);
      const message = messages.at(-1) ?? null;
      const last = message === 0 || ending === 0 ? 0 : message === null || ending === null ? null : 1;
      expect(found.turns.map(({ value }) => value)).toEqual([...messages.slice(0, -1), last]);
    }),
    { numRuns: runs(150) },
  );
});
