import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.ts';
import { filterFrom, NO_FILTER, ORDERS, queryOf, RESULTS, type RunListFilter, textsOf } from './run-list-filter.ts';

const keys = <Key extends string>(choices: Readonly<Record<Key, string>>) => Object.keys(choices) as Key[];
const day = fc
  .date({ min: new Date(2000, 0, 1), max: new Date(2100, 0, 1), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const filter: fc.Arbitrary<RunListFilter> = fc.record({
  search: fc.string(),
  verdict: fc.constantFrom('' as const, ...keys(RESULTS)),
  set: fc.string(),
  agent: fc.string(),
  variant: fc.string(),
  commit: fc.string(),
  from: fc.oneof(fc.constant(''), day),
  to: fc.oneof(fc.constant(''), day),
  sort: fc.constantFrom(...keys(ORDERS)),
  page: fc.integer({ min: 1, max: 9999 }),
});

describe('filterFrom()', () => {
  it('reads every filter that an address can hold', () => {
    fc.assert(
      fc.property(filter, (one) => {
        expect(filterFrom(new URLSearchParams(textsOf(one))) ?? NO_FILTER).toEqual(one);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('leaves out what means nothing, and returns undefined for no filter', () => {
    const query = 'verdict=great&sort=constructor&page=0&from=2026-02-30&to=today&set=';
    expect(filterFrom(new URLSearchParams(query))).toBeUndefined();
    expect(filterFrom(new URLSearchParams(`${query}&search=a`))).toEqual({ ...NO_FILTER, search: 'a' });
  });
});

describe('queryOf()', () => {
  it('asks for whole days of the reader', () => {
    const { from, until } = queryOf(null, { ...NO_FILTER, from: '2026-11-23', to: '2026-11-30' });
    expect(from).toBe(new Date(2026, 10, 23).getTime());
    expect(until).toBe(new Date(2026, 11, 1).getTime());
  });

  it('asks for nothing in particular without a filter', () => {
    const given = Object.entries(queryOf(null, NO_FILTER)).filter(([, value]) => value !== undefined);
    expect(given).toEqual([
      ['offset', 0],
      ['limit', 50],
    ]);
    expect(queryOf('lamp', { ...NO_FILTER, page: 3 })).toMatchObject({ app: 'lamp', offset: 100 });
  });
});
