// Long: starts the command many times.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';
import { start } from './__fixtures__/spawned.ts';

const set = evalSet('s', evalCase('right', turn('a', 'a')), evalCase('wrong', turn('b', 'c')));

describe.each([
  ['in a turn', "export const agent = (text) => { process.chdir(import.meta.dirname + '/elsewhere'); return text; };"],
  ['where it is loaded', "process.chdir(import.meta.dirname + '/elsewhere'); export const agent = (text) => text;"],
])('an agent that changes the working folder %s', { timeout: 60_000 }, (_, agent) => {
  it('keeps its run and its report', async () => {
    const folder = folderOf({ 'agent.mjs': agent, 'a.test.json': set, 'elsewhere/empty': '' });
    const flags = ['--output', 'report.html', '--output', 'results.csv'];
    const { code, out, err } = await start(['eval', 'agent.mjs', 'a.test.json', ...flags], folder).ended;
    expect(err).toBe('');
    expect(out).toContain('1 passed, 1 failed of 2 cases');
    const runs = readdirSync(join(folder, '.agent-criteria', 'runs'));
    expect(out).toContain(`Written: report.html\nWritten: results.csv\nSaved as run ${runs[0]}.\n`);
    expect([code, runs.length, existsSync(join(folder, 'report.html'))]).toEqual([1, 1, true]);
    const plan = JSON.parse(readFileSync(join(folder, '.agent-criteria', 'runs', runs[0] ?? '', 'plan.json'), 'utf8'));
    expect(plan).toMatchObject({
      agent: { path: 'agent.mjs', hash: expect.any(String) },
      sets: [{ file: 'a.test.json' }],
    });

    expect(readdirSync(join(folder, 'elsewhere'))).toEqual(['empty']);

    const resumed = await start(['resume', '--rerun', 'all'], folder).ended;
    expect([resumed.code, resumed.err]).toEqual([1, '']);
    expect(resumed.out).toContain('1 passed, 1 failed of 2 cases');
  });
});
