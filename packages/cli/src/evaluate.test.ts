import { join } from 'node:path';
import { defineCriterion } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import { folderOf } from './__fixtures__/folder.ts';
import { evaluate, evaluateAgent } from './index.ts';

const set = evalSet([evalCase('a', [{ user: 'Hi', answer: 'Hi' }])]);
const agent = (message: string) => message;

describe('@agent-criteria/cli', () => {
  it('evaluate() knows the criteria bundled with the command, with and without a config', async () => {
    const { exitCode, cases } = await evaluate({ agent, evalSet: set });
    expect(exitCode).toBe(0);
    const names = cases[0]?.criteria.map(({ name }) => name) ?? [];
    expect(names.slice(0, 2)).toEqual(['tool_trajectory_avg_score', 'response_match_score']);
    const config = { criteria: { response_checks: { threshold: 1, contains: 'H' } } };
    expect((await evaluate({ agent, evalSet: set, config })).exitCode).toBe(0);
  });

  it('evaluate() adds the bundled criteria to those of the config, which may replace them by name', async () => {
    const mine = (name: string) =>
      defineCriterion({ name, description: 'Only for tests.', evaluate: () => ({ value: 0.5 }) });
    const plugins = [mine('mine'), mine('response_checks')];
    const criteria = { mine: 0.5, response_checks: 0.5, response_match_score: 1 };
    const result = await evaluate({ agent, evalSet: set, config: { plugins, criteria } });
    expect(result.cases[0]?.criteria.slice(0, 3)).toMatchObject([{ score: 0.5 }, { score: 0.5 }, { score: 1 }]);
  });

  it('evaluate() leaves a given registry unchanged', async () => {
    const registry = createRegistry([]);
    await expect(evaluate({ agent, evalSet: set, registry })).rejects.toThrow('is not registered');
  });

  it('evaluateAgent() also knows the bundled criteria', async () => {
    const folder = folderOf({
      'a.test.json': { eval_set_id: 's', eval_cases: [{ eval_id: 'a', conversation: [{ user: 'Hi', answer: 'Hi' }] }] },
    });
    const evalDatasetFilePathOrDir = join(folder, 'a.test.json');
    const record = await evaluateAgent({
      agentModule: agent,
      evalDatasetFilePathOrDir,
      numRuns: 1,
      registry: undefined,
    });
    expect(record.summary.exitCode).toBe(0);
  });
});
