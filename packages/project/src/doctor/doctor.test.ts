import { join } from 'node:path';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { doctor } from './doctor.ts';

const turn = { user_content: { parts: [{ text: 'Hi' }] }, intermediate_data: { tool_uses: [] } };
const set = { eval_set_id: 's', eval_cases: [{ eval_id: 'a', conversation: [turn] }] };

describe('doctor', () => {
  it('describes the environment as plain JSON, without the values of variables', async () => {
    const folder = folderOf({
      'agent.mjs': 'throw new Error("this is not imported");',
      's.evalset.json': set,
      'test_config.json': { criteria: { tool_trajectory_avg_score: 1 } },
    });
    const findings = await doctor({
      agent: folder,
      environment: { A_KEY: 'hush' },
      builtIn: { plugins: [toolTrajectory] },
      settings: { runsFolder: join(folder, 'runs') },
      offline: true,
    });
    expect(findings).toMatchObject({
      node: process.versions.node,
      configuration: { file: null, environment: [] },
      agent: join(folder, 'agent.mjs'),
      sets: [{ cases: 1, criteria: [{ name: 'tool_trajectory_avg_score' }] }],
      runs: { folder: join(folder, 'runs'), count: 0 },
      problems: [],
    });
    const text = JSON.stringify(findings);
    expect(JSON.parse(text)).toEqual(findings);
    expect(text).not.toContain('hush');
  });

  it('collects all problems that would prevent a run', async () => {
    const folder = folderOf({ 'agent-criteria.config.json': { turnTimeout: 'long' }, 'bad.evalset.json': '{' });
    const { configuration, problems } = await doctor({ agent: folder, environment: {}, offline: true });
    expect(configuration).toBeNull();
    expect(problems.map(({ code }) => code)).toContain('AGENT_NOT_FOUND');
    expect(problems.map(({ file }) => file)).toContain(join(folder, 'agent-criteria.config.json'));
  });
});
