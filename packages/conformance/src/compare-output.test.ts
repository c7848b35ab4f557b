import { describe, expect, it } from 'vitest';
import { differenceOf } from './compare-output.ts';

describe('differenceOf', () => {
  it('finds no difference between equal values, whatever the order of their keys', () => {
    expect(differenceOf({ b: [1, null], a: 'x' }, { a: 'x', b: [1, null] })).toBeNull();
    expect(differenceOf(-0, 0)).toBeNull();
  });

  it.each([
    [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }, '$.a[0].b'],
    [{ a: 1 }, { a: 1, b: 2 }, '$.b'],
    [{ a: 1, b: 2 }, { a: 1 }, '$.b'],
    [[1], [1, 2], '$.length'],
    [{ 0: 1 }, [1], '$'],
    ['1', 1, '$'],
    [true, 1, '$'],
    [null, 0, '$'],
    [undefined, null, '$'],
    [0.1 + 0.2, 0.3, '$'],
    [{}, { toString: 1 }, '$.toString'],
  ])('names the place of the first difference between %j and %j', (output, expected, path) => {
    expect(differenceOf(output, expected)).toBe(path);
  });

  it('allows a tolerance for numbers, but not for counts, and more keys with it', () => {
    const within = { relative: 1e-12, absolute: 0 };
    expect(differenceOf({ mean: 0.1 + 0.2, se: 1 }, { mean: 0.3 }, within)).toBeNull();
    expect(differenceOf({ mean: 0.3001 }, { mean: 0.3 }, within)).toBe('$.mean');
    expect(differenceOf({ n: 3.0000000000001 }, { n: 3 }, within)).toBe('$.n');
    expect(differenceOf(1e-15, 0, within)).toBe('$');
    expect(differenceOf(1e-15, 0, { relative: 0, absolute: 1e-14 })).toBeNull();
    expect(differenceOf('NaN', 'NaN', within)).toBeNull();
    expect(differenceOf('Infinity', '-Infinity', within)).toBe('$');
  });
});
