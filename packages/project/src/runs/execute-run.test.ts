import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRun } from '@agent-criteria/runner';
import { describe, expect, it } from 'vitest';
import { smallProject } from '../__fixtures__/small-project.ts';
import { executeRun } from './execute-run.ts';
import { prepareRun } from './prepare-run.ts';

describe('executeRun', () => {
  it('saves the run in a new folder and reports events', async () => {
    const { folder: agent, options, runs, runsFolder } = smallProject();
    const happened: string[] = [];
    const executed = await executeRun(await prepareRun({ ...options, agent }), {
      onReady: ({ folder, agent }) => happened.push(`ready ${folder.startsWith(runsFolder)} ${agent !== null}`),
      onEvent: ({ type }) => happened.push(type),
    });
    expect(happened[0]).toBe('ready true true');
    expect(happened[1]).toBe('run-started');
    expect(happened.filter((type) => type === 'case-finished')).toHaveLength(3);
    expect(happened.at(-1)).toBe('run-finished');
    expect(runs()).toHaveLength(1);
    const { summary } = openRun(executed.folder);
    expect(summary).toEqual(executed.outcome.summary);
    expect(summary.verdicts).toMatchObject({ passed: 2, error: 1 });
    expect([executed.atClosing, executed.closingError]).toEqual([[], undefined]);
  });

  it('saves the run in the given folder', async () => {
    const { folder: agent, options, runs } = smallProject();
    const chosen = join(agent, 'chosen');
    const { folder } = await executeRun(await prepareRun({ ...options, agent }), { folder: chosen });
    expect(folder).toBe(chosen);
    expect(existsSync(join(chosen, 'plan.json'))).toBe(true);
    expect(runs()).toEqual([]);
  });

  it.each([
    ['whose module throws', "throw new Error('no module');", 'AGENT_FAILED'],
    [
      'whose check reports a problem',
      `export const agent = { name: 'down', open() {}, check: async () => [{ code: 'CALL_FAILED', message: 'down' }] };`,
      'CALL_FAILED',
    ],
  ])('leaves no folder behind if it rejects the run of an agent %s', async (_, module, code) => {
    const { folder: agent, options, runs } = smallProject({ 'agent.mjs': module });
    const prepared = await prepareRun({ ...options, agent });
    await expect(executeRun(prepared)).rejects.toMatchObject({ code });
    expect(runs()).toEqual([]);
  });

  it('never removes a given folder, even if it rejects the run', async () => {
    const { folder: agent, options } = smallProject({ 'agent.mjs': "throw new Error('no module');", 'mine/note': 'x' });
    const mine = join(agent, 'mine');
    await expect(executeRun(await prepareRun({ ...options, agent }), { folder: mine })).rejects.toThrow();
    expect(readdirSync(mine)).toEqual(['note']);
  });

  it('rejects if no run can be saved', async () => {
    const { folder: agent, options, runsFolder } = smallProject();
    const prepared = await prepareRun({ ...options, agent });
    writeFileSync(runsFolder, 'a file');
    await expect(executeRun(prepared)).rejects.toMatchObject({
      problems: [{ code: 'WRITE_FAILED', file: runsFolder }],
    });
  });
});
