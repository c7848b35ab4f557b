// Long: runs some hundred commands.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groups } from './groups.ts';
import { start } from './start.ts';

// Runs the commands of all groups like `pnpm corpus:record`, and compares the results with the snapshots. A single
// process for all commands loads our sources, and those of most agents, only once.

const now = mkdtempSync(join(tmpdir(), 'agent-criteria-replay-'));
beforeAll(() => start('write-snapshots.ts', ['--to', now]), 600_000);
afterAll(() => rmSync(now, { recursive: true, force: true }));

describe.each(Object.entries(groups))('the corpus, %s', (group, entries) => {
  const kept = join(import.meta.dirname, 'snapshots', group);

  it('has exactly one snapshot for each entry', () => {
    const names = entries.map(({ name }) => `${name}.txt`);
    expect(new Set(names).size).toBe(names.length);
    expect(readdirSync(kept).sort()).toEqual(names.sort());
  });

  it.each(entries.map(({ name }) => name))('%s matches its snapshot', (name) => {
    const file = `${name}.txt`;
    expect(readFileSync(join(now, group, file), 'utf8')).toBe(readFileSync(join(kept, file), 'utf8'));
  });
});
