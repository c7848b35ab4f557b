import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { gatedProject } from './__fixtures__/gated-project.ts';

const home = process.cwd();
afterEach(() => process.chdir(home));

/**
 * An agent that answers correctly in as many of five repeats as the case name says. The case `down` throws until a file
 * `up` exists.
 */
const AGENT = `import { existsSync } from 'node:fs';
export const agent = (text, { key }) => {
  if (text === 'down' && existsSync('up')) return text;
  if (text === 'down') throw new Error('the agent is down');
  return key.repeat % 5 < Number(text.split(' ')[0]) ? text : 'I do not know';
};`;

interface Parts {
  readonly gates?: unknown;
  readonly config?: unknown;
  readonly threshold?: number;
}

/** Creates a project whose cases pass in as many of five repeats as their names say. */
function project(names: readonly string[], parts: Parts = {}) {
  return gatedProject({ agent: AGENT, names, ...parts });
}

const GATE = ['--gate', 'case_pass_rate=0.8'];

describe('--num_runs auto', () => {
  it('is rejected without the gate case_pass_rate or without verdicts, before anything runs', async () => {
    const { run, command, folder } = project(['5 of 5']);
    for (const asked of ['auto', 'auto:30']) {
      const { code, err } = await run('--num_runs', asked);
      expect(code).toBe(2);
      expect(err).toContain('add --gate case_pass_rate=0.8, or "case_pass_rate": 0.8 under agent_criteria.gates');
      expect(err).toContain('A gate does not change verdicts');
      expect(err).toContain('add "decide": true');
    }
    expect(await run('--num_runs', 'auto', '--dry_run')).toMatchObject({ code: 2 });
    writeFileSync('measure.json', '{ "criteria": {}, "agent_criteria": { "measure": ["tool_call_count_v1"] } }');
    const measured = await run('--num_runs', 'auto', ...GATE, '--config_file_path', 'measure.json');
    expect(measured).toMatchObject({ code: 2, err: expect.stringContaining('no criterion of "home" has a threshold') });
    const generated = await command('generate', 'agent.mjs', 'home.evalset.json', '--num_runs', 'auto');
    expect(generated).toMatchObject({ code: 2, err: expect.stringContaining('use --num-runs N') });
    expect(existsSync(join(folder, 'runs'))).toBe(false);
  });

  it.each(['auto:0', 'auto:x', 'auto:', 'auto:1.5', 'auto:-3', 'auto:20000', 'automatic'])(
    'cannot be written as %s',
    async (asked) => {
      const { code, err } = await project(['5 of 5']).run('--num_runs', asked, ...GATE);
      expect(code).toBe(2);
      expect(err).toContain(
        `--num-runs must be a whole number above 0, at most 10000, or auto:MAX, such as auto:60, not "${asked}"`,
      );
    },
  );

  it('stops each case once it is clear whether it passes often enough, and prints the savings', async () => {
    const { run, command } = project(['5 of 5', '0 of 5']);
    const { code, out, err } = await run('--num_runs', 'auto', ...GATE);
    expect(code).toBe(1);
    expect(out).toContain('home: 2 cases, up to 60 repeats each');
    expect(out).toContain('auto stopped 2 of 2 cases early: 28 of 120 repeats ran\n');
    expect(out).toContain(
      'case_pass_rate does not hold: 1 of 2 cases passes too rarely (0 of 5); the gate requires at least 80%',
    );
    expect(err).toContain('gates do not change verdicts');
    expect((await command('runs')).out).toMatch(/1 passed, 1 failed +finished/);
    const report = await command('report', '--format', 'markdown');
    expect(report.out).toContain('up to 60 repeats of each case');
    expect(report.out).toContain('auto stopped 2 of 2 cases early');
    const json = JSON.parse((await command('report', '--format', 'json')).out);
    expect(json).toMatchObject({
      finished: true,
      run: { repeats: 60, auto: { casePassRate: 0.8 }, units: { total: 28, finished: 28 } },
      statistics: [{ stoppedEarly: { stopped: 2, repeats: { ran: 28, of: 120 } } }],
    });
    expect((await command('report', '--format', 'html')).out).toContain('auto stopped 2 of 2 cases early');
  });

  it('exits with 3 and names each case that is still undecided at the end', async () => {
    const { run } = project(['5 of 5', '4 of 5'], { threshold: 0.5 });
    const { code, out } = await run('--num_runs', 'auto:30', ...GATE);
    expect(code).toBe(3);
    expect(out).toContain('auto stopped 1 of 2 cases early: 54 of 60 repeats ran');
    expect(out).toContain('case_pass_rate cannot tell: 30 repeats are too few to tell for 1 of 2 cases (4 of 5)');
  });

  it('exits with 0 despite cases that sometimes fail if the gates alone decide', async () => {
    const gates = { case_pass_rate: 0.5, decide: true };
    const { run } = project(['4 of 5', '5 of 5'], { gates });
    const { code, out, err } = await run('--num_runs', 'auto');
    expect(code).toBe(0);
    expect(out).toContain('1 of 2 cases failed; the gate holds: exit 0, decided by the gates');
    expect(err).not.toContain('gates do not change verdicts');
    expect(await project(['4 of 5'], { gates: { case_pass_rate: 0.5 } }).run('--num_runs', 'auto')).toMatchObject({
      code: 1,
    });
  });

  it('names the gates that remain undecided because cases stop early, before and after the run', async () => {
    const { run } = project(['5 of 5'], { gates: { pass_rate: 0.5, decide: true } });
    const { code, out, err } = await run('--num_runs', 'auto', ...GATE);
    expect(code).toBe(3);
    expect(err).toContain('pass_rate cannot tell if cases stop early, because such cases look better or worse');
    expect(out).toMatch(/pass_rate cannot tell: 1 case stopped early/);
  });

  it('warns if there are too few repeats to show that a case passes often enough', async () => {
    const { code, err } = await project(['5 of 5']).run('--num_runs', 'auto:20', ...GATE);
    expect(code).toBe(3);
    expect(err).toContain(
      '20 repeats are too few to show that a case passes 80% of the time, even if all of them pass',
    );
    expect(err).toContain('use --num-runs auto:24 or more');
    const uneven = await project(['5 of 5']).run('--num_runs', 'auto:3', '--gate', 'case_pass_rate=0.55');
    expect(uneven.err).toContain('a case passes 55% of the time');
    const never = await project(['0 of 5']).run('--num_runs', 'auto', '--gate', 'case_pass_rate=0.99999');
    expect(never.err).toContain('and so is any number; ask for a lower rate');
  });

  it('can be set in the project config', async () => {
    const { run } = project(['0 of 5'], { gates: { case_pass_rate: 0.8 }, config: { repeats: 'auto:10' } });
    expect((await run()).out).toContain('1 case, up to 10 repeats each');
    expect((await run('--num_runs', '2')).out).toContain('1 case, 2 repeats each');
    const wrong = await project(['0 of 5'], { config: { repeats: 'auto:0' } }).run();
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('or auto:MAX') });
  });

  it('keeps the same gate when the run is resumed', async () => {
    const { run, command, folder } = project(['down', '5 of 5']);
    const { code, out } = await run('--num_runs', 'auto:30', ...GATE);
    expect(code).toBe(3);
    expect(out).toContain('case_pass_rate cannot tell: 30 repeats are too few to tell for 1 of 2 cases (down)');
    writeFileSync(join(folder, 'up'), '');
    const resumed = await command('resume');
    expect(resumed.out).toContain('auto stopped 2 of 2 cases early: 48 of 60 repeats ran');
    expect(resumed.out).toContain('case_pass_rate holds: every case passes often enough');
    expect(resumed.code).toBe(0);
    const scored = await command('score');
    expect(scored).toMatchObject({ code: 0, out: expect.stringContaining('48 of 60 repeats ran') });
  });

  it('resumes a stopped case that new criteria leave undecided, without reporting a change', async () => {
    const { run, command } = project(['0 of 5', '5 of 5']);
    await run('--num_runs', 'auto:30', ...GATE);
    writeFileSync('test_config.json', JSON.stringify({ criteria: { response_match_score: 0 } }));
    const scored = await command('score');
    expect(scored.code).toBe(3);
    expect(scored.out).toContain('case_pass_rate cannot tell: too few repeats to tell for 1 of 2 cases (0 of 5)');
    const resumed = await command('resume');
    expect(resumed.code).toBe(0);
    expect(resumed.err).toContain(
      'the case "0 of 5" of "home" stopped after 4 repeats, but its saved scores do not decide it: it goes on',
    );
    expect(resumed.out).toContain('auto stopped 2 of 2 cases early: 48 of 60 repeats ran');
  });

  it('shows the maximum number of repeats for an unfinished run', async () => {
    const { run, command, folder } = project(['5 of 5']);
    await run('--num_runs', 'auto:30', ...GATE);
    const [id = ''] = readdirSync(join(folder, 'runs'));
    const scores = join(folder, 'runs', id, 'scorings', '1', 'scores.jsonl');
    const lines = readFileSync(scores, 'utf8').split('\n');
    writeFileSync(scores, lines.slice(0, 10).join('\n').concat('\n'));
    expect((await command('runs')).out).toContain('unfinished, 10 of up to 30 done');
    expect((await command('report')).out).toContain('10 of up to 30 units are run and scored');
    expect((await command('resume')).out).toContain('auto stopped 1 of 1 case early: 24 of 30 repeats ran');
  });

  it('shows its limit and its stopping rule with --dry_run', async () => {
    const { run } = project(['5 of 5']);
    const text = await run('--num_runs', 'auto:30', ...GATE, '--dry_run');
    expect(text.out).toContain(
      'Each case runs up to 30 times: it stops as soon as it is clear whether it passes at least 80% of the time.\n',
    );
    const json = await run('--num_runs', 'auto:30', ...GATE, '--dry_run', '--json');
    expect(JSON.parse(json.out)).toMatchObject({ repeats: { most: 30, casePassRate: 0.8 } });
  });

  it('writes every repeat that ran to an ADK result file', async () => {
    const { run } = project(['0 of 5']);
    await run('--num_runs', 'auto', ...GATE, '--output', 'home.evalset_result.json');
    const { eval_case_results: results } = JSON.parse(readFileSync('home.evalset_result.json', 'utf8'));
    expect(results).toHaveLength(3);
  });

  it('is rejected by noise', async () => {
    const { run, command } = project(['0 of 5']);
    await run('--num_runs', 'auto', ...GATE);
    const { code, err } = await command('noise', '--repeats', '2');
    expect(code).toBe(2);
    expect(err).toContain('(--num-runs auto): use a run with a fixed number of repeats');
  });
});
