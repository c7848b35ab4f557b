import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createRegistry } from '@agent-criteria/core/host';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { openRun } from '@agent-criteria/runner';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { evaluate } from './evaluate.ts';

const registry = createRegistry([toolTrajectory, responseMatch]);
const call = { name: 'look', args: { at: 'door' } };
const set = evalSet([evalCase('right', [{ user: 'echo', answer: 'echo', calls: [call] }])]);

describe('evaluate', () => {
  it('accepts paths for the agent, the set and the config', async () => {
    const folder = folderOf({
      'agent.ts':
        "export const agent = (text: string) => ({ text, toolCalls: [{ name: 'look', args: { at: 'door' } }] });",
      'a.test.json': set,
      'loose.json': { criteria: { response_match_score: 0 } },
    });
    const paths = { agent: folder, evalSet: join(folder, 'a.test.json'), config: join(folder, 'loose.json') };
    expect((await evaluate({ ...paths, registry })).exitCode).toBe(0);
  });

  it('runs only cases that match a filter, and throws if none does', async () => {
    const tagged = (id: string, ...tags: string[]) => ({ ...evalCase(id, [{ user: 'Hi' }]), agentCriteria: { tags } });
    const some = evalSet([tagged('a', 'smoke'), tagged('b', 'smoke', 'slow'), tagged('c')]);
    const options = {
      agent: () => 'Hi',
      evalSet: some,
      registry,
      config: { criteria: { tool_trajectory_avg_score: 1 } },
    };
    const ids = async (more: object) => (await evaluate({ ...options, ...more })).cases.map(({ caseId }) => caseId);
    expect(await ids({ filter: { tags: ['smoke'] } })).toEqual(['a', 'b']);
    expect(await ids({ filter: { tags: ['smoke'], grep: ['slow', ':c'] } })).toEqual(['b']);
    expect(await ids({ filter: { tags: ['smoke'] }, cases: ['b', 'c'] })).toEqual(['b']);
    expect(await ids({ filter: {} })).toHaveLength(3);
    await expect(ids({ filter: { tags: ['smok'] } })).rejects.toThrow(
      'no case has the tag "smok"; did you mean "smoke"?',
    );
    await expect(ids({ filter: { grep: ['none'] } })).rejects.toThrow('no case has "none" in SET:CASE or in a tag');
    await expect(ids({ filter: { tag: ['smoke'] } })).rejects.toThrow('unknown option "tag"; did you mean "tags"?');
    await expect(ids({ filter: { tags: 'smoke' } })).rejects.toThrow('filter.tags must be a list of texts');
  });

  it('runs several agents by path, one of them an export, in a single saved run', async () => {
    const folder = folderOf({
      'good.ts':
        "export const agent = (text: string) => ({ text, toolCalls: [{ name: 'look', args: { at: 'door' } }] }); export const rude = () => 'no';",
      'a.test.json': set,
    });
    const variants = { good: join(folder, 'good.ts'), rude: `${join(folder, 'good.ts')}#rude`, plain: () => 'echo' };
    const evalSet = join(folder, 'a.test.json');
    const result = await evaluate({ variants, evalSet, registry, folder: join(folder, 'run') });
    expect(result.cases.map(({ variant, verdict }) => [variant, verdict])).toEqual([
      ['good', 'passed'],
      ['rude', 'failed'],
      ['plain', 'failed'],
    ]);
    const { plan } = openRun(join(folder, 'run'));
    expect(plan.variants?.map(({ variant, agentName }) => [variant, agentName])).toEqual([
      ['good', undefined],
      ['rude', 'rude'],
      ['plain', undefined],
    ]);
    const missing = evaluate({ variants: { ...variants, none: join(folder, 'none.ts') }, evalSet, registry });
    await expect(missing).rejects.toThrow(/variant "none": .*there is no such file or folder/s);
  });

  it('reports mistakes in the set, the config and the agent together, without importing the agent', async () => {
    const marker = (folder: string) => join(folder, 'ran');
    const folder = folderOf({
      'agent.mjs':
        "import { writeFileSync } from 'node:fs'; writeFileSync(new URL('ran', import.meta.url), ''); export const agent = () => 'x';",
      'bad.test.json': { eval_set_id: 's', eval_cases: [] },
      'good.test.json': set,
      'bad.json': { criteria: { response_match_score: true } },
    });
    const path = (name: string) => join(folder, name);
    const config = path('bad.json');
    const all = evaluate({ agent: path('none'), evalSet: path('bad.test.json'), config, registry });
    await expect(all).rejects.toMatchObject({
      problems: [
        { code: 'EMPTY', file: path('bad.test.json') },
        { code: 'INVALID_THRESHOLD', file: config },
        { code: 'AGENT_NOT_FOUND', file: path('none') },
      ],
    });
    await expect(
      evaluate({ agent: path('agent.mjs'), evalSet: path('good.test.json'), config, registry }),
    ).rejects.toThrow();
    expect(existsSync(marker(folder))).toBe(false);
    await evaluate({ agent: path('agent.mjs'), evalSet: path('good.test.json'), registry });
    expect(existsSync(marker(folder))).toBe(true);
  });
});
