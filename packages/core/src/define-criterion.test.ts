import { contentText } from '@agent-criteria/formats';
import { evalCase } from '@agent-criteria/formats/eval-set';
import { expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { defineCriterion } from './define-criterion.ts';
import { noOptions, optionsSchema } from './options-schema.ts';
import { resolveEvalConfig } from './resolve/resolve-eval-config.ts';
import { evalSet, inference } from './testing/builders.ts';
import { testCriterion } from './testing/test-criterion.ts';

const set = evalSet([evalCase('one', [{ user: 'Hello' }])]);

it('a criterion needs only a name, a description and evaluate', async () => {
  const short = defineCriterion({
    name: 'short',
    description: 'The answer fits into a text message.',
    evaluate: (turn) => ({ value: contentText(turn.actual.finalResponse).length <= 160 ? 1 : 0, reason: 'its length' }),
  });
  expect(short).toMatchObject({
    decides: true,
    range: { min: 0, max: 1, better: 'higher' },
    scope: 'turn',
    options: noOptions,
    origin: { package: 'this project', version: '0.0.0' },
  });
  expectTypeOf(short.decides).toEqualTypeOf<true>();
  const example = (answer: string, score: number) => ({
    name: `${answer.length} characters`,
    evalCase: evalCase('one', [{ user: 'Hello' }]),
    inference: inference([{ user: 'Hello', answer }]),
    scores: [score],
  });
  await testCriterion(short, { examples: [example('Hello', 1), example('x'.repeat(161), 0)] });
});

const withWords = (
  options: Parameters<typeof defineCriterion<'words', { maxWords?: number }, { maxWords: number }>>[0]['options'],
) => defineCriterion({ name: 'words', description: 'The answer is short.', options, evaluate: () => ({ value: 1 }) });

it.each([
  [
    'a plain JSON Schema',
    withWords(
      optionsSchema({ type: 'object', properties: { maxWords: { type: 'integer', minimum: 1, default: 100 } } }),
    ),
  ],
  ['a schema of zod', withWords(z.object({ maxWords: z.int().min(1).default(100) }))],
])('defineCriterion() accepts options declared once, as %s', (_, criterion) => {
  const resolve = (options: object) =>
    resolveEvalConfig({
      evalSet: set,
      config: { plugins: [criterion], criteria: { words: { threshold: 1, ...options } } },
    });
  expect(resolve({}).criteria[0]?.options).toEqual({ maxWords: 100 });
  expect(resolve({ max_words: 3 }).criteria[0]?.options).toEqual({ maxWords: 3 });
  expect(() => resolve({ max_words: 0 })).toThrow('max_words');
  expect(() => resolve({ max_words: 'many' })).toThrow('max_words');
  expect(() => resolve({ max_wrds: 3 })).toThrow('did you mean "max_words"?');
});

it('defineCriterion() infers the types of the options passed to evaluate from a plain JSON Schema', () => {
  const options = optionsSchema({
    type: 'object',
    properties: {
      maxWords: { type: 'integer', default: 100 },
      language: { enum: ['en', 'de'] },
      names: { type: 'array', items: { type: 'string' } },
      place: { type: 'object', properties: { room: { type: 'string', default: 'kitchen' } } },
    },
    required: ['names'],
  });
  defineCriterion({
    name: 'typed',
    description: 'The types are inferred.',
    options,
    evaluate: (_turn, { options: given }) => {
      expectTypeOf(given.maxWords).toEqualTypeOf<number>();
      expectTypeOf(given.language).toEqualTypeOf<'en' | 'de' | undefined>();
      expectTypeOf(given.names).toEqualTypeOf<readonly string[]>();
      expectTypeOf(given.place?.room).toEqualTypeOf<string | undefined>();
      return { value: 1 };
    },
  });
  const read = options['~standard'].validate({ names: ['a'], place: {} });
  expect(read).toEqual({ value: { maxWords: 100, names: ['a'], place: { room: 'kitchen' } } });
});

it('every evaluation gets its own copy of the default options', () => {
  const options = optionsSchema({ type: 'object', properties: { names: { type: 'array', default: [] } } });
  const read = () => options['~standard'].validate({});
  expect(read()).toEqual({ value: { names: [] } });
  expect('value' in read() && (read() as { value: { names: unknown } }).value.names).not.toBe(
    (read() as { value: { names: unknown } }).value.names,
  );
});

it('options are checked against all rules of a plain JSON Schema, then against the rules that it cannot express', () => {
  const options = optionsSchema(
    {
      type: 'object',
      properties: { name: { type: 'string', pattern: '^a', minLength: 2 }, most: { type: 'integer', default: 3 } },
    },
    {
      check: ({ name, most }) =>
        name !== undefined && name.length > most ? [{ path: ['name'], message: `is longer than ${most}` }] : [],
      transform: ({ name = 'nobody', most }) => ({ name, most: most + 1 }),
    },
  );
  const read = (value: object) => options['~standard'].validate(value);
  expect(read({ name: 'abc' })).toEqual({ value: { name: 'abc', most: 4 } });
  expect(read({ name: 'b' })).toEqual({ issues: [{ path: ['name'], message: '' }] });
  expect(read({ name: 'abcd' })).toEqual({ issues: [{ path: ['name'], message: 'is longer than 3' }] });
  expect(() => optionsSchema({ type: 'object', properties: { name: { $ref: '#/nowhere' } } })).toThrow(
    'the JSON Schema of the options has a mistake at $.properties.name.$ref',
  );
});

it('defineCriterion() rejects a JSON Schema with keywords that core does not check, and a schema that cannot produce one', () => {
  expect(() => optionsSchema({ type: 'object', properties: { names: { type: 'array', contains: {} } } })).toThrow(
    'core does not check contains of a JSON Schema',
  );
  expect(() => optionsSchema(mini.object({ name: mini.string() }))).toThrow(
    'this schema of zod cannot produce its JSON Schema: pass it with the schema',
  );
});

it('the results of check() are reported, whether sentences or problems', () => {
  const picky = defineCriterion({
    name: 'picky',
    description: 'Never content with its environment.',
    check: () => ['set TONE_KEY', { code: 'MISSING_ENVIRONMENT', message: 'set OTHER_KEY', path: '$.elsewhere' }],
    evaluate: () => ({ value: 1 }),
  });
  const resolve = () => resolveEvalConfig({ evalSet: set, config: { plugins: [picky], criteria: { picky: 1 } } });
  expect(resolve).toThrow('$.criteria.picky: set TONE_KEY');
  expect(resolve).toThrow('$.elsewhere: set OTHER_KEY');
});

it.each([true, false])('defineCriterion() rejects a definition for the older contract with `gates: %s`', (gates) => {
  const built = { gates, name: 'older', description: 'Built before.', evaluate: () => ({ value: 1 }) };
  const origin = { package: 'criteria-older', version: '1.2.3' };
  expect(() => defineCriterion({ ...built, origin })).toThrow(
    expect.objectContaining({
      code: 'UNSUPPORTED_SPEC_VERSION',
      message: expect.stringMatching(
        /"older" of criteria-older 1\.2\.3 was built for version 1 .*`gates` is now `decides`.*Install a newer version of criteria-older/,
      ),
    }),
  );
});
