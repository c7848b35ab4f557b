import fc from 'fast-check';
import { HTTPException } from 'hono/http-exception';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { parseRunQuery } from './run-query.ts';

it('parseRunQuery() reads every part, and leaves out those that are empty', () => {
  const texts = {
    text: ' home ',
    verdict: 'failed',
    set: '',
    commit: 'ABC1',
    from: '1000',
    until: '2000',
    sort: 'oldest',
  };
  expect(parseRunQuery(texts)).toEqual({
    text: 'home',
    verdict: 'failed',
    commit: 'abc1',
    from: 1000,
    until: 2000,
    sort: 'oldest',
  });
  expect(Object.values(parseRunQuery({})).filter((value) => value !== undefined)).toEqual([]);
});

it.each([
  ['verdict', 'great', /must be one of: passed, failed/],
  ['sort', 'constructor', /must be one of: newest/],
  ['from', 'yesterday', /milliseconds/],
  ['until', '1e400', /milliseconds/],
] as const)('parseRunQuery() names the part of a query that is wrong: %s=%s', (name, value, why) => {
  expect(() => parseRunQuery({ [name]: value })).toThrow(why);
});

it('parseRunQuery() refuses or reads whatever a request has, and never fails otherwise', () => {
  const texts = fc.record(
    Object.fromEntries(
      ['app', 'text', 'verdict', 'set', 'agent', 'variant', 'commit', 'from', 'until', 'ids', 'sort'].map((name) => [
        name,
        fc.oneof(fc.string(), fc.constantFrom('failed', 'newest', '17', '__proto__')),
      ]),
    ),
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(texts, (query) => {
      try {
        const { verdict, from } = parseRunQuery(query);
        if (verdict !== undefined) expect(verdict).toBe(query.verdict?.trim());
        if (from !== undefined) expect(Number.isInteger(from)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(HTTPException);
        expect((error as HTTPException).status).toBe(422);
      }
    }),
    { numRuns: runs(2000) },
  );
});
