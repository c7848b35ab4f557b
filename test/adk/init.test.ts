import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { initProject, planInit } from '@agent-criteria/project/init';
import { afterAll, describe, expect, it } from 'vitest';
import { capture } from '../../packages/cli/src/__fixtures__/captured-io.ts';

const snippets = join(import.meta.dirname, '.snippets');
mkdirSync(snippets, { recursive: true });
const root = mkdtempSync(join(snippets, 'init-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function folderOf(name: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, name, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  }
  return join(root, name);
}

const manifest = JSON.stringify({ type: 'module', dependencies: { '@google/adk': '^2.0.0' } });

describe('init in a project with @google/adk', () => {
  it('writes an agent that passes with calls and tokens, and that fails after the suggested mistake', async () => {
    const folder = folderOf('new', { 'package.json': manifest });
    expect(await capture(['init', folder])).toMatchObject({ code: 0 });
    const passed = await capture(['eval', folder]);
    expect(passed.out).toContain('3 passed of 3 cases');
    expect(passed.out).toMatch(/agent: 7 calls, \d+ tokens in, \d+ out/);
    expect(passed.code, passed.err).toBe(0);
    const { mistake } = await planInit({ folder: join(folder, 'other'), commandVersion: '1.0.0' });
    const source = readFileSync(join(folder, 'agent.ts'), 'utf8');
    expect(source.split(mistake?.from ?? '')).toHaveLength(2);
    const broken = folderOf('broken', {
      'agent.ts': source.replace(mistake?.from ?? '', mistake?.to ?? ''),
      'workshop.evalset.json': readFileSync(join(folder, 'workshop.evalset.json'), 'utf8'),
    });
    const failed = await capture(['eval', broken]);
    expect(failed.out).toContain('2 passed, 1 failed of 3 cases');
    expect(failed.code, failed.err).toBe(1);
  });

  it('evaluates the agent that the project has, without a change to it', async () => {
    const made = join(root, 'new', 'agent.ts');
    const source = readFileSync(made, 'utf8').replace('export const rootAgent', 'export const desk');
    const folder = folderOf('existing', { 'package.json': manifest, 'src/desk.ts': source });
    await initProject(await planInit({ folder, commandVersion: '1.0.0' }));
    const { code, out, err } = await capture(['eval', join(folder, 'evals')]);
    expect(out).toContain('1 passed of 1 case');
    expect(code, err).toBe(0);
  });
});
