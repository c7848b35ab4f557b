import { join } from 'node:path';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { findEvalSet } from '../files/agent-folder.ts';
import { executeRun } from '../runs/execute-run.ts';
import { prepareRun } from '../runs/prepare-run.ts';
import { addMatchers } from './add-matchers.ts';
import { caseFromRun } from './case-from-run.ts';
import { caseFromSession } from './case-from-session.ts';
import { addCases, readEvalSetFile } from './eval-set-file.ts';

const files = {
  'agent.mjs': `export const agent = (text) => {
    if (text === 'Break.') throw new Error('the wire is cut');
    return { text: 'Booked.', toolCalls: [{ name: 'book', args: { order: 'ORD-4711', room: 7 } }] };
  };`,
  's.evalset.json': {
    eval_set_id: 's',
    eval_cases: ['Book.', 'Break.'].map((text) => ({
      eval_id: text === 'Book.' ? 'books' : 'breaks',
      conversation: [{ user_content: { parts: [{ text }] }, intermediate_data: { tool_uses: [] } }],
    })),
  },
  'test_config.json': { criteria: { tool_trajectory_avg_score: 1 } },
  'session.json': {
    id: 'said',
    events: [
      { invocationId: 'i', author: 'user', content: { parts: [{ text: 'Book.' }] } },
      { invocationId: 'i', author: 'a', content: { parts: [{ text: 'Booked.' }] } },
    ],
  },
};

async function runOnce(folder: string): Promise<string> {
  const runsFolder = join(folder, 'runs');
  const builtIn = { plugins: [toolTrajectory] };
  const run = await executeRun(await prepareRun({ agent: folder, environment: {}, builtIn, settings: { runsFolder } }));
  return run.folder;
}

describe('a recorded case', () => {
  it('is made from a run, gets matchers, and is added to an eval set', async () => {
    const folder = folderOf(files);
    const run = await runOnce(folder);
    const { evalCase, notes } = await caseFromRun({ run, caseId: 'books' });
    expect(evalCase).toMatchObject({ evalId: 'books_recorded', conversation: [{ finalResponse: {} }] });
    expect(notes).toEqual(['It failed in this run: correct what the case expects.']);

    const file = await findEvalSet(folder, 's');
    const { suggestions, matchers, ...matched } = await addMatchers(evalCase, file);
    expect(suggestions).toMatchObject([{ tool: 'book', path: 'order', kind: 'an id' }]);
    expect(matchers).toEqual({ book: { order: { pattern: 'ORD-[0-9]+' } } });
    const { value } = await addCases(await readEvalSetFile(file), [matched.evalCase]);
    expect(value.evalCases.map(({ evalId }) => evalId)).toEqual(['books', 'breaks', 'books_recorded']);
  });

  it('is rejected if the conversation ended in an error, or if there is no such case or repeat', async () => {
    const run = await runOnce(folderOf(files));
    await expect(caseFromRun({ run, caseId: 'breaks' })).rejects.toThrow('the wire is cut');
    await expect(caseFromRun({ run, caseId: 'books', repeat: 1 })).rejects.toThrow('repeat 2: there is 1');
    await expect(caseFromRun({ run, caseId: 'none' })).rejects.toMatchObject({ code: 'UNKNOWN_CASE' });
  });

  it("is made from a session, with the session's id or a given one", async () => {
    const folder = folderOf(files);
    const session = { file: join(folder, 'session.json'), agent: folder };
    expect((await caseFromSession(session)).evalCase).toMatchObject({
      evalId: 'said',
      conversation: [{ userContent: { parts: [{ text: 'Book.' }] } }],
    });
    expect((await caseFromSession({ ...session, evalId: 'mine' })).evalCase.evalId).toBe('mine');
  });
});
