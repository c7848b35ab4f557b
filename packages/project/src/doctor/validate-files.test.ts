import { join } from 'node:path';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { validateFiles } from './validate-files.ts';

const turn = { user_content: { parts: [{ text: 'Hi' }] }, intermediate_data: { tool_uses: [] } };
const set = { eval_set_id: 's', eval_cases: [{ eval_id: 'a', conversation: [turn] }] };
const config = { criteria: { tool_trajectory_avg_score: 1 } };
const how = { environment: {}, builtIn: { plugins: [toolTrajectory] } };

describe('validateFiles', () => {
  it('summarises the content of every file in a folder', async () => {
    const folder = folderOf({
      's.evalset.json': set,
      'test_config.json': config,
      'more/scenarios.json': { scenarios: [{ starting_prompt: 'Hi', conversation_plan: 'Ask.' }] },
      'package.json': {},
    });
    const { files, problems } = await validateFiles({ ...how, paths: [folder] });
    expect(problems).toEqual([]);
    expect(files.map(({ kind, content }) => [kind, content])).toEqual([
      ['scenarios', { scenarios: 1 }],
      ['eval set', { cases: 1, criteria: ['tool_trajectory_avg_score'] }],
      ['config', { criteria: ['tool_trajectory_avg_score'] }],
    ]);
  });

  it('warns of short turns, which ADK does not read, and gives the command that rewrites them', async () => {
    const short = { user: 'Hi', calls: [] };
    const conversation = [turn, short, short];
    const folder = folderOf({ 's.evalset.json': { eval_set_id: 's', eval_cases: [{ eval_id: 'a', conversation }] } });
    const { problems, warnings } = await validateFiles({ ...how, paths: [folder], config: undefined });
    expect(problems).toEqual([]);
    const file = join(folder, 's.evalset.json');
    expect(warnings.filter(({ path }) => path !== undefined)).toEqual([
      {
        code: 'UNKNOWN_FORMAT',
        file,
        path: '$.eval_cases[0].conversation[1]',
        message: `this turn and 1 more are written in short, which ADK Python does not read: agent-criteria migrate ${file} rewrites the file in ADK's form`,
      },
    ]);
  });

  it('reports every mistake and every missing path once, with its file', async () => {
    const folder = folderOf({
      's.evalset.json': set,
      't.evalset.json': set,
      'test_config.json': { criteria: { tool_trajectory_avg_score: 'high' } },
    });
    const none = join(folder, 'none.json');
    const { files, problems, missing } = await validateFiles({ ...how, paths: [folder, none] });
    expect(missing).toMatchObject([{ code: 'FILE_NOT_FOUND', file: none }]);
    expect(problems).toHaveLength(2);
    expect(files.map(({ problems: own }) => own.length)).toEqual([0, 0, 1]);
  });

  it('checks configs with other names, and recognises agents-cli datasets', async () => {
    const prompt = { role: 'user', parts: [{ text: 'Hi' }] };
    const folder = folderOf({
      'eval/eval_config.json': { criteria: { tool_trajectory_avg_score: 'high', tool_trajectory: 1 } },
      'eval/datasets/a-dataset.json': { eval_cases: [{ eval_case_id: 'a', prompt }] },
    });
    const { files, problems, warnings } = await validateFiles({ ...how, paths: [folder] });
    expect(problems.map(({ file }) => file)).toEqual(Array(2).fill(join(folder, 'eval/eval_config.json')));
    expect(files.map(({ kind, content }) => [kind, content?.cases])).toEqual([
      ['agents-cli dataset', 1],
      ['config', undefined],
    ]);
    expect(warnings[0]?.message).toMatch(
      /^this is a dataset of agents-cli, not an eval set: name it to evaluate it as it is, or agent-criteria migrate .*a\.evalset\.json/,
    );
  });

  it('lists every skipped data file in a folder with the reason', async () => {
    const folder = folderOf({
      's.evalset.json': set,
      'app_config.json': { port: 1 },
      'broken.json': '{',
      'cases.jsonl': '{}',
      'config.json': { criteria: [1] },
      'eval_config.yaml': 'a: 1',
      'other.yaml': 'metrics_to_run: []',
      'old.json': [{ query: 'Hi', reference: 'Hello' }],
      'rules.json': config,
      'session.json': { app_name: 'a', user_id: 'u' },
      'agent.py': '',
    });
    const { skipped } = await validateFiles({ ...how, paths: [folder] });
    expect(skipped.map(({ file, reason }) => [file.slice(folder.length + 1), reason])).toEqual([
      ['app_config.json', 'not a file that agent-criteria reads'],
      ['broken.json', expect.stringMatching(/JSON/)],
      ['cases.jsonl', expect.stringMatching(/^JSON Lines are only read if they are called/)],
      ['config.json', 'its "criteria" is not an object'],
      ['eval_config.yaml', 'configs are JSON'],
      ['old.json', expect.stringMatching(/^this is a list of eval data by its content/)],
      ['other.yaml', 'only JSON and JSON Lines are read'],
      ['rules.json', 'it may be a config: name it to check it'],
      ['session.json', 'it may be a session input: name it to check it'],
    ]);
  });

  it('throws if there is nothing to check', async () => {
    await expect(validateFiles({ ...how, paths: [folderOf({ 'notes.txt': '' })] })).rejects.toThrow(
      'there is nothing to check in ',
    );
  });
});
