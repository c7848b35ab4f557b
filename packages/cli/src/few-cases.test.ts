import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { allRuns } from '../../../test/runs.ts';
import { gatedProject } from './__fixtures__/gated-project.ts';

const home = process.cwd();
afterEach(() => process.chdir(home));

const right = 'export const agent = (text) => text;';
const wrong = "export const agent = () => 'I do not know';";

it.each(allRuns ? [1, 2, 3, 4, 5] : [5])(
  'a drop in all %d cases never leads to exit code 0, whether with compare, with the gate, or if gates alone decide',
  async (count) => {
    const names = Array.from({ length: count }, (_, index) => `case ${index}`);
    const { folder, run, command } = gatedProject({ agent: right, names });
    expect((await run()).code).toBe(0);
    await command('baseline', 'set', 'last', '--output', 'base.json');
    // Uses a new file, because the first module is already loaded.
    writeFileSync(join(folder, 'worse.mjs'), wrong);
    const worse = (...args: readonly string[]) => command('eval', 'worse.mjs', 'home.evalset.json', ...args);
    expect((await worse()).code).toBe(1);
    const [first = '', second = ''] = JSON.parse((await command('runs', '--json')).out).map(
      (one: { folder: string }) => one.folder,
    );
    const compared = await command('compare', first, second);
    expect(compared.code).toBe(3);
    expect(compared.out).toContain('The pass rate fell by 100 points');
    const gates = { regression: true, decide: true };
    const config = { criteria: { response_match_score: 1 }, agent_criteria: { gates } };
    writeFileSync(join(folder, 'decide.json'), JSON.stringify(config));
    const decided = await worse('--config_file_path', 'decide.json', '--baseline', 'base.json');
    expect(decided.code).toBe(3);
    expect(decided.out).toContain('cannot tell');
    expect(decided.out).not.toContain('holds');
  },
);

it('baseline set overwrites a baseline, but no other file', async () => {
  const { folder, run, command } = gatedProject({ agent: right, names: ['a'] });
  await run();
  expect((await command('baseline', 'set', 'last', '--output', 'base.json')).code).toBe(0);
  expect((await command('baseline', 'set', 'last', '--output', 'base.json')).code).toBe(0);
  for (const file of ['home.evalset.json', 'test_config.json', 'agent.mjs']) {
    const { code, err } = await command('baseline', 'set', 'last', '--output', join(folder, file));
    expect([code, err]).toEqual([2, expect.stringContaining(file)]);
  }
  expect((await run()).code).toBe(0);
});
