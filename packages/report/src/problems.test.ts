import { expect, it } from 'vitest';
import { foldProblems, problemText } from './problems.ts';

const missing = (path: string, file = 'a.json') =>
  ({ code: 'MISSING_ENVIRONMENT', message: 'set GEMINI_API_KEY', file, path }) as const;

it('foldProblems() merges a problem shared by several criteria into one that lists all locations', () => {
  const other = { code: 'INVALID_OPTION', message: 'too large', file: 'a.json', path: '$.criteria.b' } as const;
  const shown = foldProblems([missing('$.criteria.a'), other, missing('$.criteria.b'), missing('$.x', 'b.json')]);
  expect(shown.map(problemText)).toEqual([
    'a.json $.criteria.a, $.criteria.b: set GEMINI_API_KEY',
    'a.json $.criteria.b: too large',
    'b.json $.x: set GEMINI_API_KEY',
  ]);
  const many = foldProblems(['a', 'b', 'c', 'd', 'e', 'a'].map((name) => missing(`$.criteria.${name}`)));
  expect(many.map(problemText)).toEqual([
    'a.json $.criteria.a, $.criteria.b, $.criteria.c and 2 more: set GEMINI_API_KEY',
  ]);
});
