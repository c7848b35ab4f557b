// Isolated: it mocks a module.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { initProject, planInit } from './init-project.ts';

/** Simulates a project without some of the packages, because this workspace has all of them. */
vi.mock(import('../files/import-module.ts'), async (original) => {
  const modules = await original();
  const resolveFrom: typeof modules.resolveFrom = async (name, folder) =>
    /criteria-(safety|vertex)|agent-(ai-sdk|adk)/.test(name) ? undefined : modules.resolveFrom(name, folder);
  return { ...modules, resolveFrom };
});

const commandVersion = '1.2.3';
const turn = { user_content: { parts: [{ text: 'Hi' }] }, final_response: { parts: [{ text: 'Hello' }] } };
const set = { eval_set_id: 's', eval_cases: [{ eval_id: 'a', conversation: [turn] }] };

describe('planInit and initProject', () => {
  it('plan without writing, then write the missing files', async () => {
    const folder = join(folderOf({}), 'new');
    const plan = await planInit({ folder, commandVersion });
    expect(() => readdirSync(folder)).toThrow('ENOENT');
    expect(plan).toMatchObject({ kind: 'project', preset: { name: 'ci' }, asks: null });
    mkdirSync(folder);
    writeFileSync(join(folder, 'README.md'), 'mine');
    const { written, kept, missing } = await initProject(plan);
    expect(kept).toEqual(['README.md']);
    expect([...written, ...kept].sort()).toEqual(plan.files.map(({ path }) => path).sort());
    expect(missing).toEqual(['@agent-criteria/cli', '@agent-criteria/studio']);
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('mine');
    const { devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(devDependencies).toEqual({ '@agent-criteria/cli': '^1.2.3', '@agent-criteria/studio': '>=0.1.0 <1' });
  });

  it.each(['@agent-criteria/cli', 'agent-criteria'])('refer to the schemas of the installed %s', async (command) => {
    const schemas = `node_modules/${command}/schemas`;
    const root = folderOf({
      [`${schemas}/eval-config.schema.json`]: {},
      [`${schemas}/eval-set.schema.json`]: {},
      'node_modules/@agent-criteria/studio/package.json': {},
      'agents/desk/s.evalset.json': set,
    });
    const folder = join(root, 'agents', 'new');
    const { missing } = await initProject(await planInit({ folder, commandVersion }));
    expect(missing).toEqual([]);
    await initProject(await planInit({ folder: join(root, 'agents', 'desk'), commandVersion }));
    for (const file of ['new/test_config.json', 'new/workshop.evalset.json', 'desk/test_config.json']) {
      const path = join(root, 'agents', file);
      const { $schema } = JSON.parse(readFileSync(path, 'utf8'));
      expect($schema).toMatch(/^\.\.\/\.\.\/node_modules\/.*\.schema\.json$/);
      expect(existsSync(join(dirname(path), $schema)), $schema).toBe(true);
    }
  });

  it('refer to the schemas that a new project will install, but to none next to existing eval sets', async () => {
    const plan = await planInit({ folder: folderOf({}), commandVersion });
    const text = (path: string) => JSON.parse(plan.files.find((file) => file.path === path)?.text ?? '');
    const schemas = './node_modules/@agent-criteria/cli/schemas';
    expect(text('test_config.json').$schema).toBe(`${schemas}/eval-config.schema.json`);
    expect(text('workshop.evalset.json').$schema).toBe(`${schemas}/eval-set.schema.json`);
    const beside = await planInit({ folder: folderOf({ 's.evalset.json': set }), commandVersion });
    expect(beside.files[0]?.text).not.toContain('$schema');
  });

  it("list a preset's needs and its missing packages", async () => {
    const folder = folderOf({ 's.evalset.json': set });
    const plan = await planInit({ folder, preset: 'public-facing', commandVersion });
    expect(plan).toMatchObject({ kind: 'config', asks: 'model', mistake: null });
    expect(plan.files.map(({ path }) => path)).toEqual(['test_config.json']);
    const { missing } = await initProject(plan);
    expect(missing).toEqual(['@agent-criteria/criteria-safety']);
    await expect(initProject(plan)).rejects.toThrow('test_config.json: this file already exists');
  });

  it('propose criteria that fit the existing eval sets', async () => {
    const folder = folderOf({ 's.evalset.json': set });
    const { preset, leftOut } = await planInit({ folder, commandVersion });
    expect(Object.keys(preset.criteria)).toEqual(['tool_trajectory_avg_score', 'response_match_score']);
    expect(leftOut).toEqual([]);
    const behaviour = await planInit({ folder, preset: 'simulated-users', commandVersion });
    expect(behaviour.leftOut).toEqual([{ criterion: 'per_turn_user_simulator_quality_v1', setId: 's' }]);
  });

  it.each([
    ['eval_config.json', 's.evalset.json', '.'],
    ['eval_config.json', 'evalsets/s.evalset.json', 'evalsets'],
  ])('reject a test_config.json that would override %s of %s', async (config, file, inside) => {
    const root = folderOf({ [config]: { criteria: { response_match_score: 0.5 } }, [file]: set });
    const folder = join(root, inside);
    for (const preset of [undefined, 'correctness']) {
      const planned = planInit({ folder, preset, commandVersion });
      await expect(planned).rejects.toThrow('eval_config.json: this config judges the eval sets here already');
    }
  });

  const ADAPTER = '@agent-criteria/agent-ai-sdk';

  it('write an agent of the AI SDK, and its packages, into a new folder of a project that uses it', async () => {
    const root = folderOf({ 'package.json': { dependencies: { ai: '^6.1.0' } } });
    const folder = join(root, 'desk');
    const plan = await planInit({ folder, commandVersion });
    expect(plan).toMatchObject({ kind: 'project', target: '.', packages: [ADAPTER] });
    const { missing } = await initProject(plan);
    expect(missing).toEqual(['@agent-criteria/cli', '@agent-criteria/studio', ADAPTER]);
    expect(readFileSync(join(folder, 'agent.ts'), 'utf8')).toContain('new ToolLoopAgent(');
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(dependencies).toEqual({ ai: '^6.1.0' });
    expect(devDependencies[ADAPTER]).toBe('>=0.1.0 <1');
  });

  it('write an agent of @google/adk, and its packages, into a new folder of a project that uses it', async () => {
    const root = folderOf({ 'package.json': { dependencies: { '@google/adk': '2.0.0' } } });
    const folder = join(root, 'desk');
    const plan = await planInit({ folder, commandVersion });
    expect(plan).toMatchObject({ packages: ['@agent-criteria/agent-adk'], sourceNeeds: ['zod'] });
    const { missing } = await initProject(plan);
    expect(missing).toEqual(['@agent-criteria/cli', '@agent-criteria/studio', '@agent-criteria/agent-adk', 'zod']);
    expect(readFileSync(join(folder, 'agent.ts'), 'utf8')).toContain('new LlmAgent(');
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(dependencies).toEqual({ '@google/adk': '2.0.0', zod: '^4.2.1' });
  });

  it.each([
    ['ai', '6', ADAPTER, 'ToolLoopAgent'],
    ['@google/adk', '2', '@agent-criteria/agent-adk', 'LlmAgent'],
  ])('write the folder evals beside an agent of %s, and leave the code alone', async (name, range, adapter, type) => {
    const agent = `import { ${type} } from '${name}';\nexport const desk = new ${type}({});\n`;
    const folder = folderOf({ 'package.json': { dependencies: { [name]: range } }, 'src/desk.ts': agent });
    const plan = await planInit({ folder, commandVersion });
    expect(plan).toMatchObject({ kind: 'evals', target: 'evals', asks: null, mistake: null });
    expect(plan.agentModule).toMatchObject({ path: 'src/desk.ts', name: 'desk' });
    const { written, missing } = await initProject(plan);
    expect(written).toEqual(['evals/agent.ts', 'evals/first.evalset.json', 'evals/test_config.json']);
    expect(missing).toEqual(['@agent-criteria/cli', '@agent-criteria/studio', adapter]);
    expect(readFileSync(join(folder, 'evals/agent.ts'), 'utf8')).toContain(
      "export { desk as agent } from '../src/desk';",
    );
    expect(readdirSync(folder).sort()).toEqual(['evals', 'package.json', 'src']);
    // The folder has evals now, which are not overwritten.
    await expect(planInit({ folder, commandVersion })).rejects.toThrow('the folder is not empty');
  });

  it.each(['ai', '@google/adk'])('write an example beside code that uses %s without an agent', async (name) => {
    const dependencies = { [name]: '6' };
    const folder = folderOf({ 'package.json': { dependencies }, 'app/route.ts': '' });
    const plan = await planInit({ folder, commandVersion });
    expect(plan).toMatchObject({ kind: 'evals', agentModule: null, mistake: { file: 'evals/agent.ts' } });
  });

  it('list the adapter of the framework beside a config for existing eval sets', async () => {
    const folder = folderOf({ 'package.json': { dependencies: { ai: '7' } }, 's.evalset.json': set });
    const { kind, packages } = await planInit({ folder, commandVersion });
    expect({ kind, packages }).toEqual({ kind: 'config', packages: [ADAPTER] });
  });

  it('reject an unknown preset', async () => {
    const planned = planInit({ folder: folderOf({}), preset: 'qualty', commandVersion });
    await expect(planned).rejects.toThrow('unknown preset "qualty"; did you mean "quality"?');
  });
});
