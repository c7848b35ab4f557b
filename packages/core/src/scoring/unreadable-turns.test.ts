import { evalCase } from '@agent-criteria/formats/eval-set';
import { describe, expect, it } from 'vitest';
import type { Criterion } from '../contracts/criterion.ts';
import type { CutOff } from '../contracts/transcript.ts';
import { defineCriterion } from '../define-criterion.ts';
import { createRegistry } from '../registry/registry.ts';
import { resolveEvalConfig } from '../resolve/resolve-eval-config.ts';
import { evalSet, inference, unit } from '../testing/builders.ts';
import { scoreUnit } from './score-unit.ts';

const turns = [
  { user: 'a', answer: 'A' },
  { user: 'b', answer: 'B' },
];
const set = evalSet([evalCase('one', turns)]);

const make = (more: object = {}): Criterion =>
  defineCriterion({
    name: 'mine',
    description: 'Only for these tests.',
    evaluate: () => ({ value: 1 }),
    ...more,
  } as never) as Criterion;

/** Returns the scores of an inference whose second answer was truncated. */
async function scored(
  criterion: Criterion,
  {
    compat = null,
    cutOff = [{ turn: 1, reason: 'MAX_TOKENS' }],
    cases = set,
  }: {
    compat?: 'adk' | null;
    cutOff?: readonly CutOff[];
    cases?: typeof set;
  } = {},
) {
  const config = { criteria: { mine: 1 } };
  const plan = resolveEvalConfig({ evalSet: cases, config, registry: createRegistry([criterion]), compat });
  const [first] = cases.evalCases;
  if (first === undefined) throw new Error('the set has a case');
  const { criteria } = await scoreUnit(plan, unit(first), inference(turns, { cutOff }));
  return criteria[0]?.scores ?? [];
}

const lost = (reason: string) => ({ value: null, missing: 'could-not-judge', reason });

describe('a truncated answer', () => {
  it('cannot be judged by a criterion that reads answers, which is not called for it', async () => {
    let asked = 0;
    const counting = make({ evaluate: () => ({ value: Math.min(++asked, 1) }) });
    expect(await scored(counting)).toEqual([{ value: 1 }, lost("the agent's answer was cut off (MAX_TOKENS)")]);
    expect(asked).toBe(1);
  });

  it('prevents the conversation from being judged as a whole', async () => {
    const whole = make({ scope: 'conversation' });
    expect(await scored(whole)).toEqual([lost("the agent's answer in turn 2 was cut off (MAX_TOKENS)")]);
    expect(await scored(whole, { cutOff: [] })).toEqual([{ value: 1 }]);
  });

  it('is judged by criteria that compare calls, and by criteria that declare that they read no answers', async () => {
    for (const more of [
      { needs: { reference: 'tools' } },
      { readsAnswer: false },
      { readsAnswer: false, scope: 'conversation' },
    ])
      expect((await scored(make(more))).every((score) => 'value' in score && score.value === 1)).toBe(true);
    expect(await scored(make({ needs: { reference: 'tools' }, readsAnswer: true }))).toMatchObject([
      { value: 1 },
      { value: null },
    ]);
  });

  it('does not matter if there is nothing to judge', async () => {
    const evaluate = ({ expected }: { expected: { finalResponse?: unknown } | null }) =>
      expected?.finalResponse ? { value: 1 } : { value: null, missing: 'not-applicable', reason: 'no answer expected' };
    const compares = make({ needs: { reference: 'response' }, evaluate });
    const half = evalSet([evalCase('one', [{ user: 'a', answer: 'A' }, { user: 'b' }])]);
    expect(await scored(compares, { cases: half })).toMatchObject([{ value: 1 }, { missing: 'not-applicable' }]);
    expect(await scored(compares)).toMatchObject([{ value: 1 }, { missing: 'could-not-judge' }]);
  });

  it('is treated like any other in compat mode', async () => {
    expect(await scored(make(), { compat: 'adk' })).toEqual([{ value: 1 }, { value: 1 }]);
  });
});
