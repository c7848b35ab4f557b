import { evalCase } from '@agent-criteria/formats/eval-set';
import { describe, expect, it } from 'vitest';
import { defineCriterion } from '../define-criterion.ts';
import { noOptions, optionsSchema } from '../options-schema.ts';
import { evalSet } from '../testing/builders.ts';
import { defineEvalConfig } from './define-eval-config.ts';
import { resolveEvalConfig } from './resolve-eval-config.ts';

const origin = { package: 'test', version: '1.0.0' };

const match = defineCriterion<'match', { mode?: 'exact' | 'loose' }, { mode: 'exact' | 'loose' }, true>({
  name: 'match',
  origin,
  description: 'for these tests only',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: optionsSchema(
    {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value) => ({ value: { mode: 'exact', ...(value as object) } }),
      },
    },
    { type: 'object', properties: { mode: { enum: ['exact', 'loose'] } } },
  ),
  scope: 'turn',
  evaluate: () => ({ value: 1 }),
});

const count = defineCriterion({
  name: 'count',
  origin,
  description: 'for these tests only',
  decides: false,
  range: { min: 0, max: null, better: 'lower' },
  options: noOptions,
  scope: 'turn',
  evaluate: () => ({ value: 1 }),
});

describe('defineEvalConfig', () => {
  it('infers and completes names and options, and its result can be resolved', () => {
    const config = defineEvalConfig({
      plugins: [match, count],
      criteria: { match: { threshold: 0.5, mode: 'loose' } },
      agentCriteria: { measure: ['count'] },
    });
    const plan = resolveEvalConfig({ evalSet: evalSet([evalCase('one', [{ user: 'Hello' }])]), config });
    expect(plan.criteria.map(({ name, options }) => [name, options])).toEqual([
      ['match', { mode: 'loose' }],
      ['count', {}],
    ]);
    expect(defineEvalConfig({ plugins: [match], criteria: { match: 0.5 } }).criteria.match).toBe(0.5);
  });

  // These lines are checked by the type checker: a directive with no error below it fails the build.
  it('rejects meaningless configs at compile time', () => {
    const plugins = [match, count] as const;
    // @ts-expect-error a typo in a name
    defineEvalConfig({ plugins, criteria: { mach: 0.5 } });
    // @ts-expect-error a wrong option
    defineEvalConfig({ plugins, criteria: { match: { threshold: 0.5, mode: 'fuzzy' } } });
    // @ts-expect-error an unknown option
    defineEvalConfig({ plugins, criteria: { match: { threshold: 0.5, moed: 'loose' } } });
    // @ts-expect-error a missing threshold
    defineEvalConfig({ plugins, criteria: { match: { mode: 'loose' } } });
    // @ts-expect-error a threshold on a count
    defineEvalConfig({ plugins, criteria: { count: 3 } });
    // @ts-expect-error a threshold on a count, as an option
    defineEvalConfig({ plugins, criteria: { count: { threshold: 3 } } });
    // @ts-expect-error a criterion that no plugin defines
    defineEvalConfig({ plugins, criteria: {}, agentCriteria: { measure: ['cuont'] } });
    // @ts-expect-error a threshold that is not a number
    defineEvalConfig({ plugins, criteria: { match: true } });
    expect(plugins).toHaveLength(2);
  });
});
