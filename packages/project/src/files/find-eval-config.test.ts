import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createRegistry } from '@agent-criteria/core/host';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { loadPlan } from '../plan/load-plan.ts';
import { findEvalConfig } from './find-eval-config.ts';

const config = (threshold: number) => ({ criteria: { tool_trajectory_avg_score: threshold } });
const turn = { user_content: { parts: [{ text: 'Hi' }] }, final_response: { parts: [{ text: 'Hello' }] } };
const set = { eval_set_id: 's', eval_cases: [{ eval_id: 'a', conversation: [turn] }] };

async function planned(files: Readonly<Record<string, unknown>>, evalSet = 's.evalset.json') {
  const folder = folderOf({ [evalSet]: set, ...files });
  const registry = createRegistry([toolTrajectory]);
  const { plan, configFile, warnings } = await loadPlan({ evalSet: join(folder, evalSet), registry });
  const { name, threshold } = plan.criteria[0] ?? {};
  const told = warnings.map(
    ({ file, message }) => `${file?.slice(folder.length + 1)}: ${message.replaceAll(folder, '')}`,
  );
  return { name, threshold, configFile: configFile?.slice(folder.length + 1), told };
}

describe('a config recognised by its content', () => {
  it("may have a name other than test_config.json to judge the eval set next to it, as in ADK's samples", async () => {
    expect(
      await planned({ 'eval_config.json': config(0.5), 'config.json': { port: 1 }, 'tsconfig.json': '{ // no' }),
    ).toEqual({ name: 'tool_trajectory_avg_score', threshold: 0.5, configFile: 'eval_config.json', told: [] });
  });

  it("judges the eval sets in a subfolder, as in Google's starter templates", async () => {
    const found = await planned({ 'tests/eval/eval_config.json': config(0.5) }, 'tests/eval/evalsets/s.evalset.json');
    expect(found).toMatchObject({ threshold: 0.5, configFile: 'tests/eval/eval_config.json', told: [] });
  });

  it('is ignored next to test_config.json', async () => {
    const found = await planned({ 'eval_config.json': config(0.5), 'test_config.json': config(0.7) });
    expect(found).toMatchObject({ threshold: 0.7, configFile: 'test_config.json', told: [] });
  });
});

describe('findEvalConfig() with a candidate config that it does not use', () => {
  const folder = () => folderOf({ 'a_config.json': config(1), 'b_config.json': config(1), 'sets/x/y.txt': '' });

  it('warns of several candidates', async () => {
    const here = folder();
    for (const found of [
      await findEvalConfig(join(here, 's.evalset.json')),
      await findEvalConfig(join(here, 'sets', 's.evalset.json')),
    ]) {
      expect(found.file).toBeNull();
      expect(found.warnings).toEqual([
        {
          code: 'INVALID_CONFIG',
          file: here,
          message: expect.stringContaining(
            'several files could be it: a_config.json, b_config.json; rename one of them to test_config.json',
          ),
        },
      ]);
    }
  });

  it('warns of a candidate that cannot be read or has no criteria', async () => {
    const why = async (name: string, content: unknown) =>
      (await findEvalConfig(join(folderOf({ [name]: content }), 's.evalset.json'))).warnings[0]?.message;
    expect(await why('eval_config.json', '{')).toMatch(/^this file is not used as a config: /);
    expect(await why('eval_config.json', { criterias: {} })).toContain('it has no "criteria" object');
    expect(await why('eval_config.yaml', 'a: 1')).toContain('configs are JSON');
  });

  it('also warns of a candidate in the folder above', async () => {
    const why = async (name: string, content: unknown) => {
      const { told, configFile } = await planned({ [`eval/${name}`]: content }, 'eval/evalsets/s.evalset.json');
      expect(configFile).toBeUndefined();
      return told;
    };
    expect(await why('eval_config.json', '{')).toEqual([
      expect.stringContaining('eval_config.json: this file is not used'),
    ]);
    expect(await why('eval_config.json', { criterias: {} })).toEqual([expect.stringContaining('it has no "criteria"')]);
    expect(await why('eval_config.yaml', 'a: 1')).toEqual([expect.stringContaining('configs are JSON')]);
    expect(await why('test_config.yaml', 'a: 1')).toEqual([]);
  });

  it('ignores test_config.json in the folder above, as ADK does', async () => {
    const here = folderOf({ 'test_config.json': config(1), 'sets/y.txt': '' });
    expect(await findEvalConfig(join(here, 'sets', 's.evalset.json'))).toEqual({ file: null, warnings: [] });
  });
});

describe('findEvalConfig()', () => {
  it('finds test_config.json next to the eval set', async () => {
    const folder = folderOf({ 'a.test.json': {}, 'test_config.json': {}, 'other/b.test.json': {} });
    expect((await findEvalConfig(join(folder, 'a.test.json'))).file).toBe(join(folder, 'test_config.json'));
    expect((await findEvalConfig(join(folder, 'other', 'b.test.json'))).file).toBeNull();
  });

  it('returns a broken link, so that reading it fails', async () => {
    const folder = folderOf({ 'a.test.json': {} });
    symlinkSync(join(folder, 'gone.json'), join(folder, 'test_config.json'));
    expect((await findEvalConfig(join(folder, 'a.test.json'))).file).toBe(join(folder, 'test_config.json'));
  });
});

describe('findEvalConfig() with a file named like a config', () => {
  it.each([
    'test-config.json',
    'testConfig.json',
    'test_config.jsonc',
    'tests_config.json',
    'test_config.yaml',
    'eval_config.json',
  ])('warns that %s is not used', async (name) => {
    const folder = folderOf({ 'a.test.json': {}, [name]: {} });
    expect((await findEvalConfig(join(folder, 'a.test.json'))).warnings.map(({ file }) => file)).toEqual([
      join(folder, name),
    ]);
  });

  it.each(['app_config.json', 'test.json', 'latest_config.json', 'test_config.json.md'])('ignores %s', async (name) => {
    const folder = folderOf({ 'a.test.json': {}, [name]: {} });
    expect((await findEvalConfig(join(folder, 'a.test.json'))).warnings.map(({ file }) => file)).toEqual([]);
  });
});
