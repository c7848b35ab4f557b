import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { shapeOf } from './shape.ts';

it.each([
  [{ a: 'x', 'b c': [1, 'y', 2] }, '{ a: string, "b c": [number | string] }'],
  [[], '[]'],
  [{ a: { b: { c: { d: { e: 1 } } } } }, '{ a: { b: { c: { d: {…} } } } }'],
  [null, 'null'],
])('describes %j', (value, shape) => {
  expect(shapeOf(value)).toBe(shape);
});

it('keeps a shape short, whatever the value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      expect(shapeOf(value).length).toBeLessThanOrEqual(601);
    }),
    { numRuns: runs(1000) },
  );
});
