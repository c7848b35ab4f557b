import { describe, expect, test } from 'vitest';
import { trajectoryOptions } from './options.ts';

const validate = (value: unknown) => trajectoryOptions['~standard'].validate(value);
const problems = (value: unknown) =>
  (validate(value).issues ?? []).map(({ path, message }) => `${path?.join('.')}: ${message}`);

describe('matchType', () => {
  test.each([null, 1.5, -1, [], {}, ['EXACT']])('rejects %j', (value) => {
    expect(validate({ matchType: value }).issues).toHaveLength(1);
  });

  test('accepts false as 0 and true as 1', () => {
    expect(validate({ matchType: false })).toMatchObject({ value: { matchType: 'EXACT' } });
  });
});

test('trajectoryOptions fills in the defaults', () => {
  expect(validate({})).toEqual({ value: { matchType: 'EXACT', ignoreArgs: false, matchers: {}, forbiddenTools: [] } });
});

test('trajectoryOptions names each mistake with its path', () => {
  expect(
    problems({
      matchers: { t: { 'a..b': { ignore: true }, p: { pattern: '(' }, two: { tolerance: 1, shape: 'date' } } },
    }),
  ).toEqual([
    'matchers.t.a..b: is not a path into the arguments: a key is missing at position 3',
    expect.stringMatching(/^matchers\.t\.p\.pattern: .*missing closing \).*RE2/),
    'matchers.t.two: exactly one of ignore, partial, oneOf, pattern, tolerance, shape is needed; tolerance and shape are given',
  ]);
  expect(problems({ ignoreArgs: true, matchers: { t: { a: { ignore: true } } } })).toEqual([
    expect.stringMatching(/^matchers: .*ignore_args/),
  ]);
  for (const wrong of [
    { ignoreArgs: 'yes' },
    { forbiddenTools: 'rm' },
    { forbiddenTools: [''] },
    { matchers: [] },
    { matchers: { t: { a: { ignore: false } } } },
    { matchers: { t: { a: { shape: 'time' } } } },
    { matchers: { t: { a: { oneOf: [] } } } },
    { matchers: { t: { a: { tolerance: -1 } } } },
    { matchers: { t: { a: { unknown: 1 } } } },
    { unknown: 1 },
  ]) {
    expect(problems(wrong), JSON.stringify(wrong)).toHaveLength(1);
  }
});

describe('the JSON Schema of trajectoryOptions', () => {
  test('lists the match types and accepts every other spelling', () => {
    const { matchType } = trajectoryOptions.jsonSchema.properties as Record<string, { anyOf: unknown[] }>;
    expect(matchType!.anyOf).toEqual([
      { enum: ['EXACT', 'IN_ORDER', 'ANY_ORDER'] },
      { type: 'string' },
      { type: 'integer', minimum: 0, maximum: 2 },
      { type: 'boolean' },
    ]);
    expect(matchType).toHaveProperty('description');
  });

  test('accepts any tool name and path, and describes the keys of a matcher', () => {
    const { matchers } = trajectoryOptions.jsonSchema.properties as Record<string, Record<string, never>>;
    expect(matchers).toHaveProperty('additionalProperties.additionalProperties.properties.oneOf');
    expect(matchers).not.toHaveProperty('properties');
  });
});
