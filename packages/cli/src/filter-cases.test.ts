import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evalCase, turn } from '@agent-criteria/core/eval-set';
import { describe, expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { folderOf } from './__fixtures__/folder.ts';

const set = {
  eval_set_id: 'home',
  eval_cases: [
    evalCase('lamp', [turn('yes', { answer: 'yes' })], { tags: ['smoke', 'light'] }),
    evalCase('heating', [turn('warm?', { answer: 'very much so' })], { tags: ['slow'] }),
    evalCase('door', [turn('open', { answer: 'open' })]),
  ],
};

function project(more: Readonly<Record<string, unknown>> = {}) {
  const folder = folderOf({
    'agent.mjs': 'export const agent = (text) => text;',
    'other.mjs': 'export const agent = () => "?";',
    'home.evalset.json': set,
    ...more,
  });
  const command = (...args: string[]) =>
    capture([...args.map((arg) => arg.replace('DIR', folder)), '--runs_folder', join(folder, 'runs')]);
  const runs = () => readdirSync(join(folder, 'runs')).sort();
  const plan = (run: string) => JSON.parse(readFileSync(join(folder, 'runs', run, 'plan.json'), 'utf8'));
  return { folder, command, runs, plan };
}

describe('case filters', () => {
  it.each([
    [['--tag', 'smoke'], '1 passed of 1 case', '1 of 3 cases, selected by --tag smoke.'],
    [
      ['--tag', 'slow', '--tag=light'],
      '1 passed, 1 failed of 2 cases',
      '2 of 3 cases, selected by --tag slow --tag light.',
    ],
    [['--grep', 'HEAT'], '1 failed of 1 case', '1 of 3 cases, selected by --grep HEAT.'],
    [
      ['--grep', 'home:', '--tag', 'smoke'],
      '1 passed of 1 case',
      '1 of 3 cases, selected by --tag smoke --grep home:.',
    ],
    [['--grep', 'light', '--grep', 'door'], '2 passed', '2 of 3 cases, selected by --grep light --grep door.'],
    [['--case', 'door'], '1 passed of 1 case', '1 of 3 cases, selected by --case door.'],
  ])('select cases by %j', async (flags, counts, told) => {
    const { command, runs, plan } = project();
    const { out, err } = await command('eval', 'DIR', 'DIR/home.evalset.json', ...flags);
    expect(err).toBe('');
    expect(out).toContain(told);
    expect(out).toContain(counts);
    expect(plan(runs()[0] ?? '').selection.of).toBe(3);
  });

  it('are not mentioned if they select all cases', async () => {
    const { command } = project();
    expect((await command('eval', 'DIR', 'DIR/home.evalset.json', '--grep', 'home')).out).not.toContain('selected');
  });

  it.each([
    [['--tag', 'smok'], 'no case has the tag "smok"; did you mean "smoke"?'],
    [
      ['--tag', 'smoke', '--tag', 'nightly'],
      'no case has the tag "nightly"; the tags of the 3 cases are light (1), slow (1), smoke (1)',
    ],
    [
      ['--grep', 'lamp|door'],
      'no case has "lamp|door" in SET:CASE or in a tag (it is taken as plain text, not as a pattern); the 3 cases: home:lamp, home:heating, home:door',
    ],
    [
      ['--grep', 'door', '--tag', 'smoke'],
      'no case matches all filters: of 3 cases, --tag smoke fits 1, --grep door fits 1',
    ],
    [['--grep', ''], 'an empty text was given for --grep'],
    [['--only_failed'], 'no judged run of this agent was found'],
  ])('that select nothing are rejected: %j', async (flags, told) => {
    const { command } = project();
    const { code, out, err } = await command('eval', 'DIR', 'DIR/home.evalset.json', ...flags);
    expect(err).toContain(told);
    expect([code, out]).toEqual([2, '']);
  });

  it('explain how to write tags if a set has none', async () => {
    const { command } = project({ 'home.evalset.json': { ...set, eval_cases: [set.eval_cases[2]] } });
    const { err } = await command('eval', 'DIR', 'DIR/home.evalset.json', '--tag', 'smoke');
    expect(err).toContain('none of the 1 case has tags: write "agent_criteria": { "tags": ["smoke"] }');
  });

  it('do not change the verdict of a case', async () => {
    const cases = [...set.eval_cases, evalCase('chat', [turn('hello')])];
    const { command } = project({ 'home.evalset.json': { ...set, eval_cases: cases } });
    const verdicts = async (...flags: string[]) => {
      const { out } = await command('eval', 'DIR', 'DIR/home.evalset.json', '--json', ...flags);
      return JSON.parse(out).sets[0].cases.find((one: { caseId: string }) => one.caseId === 'chat').verdict;
    };
    expect(await verdicts('--case', 'chat')).toBe(await verdicts());
  });

  it('report tags that are not a list of strings as a mistake in the set', async () => {
    const odd = { evalId: 'a', conversation: [turn('hi', { answer: 'hi' })], agentCriteria: { tags: 'smoke' } };
    const { command } = project({ 'home.evalset.json': { eval_set_id: 'home', eval_cases: [odd] } });
    const { code, err } = await command('eval', 'DIR', 'DIR/home.evalset.json');
    expect(err).toContain(
      '$.eval_cases[0].agent_criteria.tags: the tags of a case must be a list of non-empty strings',
    );
    expect(code).toBe(2);
  });
});

describe('--only-failed', () => {
  it("selects the failures of the agent's last run, again and again until nothing fails", async () => {
    const { folder, command, runs } = project();
    await command('eval', 'DIR/agent.mjs', 'DIR/home.evalset.json');
    const [first = ''] = runs();
    // The last run of another agent does not count.
    await command('eval', 'DIR/other.mjs', 'DIR/home.evalset.json');
    const again = await command('eval', 'DIR/agent.mjs', 'DIR/home.evalset.json', '--only-failed');
    expect(again.out).toContain('1 failed of 1 case\n');
    expect(again.out).toContain(`1 of 3 cases, selected by --failed-in ${join(folder, 'runs', first)}.`);
    const named = await command(
      'eval',
      'DIR/agent.mjs',
      'DIR/home.evalset.json',
      '--failed-in',
      first,
      '--tag',
      'slow',
    );
    expect(named.out).toContain('1 of 3 cases, selected by --tag slow --failed-in');
  });

  it('reports that nothing failed', async () => {
    const { command } = project();
    await command('eval', 'DIR', 'DIR/home.evalset.json', '--case', 'door');
    const { code, err } = await command('eval', 'DIR', 'DIR/home.evalset.json', '--only_failed');
    expect(err).toMatch(/all 1 case of run \S+ passed: there is nothing to run again/);
    expect(code).toBe(2);
  });

  it('selects cases for score, and the report shows their number', async () => {
    const { command } = project();
    await command('eval', 'DIR', 'DIR/home.evalset.json');
    const { out } = await command('score', 'last', '--only_failed');
    expect(out).toContain('1 failed of 1 case\n');
    expect(out).toContain('1 of 3 cases, selected by --failed-in');
    const report = await command('report', 'last', '--format', 'markdown');
    expect(report.out).toContain('1 of 3 cases, selected by --failed-in');
    const none = await command('score', 'last', '--tag', 'smoke', '--only_failed');
    expect(none.err).toContain('no case matches all filters');
  });
});
