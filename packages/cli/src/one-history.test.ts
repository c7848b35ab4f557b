// Isolated: changes the working folder.
// Long: runs many commands.
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderOf } from '../../../test/folder.ts';
import { captureAsGiven } from './__fixtures__/captured-io.ts';

const home = process.cwd();
afterEach(() => process.chdir(home));

const evalSet = {
  eval_set_id: 'home',
  eval_cases: [
    { eval_id: 'hi', conversation: [{ user: 'Hi', answer: 'Hello' }] },
    { eval_id: 'bye', conversation: [{ user: 'Bye', answer: 'Goodbye' }] },
  ],
};

describe('the history of a project', () => {
  let root = '';
  beforeEach(() => {
    root = folderOf({
      'package.json': { name: 'desk', private: true },
      'agents/desk/agent.mjs': "export const rootAgent = () => 'Hello';",
      'agents/desk/home.evalset.json': evalSet,
      'agents/desk/test_config.json': { criteria: { response_match_score: 1 } },
      'docs/readme.md': '',
    });
  });
  const command = (...args: readonly string[]) => captureAsGiven(args);
  const runs = () => readdirSync(join(root, '.agent-criteria', 'runs')).filter((name) => !name.startsWith('.'));

  it('is the same whichever folder the command is called from', async () => {
    process.chdir(root);
    expect((await command('eval', 'agents/desk/agent.mjs', 'agents/desk/home.evalset.json')).code).toBe(1);
    process.chdir(join(root, 'agents', 'desk'));
    expect((await command('eval', 'agent.mjs', 'home.evalset.json')).code).toBe(1);
    process.chdir(join(root, 'docs'));
    const agent = join(root, 'agents', 'desk', 'agent.mjs');
    expect((await command('eval', agent, '../agents/desk/home.evalset.json')).code).toBe(1);
    expect(runs()).toHaveLength(3);
    // All three are of the same set and agent, so each follows the one before.
    for (const folder of ['.', 'agents/desk', 'docs']) {
      process.chdir(join(root, folder));
      const { code, out } = await command('show', 'last~2', '--json');
      expect([folder, code]).toEqual([folder, 0]);
      expect(JSON.parse(out).summary.verdicts).toMatchObject({ passed: 1, failed: 1 });
    }
    expect((await command('compare', '--json')).code).not.toBe(2);
  });

  it('stores paths relative to the project, and finds the files from every folder', async () => {
    process.chdir(join(root, 'agents', 'desk'));
    await command('eval', 'agent.mjs', 'home.evalset.json');
    const [id = ''] = runs();
    const plan = JSON.parse(readFileSync(join(root, '.agent-criteria', 'runs', id, 'plan.json'), 'utf8'));
    expect(plan.agent.path).toBe('agents/desk/agent.mjs');
    expect(plan.sets[0].file).toBe('agents/desk/home.evalset.json');
    const scoring = join(root, '.agent-criteria', 'runs', id, 'scorings', '1', 'plan.json');
    expect(JSON.parse(readFileSync(scoring, 'utf8')).sets[0].configFile).toBe('agents/desk/test_config.json');
    process.chdir(join(root, 'docs'));
    const { out } = await command(
      'eval',
      '../agents/desk/agent.mjs',
      '../agents/desk/home.evalset.json',
      '--only-failed',
    );
    expect(out).toContain('bye');
    expect(out).not.toContain('hi ');
    expect((await command('score', id)).code).toBe(1);
    expect(readdirSync(join(root, 'docs'))).toEqual(['readme.md']);
  });

  it('is shared by the packages of a workspace in a Git repository', async () => {
    const top = folderOf({
      '.git/HEAD': 'ref: refs/heads/main',
      'package.json': { name: 'everything', private: true },
      'desk/package.json': { name: 'desk' },
      'desk/agent.mjs': "export const rootAgent = () => 'Hello';",
      'desk/home.evalset.json': evalSet,
      'desk/test_config.json': { criteria: { response_match_score: 1 } },
    });
    process.chdir(join(top, 'desk'));
    await command('eval', 'agent.mjs', 'home.evalset.json');
    process.chdir(top);
    await command('eval', 'desk/agent.mjs', 'desk/home.evalset.json');
    expect((await command('show', 'last~1')).code).toBe(0);
    expect(readdirSync(join(top, 'desk'))).not.toContain('.agent-criteria');
  });

  it('is that of the working folder if the agent is in a project below', async () => {
    const above = folderOf({});
    renameSync(root, join(above, 'mine'));
    process.chdir(above);
    await command('eval', 'mine/agents/desk/agent.mjs', 'mine/agents/desk/home.evalset.json');
    expect((await command('show', 'last')).code).toBe(0);
    process.chdir(join(above, 'mine'));
    const { code, err } = await command('show', 'last');
    expect([code, err]).toEqual([2, expect.stringContaining('no runs yet')]);
  });

  it('begins at the config of the project, above its package', async () => {
    const above = folderOf({
      'agent-criteria.config.json': {},
      'desk/package.json': { name: 'desk' },
      'desk/agent.mjs': "export const rootAgent = () => 'Hello';",
      'desk/home.evalset.json': evalSet,
    });
    process.chdir(join(above, 'desk'));
    await command('eval', 'agent.mjs', 'home.evalset.json');
    process.chdir(above);
    expect((await command('show', 'last')).code).toBe(0);
    expect(readdirSync(join(above, 'desk'))).not.toContain('.agent-criteria');
  });
});
