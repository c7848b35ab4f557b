import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatBytes, formatTokens, scoreText, visible } from './format.ts';
import { visibleRows } from './visible-rows.ts';

it('scoreText() rounds scores, but never to the threshold or to 0', () => {
  expect([1, 0.5, 2 / 3, -0.12345, null, 12].map((value) => scoreText(value))).toEqual([
    '1',
    '0.5',
    '0.667',
    '-0.123',
    '–',
    '12',
  ]);
  expect(scoreText(0.79999, 0.8)).toBe('0.79999');
  expect(scoreText(0.8000001, 0.8)).toBe('0.8000001');
  expect(scoreText(0.00001)).toBe('0.00001');
});

it('formatTokens() rounds to three significant digits', () => {
  const words = ['0 tokens', '1 token', '420 tokens', '15.5K tokens', '1.23M tokens'];
  expect([0, 1, 420, 15_480, 1_234_567].map(formatTokens)).toEqual(words);
});

it('formatBytes() uses short units', () => {
  expect([12, 1200, 2_340_000].map(formatBytes)).toEqual(['12 bytes', '1 kB', '2.3 MB']);
});

it('visible() escapes invisible characters', () => {
  expect(visible('photo\u202Egnp.exe\u0000\u200B')).toBe('photo\\u202egnp.exe\\u0000\\u200b');
  expect(visible('für 二人\tيا 🙂\n')).toBe('für 二人\tيا 🙂\n');
});

it('visibleRows() includes every row in the window, and only a few others', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1e6, max: 2000 }),
      fc.integer({ min: 100, max: 3000 }),
      fc.integer({ min: 20, max: 200 }),
      fc.nat(10_000),
      (top, height, rowHeight, rows) => {
        const [from, to] = visibleRows({ top, height, rowHeight, rows });
        expect(from).toBeGreaterThanOrEqual(0);
        expect(to).toBeLessThanOrEqual(rows);
        expect(to - from).toBeLessThanOrEqual(height / rowHeight + 20);
        const first = Math.max(Math.floor(-top / rowHeight), 0);
        const last = Math.min(Math.floor((height - 1 - top) / rowHeight), rows - 1);
        if (first <= last) expect([from <= first, to > last]).toEqual([true, true]);
      },
    ),
  );
});
