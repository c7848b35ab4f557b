// Isolated: `zod/mini` has no messages until something else loads `zod`.
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { JsonSchema } from '../json.ts';
import { describeIssues } from './describe-issues.ts';

const options = z.object({
  numSamples: z.exactOptional(z.int().check(z.gte(1), z.multipleOf(2))),
  ignore: z.exactOptional(
    z.array(z.object({ pathPattern: z.string().check(z.refine((text) => text !== '(', 'is no regular expression')) })),
  ),
  language: z.exactOptional(z.string().check(z.minLength(2), z.maxLength(3))),
  either: z.exactOptional(z.string().check(z.refine((text) => text === 'x'))),
});
const schema = z.toJSONSchema(options, { io: 'input' }) as JsonSchema;

function problems(value: unknown, written: unknown, more = {}) {
  const { issues = [] } = options['~standard'].validate(value) as { issues?: { message: string; path?: unknown[] }[] };
  return describeIssues(issues, written, schema, more);
}

it('describeIssues() uses paths of the value as written, and names the value found', () => {
  expect(
    problems({ numSamples: 3, ignore: [{ pathPattern: '(' }] }, { num_samples: 3, ignore: [{ path_pattern: '(' }] }),
  ).toEqual([
    {
      code: 'INVALID_DATA',
      path: '$.num_samples',
      message: 'expected a whole number at least 1 and a multiple of 2, found the number 3',
    },
    {
      code: 'INVALID_DATA',
      path: '$.ignore[0].path_pattern',
      message: 'is no regular expression (found the text "(")',
    },
  ]);
});

it('describeIssues() describes the JSON Schema if the validator gives no message', () => {
  expect(problems({ language: 'x' }, { language: 'x' })[0]?.message).toBe(
    'expected text of at least 2 characters and of at most 3 characters, found the text "x"',
  );
  expect(problems({ either: 'y' }, { either: 'y' })[0]?.message).toBe('expected text, found the text "y"');
  expect(describeIssues([{ message: '' }], 5, {})[0]).toEqual({
    code: 'INVALID_DATA',
    path: '$',
    message: 'not allowed, found the number 5',
  });
});

it('describeIssues() uses the given code, file and path, and reads paths made up of objects', () => {
  const issue = { message: 'too many', path: [{ key: 'ignore' }, { key: 0 }] };
  const where = { code: 'INVALID_OPTION', file: 'c.json', path: '$.criteria.x' } as const;
  expect(describeIssues([issue], { ignore: [1] }, schema, where)).toEqual([
    {
      code: 'INVALID_OPTION',
      file: 'c.json',
      path: '$.criteria.x.ignore[0]',
      message: 'too many (found the number 1)',
    },
  ]);
  expect(describeIssues([{ message: 'no', path: ['toString', 'length'] }], {}, schema)[0]?.message).toBe(
    'no (found nothing)',
  );
});
