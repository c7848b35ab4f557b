import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadProjectConfig } from '../config/project-config.ts';
import { loadInstruments } from './load-instruments.ts';

function folderOf(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'instruments-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, value] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(value));
  return folder;
}

const empty = { kind: 'agent-criteria measurements', format: 1, entries: [] };

it('loadInstruments reads the files named in a config, relative to it', async () => {
  const folder = folderOf({
    'agent-criteria.config.json': { instruments: ['a.json', 'b.json'] },
    'a.json': empty,
    'b.json': empty,
  });
  const config = await loadProjectConfig(join(folder, 'agent-criteria.config.json'));
  expect(await loadInstruments({ config })).toEqual([empty, empty]);
});

it('loadInstruments reports every missing or invalid file', async () => {
  const folder = folderOf({
    'agent-criteria.config.json': { instruments: ['a.json', 'b.json'] },
    'a.json': { kind: 'x' },
  });
  const config = await loadProjectConfig(join(folder, 'agent-criteria.config.json'));
  await expect(loadInstruments({ config })).rejects.toMatchObject({
    problems: [{ code: 'INVALID_DATA' }, { code: 'FILE_NOT_FOUND' }],
  });
});

it('loadInstruments rejects an invalid list in the config', async () => {
  const folder = folderOf({ 'agent-criteria.config.json': { instruments: ['a.json', 3] } });
  await expect(loadProjectConfig(join(folder, 'agent-criteria.config.json'))).rejects.toThrow(
    'must be the path of a file',
  );
});
