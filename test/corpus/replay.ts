import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groups } from './groups.ts';
import { start } from './start.ts';

/** Runs the commands of a group as `pnpm corpus:record` does, and compares what they do with what is kept. */
export function replays(group: keyof typeof groups): void {
  describe(`the corpus, ${group}`, () => {
    const kept = join(import.meta.dirname, 'snapshots', group);
    const now = mkdtempSync(join(tmpdir(), 'agent-criteria-replay-'));
    beforeAll(() => start('write-snapshots.ts', ['--to', now, group]), 300_000);
    afterAll(() => rmSync(now, { recursive: true, force: true }));

    it('has a snapshot for each of its entries, and no other', () => {
      const names = groups[group].map(({ name }) => `${name}.txt`);
      expect(new Set(names).size).toBe(names.length);
      expect(readdirSync(kept).sort()).toEqual(names.sort());
    });

    it.each(groups[group].map(({ name }) => name))('%s does what it did', (name) => {
      const file = `${name}.txt`;
      expect(readFileSync(join(now, group, file), 'utf8')).toBe(readFileSync(join(kept, file), 'utf8'));
    });
  });
}
