import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRunFiles } from '@agent-criteria/runner';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { hashOfFile } from '../files/file-hashes.ts';
import { moduleGraph } from './module-graph.ts';
import { isOfOlderCode, recordFiles } from './run-code.ts';

const project = () =>
  folderOf({
    'agent.mjs': "import './prompt.mjs';\nexport const rootAgent = () => 'hi';\n",
    'prompt.mjs': '',
    '.env': 'PIN=1234',
    'runs/1/plan.json': '{}',
  });
const hashes = (folder: string, ...names: string[]) =>
  new Map(names.map((name) => [join(folder, name), hashOfFile(join(folder, name))]));

describe('isOfOlderCode', () => {
  it('tells whether a file that a run ran has changed since, and changed back', () => {
    const folder = project();
    const run = join(folder, 'runs/1');
    expect(isOfOlderCode(run)).toBeNull();
    recordFiles(run, 'loaded', hashes(folder, 'agent.mjs', 'prompt.mjs'));
    expect(isOfOlderCode(run)).toBe(false);
    writeFileSync(join(folder, 'prompt.mjs'), 'export {};');
    expect(isOfOlderCode(run)).toBe(true);
    writeFileSync(join(folder, 'prompt.mjs'), '');
    expect(isOfOlderCode(run)).toBe(false);
    rmSync(join(folder, 'prompt.mjs'));
    expect(isOfOlderCode(run)).toBe(true);
  });

  it('says nothing of a run whose files are all elsewhere', () => {
    const folder = project();
    const run = join(folder, 'runs/1');
    recordFiles(run, 'loaded', hashes(folder, 'agent.mjs'));
    rmSync(join(folder, 'agent.mjs'));
    expect(isOfOlderCode(run)).toBeNull();
  });

  it('keeps the first hash of a file in a run that was resumed with changed code', () => {
    const folder = project();
    const run = join(folder, 'runs/1');
    recordFiles(run, 'loaded', hashes(folder, 'agent.mjs'));
    writeFileSync(join(folder, 'agent.mjs'), 'export const rootAgent = () => 2;');
    recordFiles(run, 'loaded', hashes(folder, 'agent.mjs', 'prompt.mjs'));
    expect(isOfOlderCode(run)).toBe(true);
    expect(Object.keys(readRunFiles(run)?.files ?? {}).sort()).toEqual(['../agent.mjs', '../prompt.mjs']);
  });

  it('does not record .env files', () => {
    const folder = project();
    recordFiles(join(folder, 'runs/1'), 'loaded', hashes(folder, 'agent.mjs', '.env'));
    expect(Object.keys(readRunFiles(join(folder, 'runs/1'))?.files ?? {})).toEqual(['../agent.mjs']);
  });
});

describe('moduleGraph', () => {
  it('follows relative imports in the folder, as TypeScript and Node resolve them', () => {
    const folder = folderOf({
      'app/agent.ts':
        "import a from './a.js';\nexport * from './b';\nconst c = require('./c');\nawait import('./data.json');\nimport 'zod';\nimport '../outside';",
      'app/a.ts': "import './agent.ts';",
      'app/b/index.mts': '',
      'app/c.cjs': "require('./missing')",
      'app/data.json': '{}',
      'app/unused.ts': '',
      'outside.ts': '',
    });
    const names = moduleGraph(join(folder, 'app/agent.ts'), join(folder, 'app')).map((file) => file.split('/app/')[1]);
    expect(names).toEqual(['agent.ts', 'a.ts', 'b/index.mts', 'c.cjs', 'data.json']);
    expect(moduleGraph(join(folder, 'app/none.ts'), folder)).toEqual([]);
  });
});
