import { expect, it } from 'vitest';
import { limitedCopies } from './limited-copies.ts';

it('limitedCopies() shortens values once the copies of a turn reach the limit', () => {
  const copy = limitedCopies(100);
  expect(copy('a'.repeat(50))).toBe('a'.repeat(50));
  expect(JSON.stringify(copy('b'.repeat(200))).length).toBeLessThan(200);
});
