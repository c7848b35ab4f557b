import { expect, it } from 'vitest';
import { fieldsOf } from './option-fields.ts';

it('fieldsOf() chooses the simplest field for each property of a schema', () => {
  const fields = fieldsOf({
    type: 'object',
    properties: {
      matchType: {
        anyOf: [
          { type: 'string', enum: ['EXACT', 'IN_ORDER'] },
          { type: 'integer', enum: [0, 1] },
        ],
        default: 'EXACT',
      },
      ignoreArgs: { type: 'boolean', description: 'Names only.' },
      numSamples: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      judgeModel: { type: 'string' },
      rubrics: { type: 'array', items: {} },
      odd: true,
    },
  });
  expect(fields.map(({ key, snake, kind }) => [key, snake, kind])).toEqual([
    ['matchType', 'match_type', 'choice'],
    ['ignoreArgs', 'ignore_args', 'choice'],
    ['numSamples', 'num_samples', 'number'],
    ['judgeModel', 'judge_model', 'text'],
    ['rubrics', 'rubrics', 'json'],
    ['odd', 'odd', 'json'],
  ]);
  expect(fields[0]).toMatchObject({ choices: ['EXACT', 'IN_ORDER'], default: 'EXACT' });
  expect(fields[2]).toEqual({
    key: 'numSamples',
    snake: 'num_samples',
    description: '',
    default: undefined,
    kind: 'number',
    whole: true,
    min: 1,
  });
});

it('fieldsOf() returns no fields for a schema without properties', () => {
  expect(fieldsOf({})).toEqual([]);
});
