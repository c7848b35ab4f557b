import { expect, test } from 'vitest';
import { evaluation } from './evaluation.js';
import expected from './expected.json' with { type: 'json' };

test('an evaluation works inside Vitest', async () => {
  expect(await evaluation()).toEqual(expected);
});
