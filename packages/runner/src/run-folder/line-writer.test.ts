import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codePoint } from '../../../../test/binary-text.ts';
import { folderOf } from '../../../../test/folder.ts';
import { readLines, scanLines } from './line-reader.ts';
import { openLines } from './line-writer.ts';

function linesOf(file: string): { values: unknown[]; again: unknown[]; broken: number } {
  const values: unknown[] = [];
  const again: unknown[] = [];
  const reader = readLines(file);
  const broken = scanLines(file, (value, place) => {
    values.push(value);
    again.push(reader.read(place));
  });
  reader.close();
  return { values, again, broken };
}

it('lines can be read back wherever the file was truncated between writes', () => {
  const folder = folderOf({});
  let count = 0;
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue({ stringUnit: codePoint }), { minLength: 1, maxLength: 8 }),
      fc.array(fc.jsonValue(), { maxLength: 4 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (before, after, share) => {
        const file = join(folder, `lines-${count++}.jsonl`);
        const first = openLines(file);
        const ends = before.map((value) => {
          first.append(JSON.stringify(value));
          return readFileSync(file).length;
        });
        first.close();
        // Simulates a crash in the middle of a line, possibly in the middle of a character.
        const whole = readFileSync(file);
        const cut = Math.floor(whole.length * share);
        writeFileSync(file, whole.subarray(0, cut));
        // JSON writes -0 as 0.
        const left: unknown[] = JSON.parse(JSON.stringify(before.filter((_, index) => (ends[index] ?? 0) <= cut)));
        expect(linesOf(file)).toEqual({ values: left, again: left, broken: 0 });
        const second = openLines(file);
        for (const value of after) second.append(JSON.stringify(value));
        second.close();
        const all = JSON.parse(JSON.stringify([...left, ...after]));
        expect(linesOf(file)).toEqual({ values: all, again: all, broken: 0 });
      },
    ),
  );
});

it('scanLines() reads lines that are longer than its chunks', () => {
  const folder = folderOf({});
  const file = join(folder, 'long.jsonl');
  const long = ['ä'.repeat(3_000_000), 'b', 'c'.repeat(1_048_574), '', 'd'.repeat(1_048_575)];
  const writer = openLines(file);
  for (const value of long) writer.append(JSON.stringify(value));
  writer.close();
  const { values, again, broken } = linesOf(file);
  expect([values, again, broken]).toEqual([long, long, 0]);
});

it('scanLines() skips and counts a line that is not JSON', () => {
  const folder = folderOf({ 'broken.jsonl': '1\n\0\0\0\n2\n{"torn' });
  expect(linesOf(join(folder, 'broken.jsonl'))).toEqual({ values: [1, 2], again: [1, 2], broken: 1 });
});

it('scanLines() accepts a missing file', () => {
  expect(scanLines(join(folderOf({}), 'none.jsonl'), () => expect.fail())).toBe(0);
});

it('openLines() reports a full disk', ({ skip }) => {
  if (process.platform !== 'linux') skip('needs /dev/full');
  const writer = openLines('/dev/full');
  expect(() => writer.append('1')).toThrow('the disk is full; free some space, then resume the run');
});
