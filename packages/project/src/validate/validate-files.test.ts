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
  it('says what is in each file of a folder', async () => {
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

  it('gives every mistake once, with the file that has it, and what is missing', async () => {
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

  it('refuses to find nothing wrong where there is nothing', async () => {
    await expect(validateFiles({ ...how, paths: [folderOf({ 'notes.txt': '' })] })).rejects.toThrow(
      'there is nothing to check in ',
    );
  });
});
