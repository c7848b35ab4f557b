// Isolated: it mocks a module.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { initProject, planInit } from './init-project.ts';

/** As in a project that has not installed them: here, all of ours are there. */
vi.mock(import('../import-module.ts'), async (original) => {
  const modules = await original();
  const resolveFrom: typeof modules.resolveFrom = async (name, folder) =>
    /criteria-(safety|vertex)/.test(name) ? undefined : modules.resolveFrom(name, folder);
  return { ...modules, resolveFrom };
});

const commandVersion = '1.2.3';
const turn = { user_content: { parts: [{ text: 'Hi' }] }, final_response: { parts: [{ text: 'Hello' }] } };
const set = { eval_set_id: 's', eval_cases: [{ eval_id: 'a', conversation: [turn] }] };

describe('planInit and initProject', () => {
  it('plan without writing, then write what is not there', async () => {
    const folder = join(folderOf({}), 'new');
    const plan = await planInit({ folder, commandVersion });
    expect(() => readdirSync(folder)).toThrow('ENOENT');
    expect(plan).toMatchObject({ kind: 'project', preset: { name: 'ci' }, asks: null });
    mkdirSync(folder);
    writeFileSync(join(folder, 'README.md'), 'mine');
    const { written, kept, missing } = await initProject(plan);
    expect(kept).toEqual(['README.md']);
    expect([...written, ...kept].sort()).toEqual(plan.files.map(({ path }) => path).sort());
    expect(missing).toEqual([]);
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('mine');
    const { devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(devDependencies).toEqual({ 'agent-criteria': '^1.2.3' });
  });

  it('say what a preset asks, and which of its packages are missing', async () => {
    const folder = folderOf({ 's.evalset.json': set });
    const plan = await planInit({ folder, preset: 'public-facing', commandVersion });
    expect(plan).toMatchObject({ kind: 'config', asks: 'model', mistake: null });
    expect(plan.files.map(({ path }) => path)).toEqual(['test_config.json']);
    const { missing } = await initProject(plan);
    expect(missing).toEqual(['@agent-criteria/criteria-safety']);
    await expect(initProject(plan)).rejects.toThrow('test_config.json: this file already exists');
  });

  it('propose criteria that fit the eval sets that are there', async () => {
    const folder = folderOf({ 's.evalset.json': set });
    const { preset, leftOut } = await planInit({ folder, commandVersion });
    expect(Object.keys(preset.criteria)).toEqual(['tool_trajectory_avg_score', 'response_match_score']);
    expect(leftOut).toEqual([]);
    const behaviour = await planInit({ folder, preset: 'simulated-users', commandVersion });
    expect(behaviour.leftOut).toEqual([{ criterion: 'per_turn_user_simulator_quality_v1', setId: 's' }]);
  });

  it('refuse a preset that there is not', async () => {
    const planned = planInit({ folder: folderOf({}), preset: 'qualty', commandVersion });
    await expect(planned).rejects.toThrow('unknown preset "qualty"; did you mean "quality"?');
  });
});
