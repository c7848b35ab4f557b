import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { acceptAnswers, listSets, readLastRun, runSet } from './workbench.ts';

const here = import.meta.dirname;

/** A copy of the agent and its files, with a folder of runs beside them. */
function agentFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tiny-workbench-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = readdirSync(here).filter((name) => name === 'agent.ts' || name.endsWith('.json'));
  for (const name of files) cpSync(join(here, name), join(folder, name));
  writeFileSync(join(folder, 'agent-criteria.config.json'), JSON.stringify({ runsFolder: 'runs' }));
  return folder;
}

it('lists sets, runs one with live events, reads the run, and edits a case', async () => {
  const agent = agentFolder();
  expect(await listSets(agent)).toEqual(['hours (2)', 'tickets (1)']);

  const told: string[] = [];
  await runSet(agent, 'hours', (line) => told.push(line));
  expect(told).toContain('sunday ...');
  expect(told.indexOf('sunday ...')).toBeLessThan(told.indexOf('sunday: failed'));
  expect(told.at(-1)).toBe('1 of 2 passed');

  const [head, ...cases] = await readLastRun(agent);
  expect(head).toMatch(/: failed$/);
  expect(cases.slice(0, 3)).toEqual([
    'today: passed',
    '  response_match_score: 1 (threshold 0.8)',
    '  answer: The pool is open from 7:00 to 21:00.',
  ]);

  await acceptAnswers(agent, 'hours', 'sunday');
  await runSet(agent, 'hours', (line) => told.push(line));
  expect(told.at(-1)).toBe('2 of 2 passed');
});

it('lists a set that cannot be read, with the reason', async () => {
  const agent = agentFolder();
  writeFileSync(join(agent, 'broken.evalset.json'), '{');
  const [first, , , reason] = await listSets(agent);
  expect(first).toBe('broken (unreadable)');
  expect(reason).toContain('broken.evalset.json');
});

it('does what its user types, and says what is wrong', () => {
  const input = 'sets\nrun nope\nrun tickets\nnonsense\n';
  const args = ['--conditions=@agent-criteria/source', '--no-warnings', join(here, 'main.ts'), agentFolder()];
  const printed = execFileSync(process.execPath, args, { input, encoding: 'utf8' }).split('\n');
  expect(printed).toContain('tickets (1)');
  expect(printed).toContain('1 of 1 passed');
  expect(printed).toContain('sets | run SET | show | accept SET CASE');
  expect(printed.join('\n')).toContain('the agent has no eval set of this id');
});

it('takes fewer than 150 lines, its agent included', () => {
  const sources = readdirSync(here).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const lines = sources.map((name) => readFileSync(join(here, name), 'utf8').split('\n').length - 1);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThan(150);
});
