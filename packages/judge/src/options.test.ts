import { defineCriterion, type JsonSchema, noOptions, optionsSchema } from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { evalCase, evalSet, scriptedModel } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { judgeName, withJudgeOptions } from './options.ts';

const own = z.object({ strict: z._default(z.boolean(), false) });
const options = withJudgeOptions(optionsSchema(own, z.toJSONSchema(own, { io: 'input' }) as JsonSchema), 3);
const criterion = defineCriterion({
  name: 'judged',
  origin: { package: 'test', version: '1.0.0' },
  description: 'for these tests only',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options,
  models: (given) => [judgeName(given)],
  scope: 'turn',
  evaluate: () => ({ value: 1 }),
});

/** Reads options as written in a config file. */
function optionsOf(written: object): unknown {
  const models = (name: string) => scriptedModel([], name);
  const config = { criteria: { judged: { threshold: 1, ...written } } };
  const plan = resolveEvalConfig({
    evalSet: evalSet([evalCase('one', [{ user: 'Hello' }])]),
    config,
    registry: createRegistry([criterion]),
    models,
  });
  return plan.criteria[0]?.options;
}

const defaults = { strict: false, judgeModelOptions: { judgeModelConfig: {}, numSamples: 3 } };

describe('judge options', () => {
  it.each([
    ['no options', {}, defaults],
    ['an empty object', { judge_model_options: {} }, defaults],
    ['no generation config', { judge_model_options: { judge_model_config: null } }, defaults],
    [
      'all options in snake_case, as in ADK',
      { judge_model_options: { judge_model: 'm', num_samples: 1, parallelism_limit: 2 }, strict: true },
      {
        strict: true,
        judgeModelOptions: { judgeModel: 'm', judgeModelConfig: {}, numSamples: 1, parallelismLimit: 2 },
      },
    ],
    [
      'camelCase',
      { judgeModelOptions: { judgeModel: 'm', judgeModelConfig: { temperature: 0 } } },
      { strict: false, judgeModelOptions: { judgeModel: 'm', judgeModelConfig: { temperature: 0 }, numSamples: 3 } },
    ],
    [
      'generation settings in any spelling, unchanged',
      { judge_model_options: { judge_model_config: { max_output_tokens: 5, thinkingConfig: { a_b: 1 } } } },
      {
        strict: false,
        judgeModelOptions: { judgeModelConfig: { max_output_tokens: 5, thinkingConfig: { a_b: 1 } }, numSamples: 3 },
      },
    ],
  ])('accept %s', (_what, written, expected) => {
    expect(optionsOf(written)).toEqual(expected);
  });

  it.each([
    ['no samples', { judge_model_options: { num_samples: 0 } }, 'num_samples'],
    ['half a sample', { judge_model_options: { num_samples: 1.5 } }, 'num_samples'],
    ['a misspelt key', { judge_model_options: { num_sample: 3 } }, 'num_samples'],
    ['no parallelism', { judge_model_options: { parallelism_limit: 0 } }, 'parallelism_limit'],
    ['a model without a name', { judge_model_options: { judge_model: '' } }, 'judge_model'],
    ['a text for settings', { judge_model_options: { judge_model_config: 'cold' } }, 'judge_model_config'],
    [
      'an invalid own option next to an invalid judge option',
      { strict: 3, judge_model_options: { num_samples: 0 } },
      'strict',
    ],
  ])('reject %s, naming %s', (_what, written, named) => {
    expect(() => optionsOf(written)).toThrow(named);
  });
});

it('withJudgeOptions() defaults to five samples, like ADK', () => {
  const read = withJudgeOptions(noOptions)['~standard'].validate({});
  expect(read).toEqual({ value: { judgeModelOptions: { judgeModelConfig: {}, numSamples: 5 } } });
});

it('judgeName() returns the model in the options, or "judge"', () => {
  const judgeModelOptions = { judgeModelConfig: {}, numSamples: 5 };
  expect(judgeName({ judgeModelOptions })).toBe('judge');
  expect(judgeName({ judgeModelOptions: { ...judgeModelOptions, judgeModel: 'own' } })).toBe('own');
});

it('the JSON Schema of judge options contains no $ref', () => {
  expect(JSON.stringify(withJudgeOptions(noOptions).jsonSchema)).not.toContain('$ref');
});
