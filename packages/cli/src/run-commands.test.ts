import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';
import { commands } from './commands.ts';

const agent = `import { appendFileSync, existsSync } from 'node:fs';
const here = (name) => new URL(name, import.meta.url);
export const agent = (text) => {
  appendFileSync(here('asked'), text + '\\n');
  if (text === 'break' && !existsSync(here('repaired'))) throw new Error('no gas');
  return text.startsWith('not ') ? 'no' : text;
};`;
const set = evalSet(
  'home',
  evalCase('right', turn('yes', 'yes')),
  evalCase('wrong', turn('not that', 'yes')),
  evalCase('odd: a,b', turn('hm', 'hm')),
);

/** Creates a folder with an agent, a set and these files, and functions that run commands in it. */
function project(more: Readonly<Record<string, unknown>> = {}) {
  const folder = folderOf({ 'agent.mjs': agent, 'home.evalset.json': set, ...more });
  const runs = join(folder, 'runs');
  const command = (...args: string[]) =>
    capture([...args.map((arg) => arg.replace('DIR', folder)), '--runs_folder', runs]);
  const asked = () => {
    const file = join(folder, 'asked');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
    writeFileSync(file, '');
    return lines.filter((line) => line !== '');
  };
  const ids = () => readdirSync(runs).sort();
  return { folder, runs, command, asked, ids };
}

describe('the exit codes in help', () => {
  it('are 0 for commands that only read a run, and never promise another code for a failed case', async () => {
    const { command } = project();
    expect((await command('eval', 'DIR', 'DIR/home.evalset.json')).code).toBe(1);
    for (const [name, word] of [
      ['runs', 'listed'],
      ['show', 'shown'],
      ['report', 'written'],
    ] as const) {
      expect([name, (await command(name)).code]).toEqual([name, 0]);
      const help = (await capture([name, '--help'])).out.replace(/\s+/g, ' ');
      expect(help).toMatch(new RegExp(`Exit codes: 0 ${word}, whatever came of the runs?, 2 a usage error`));
    }
    // Only commands that judge have the exit codes of a run.
    for (const { name } of commands) {
      const help = (await capture([...name.split(' '), '--help'])).out.replace(/\s+/g, ' ');
      const judges = ['eval', 'score', 'resume'].includes(name);
      expect([name, help.includes('1 something failed')]).toEqual([name, judges]);
    }
  });
});

describe('eval', () => {
  it('saves its run, and prints its name and how to show a single case', async () => {
    const { command, ids, runs } = project();
    const { code, out } = await command('eval', 'DIR', 'DIR/home.evalset.json');
    const [id = ''] = ids();
    expect(out).toContain(`details: agent-criteria show ${join(runs, id)} wrong`);
    expect(out).toContain(
      `2 passed, 1 failed of 3 cases\npass rate 67% (95% confidence interval 13 to 98%), 3 cases\nSaved as run ${join(runs, id)}.\n`,
    );
    expect(existsSync(join(runs, id, 'plan.json'))).toBe(true);
    expect(code).toBe(1);
    const [, show = ''] = /details: agent-criteria (show .*)/.exec(out) ?? [];
    expect((await command(...show.split(' '))).out).toContain('wrong: failed');
  });

  it('runs another agent of the module by its name, which resume remembers', async () => {
    const helper = `\nexport const helper = (text) => {
      if (!existsSync(here('repaired'))) throw new Error('no gas');
      return 'helped: ' + text;
    };`;
    const one = evalSet('home', evalCase('a', turn('yes', 'helped: yes')));
    const { folder, runs, ids, command, asked } = project({ 'agent.mjs': agent + helper, 'home.evalset.json': one });
    const wrong = await command('eval', 'DIR', '--agent_name', 'helpr');
    expect(wrong.err).toContain('there is no agent named "helpr"; did you mean "helper"?');
    expect([wrong.code, existsSync(runs)]).toEqual([2, false]);

    expect((await command('generate', 'DIR', '--agent_name', 'helper')).code).toBe(3);
    expect((await command('eval', 'DIR', '--agent_name', 'helper')).code).toBe(3);
    writeFileSync(join(folder, 'repaired'), '');
    for (const id of ids()) {
      const { agent: kept } = JSON.parse(readFileSync(join(runs, id, 'plan.json'), 'utf8'));
      expect(kept).toMatchObject({ name: 'helper', agentName: 'helper' });
      const resumed = await command('resume', id);
      expect([resumed.code, resumed.err]).toEqual([0, '']);
    }
    expect(asked()).toEqual([]);
  });

  it('prints a show command that works for a case whose id looks like a flag', async () => {
    const dashed = evalSet('home', evalCase('-dash', turn('not that', 'yes')));
    const { command, ids, runs } = project({ 'home.evalset.json': dashed });
    const { out } = await command('eval', 'DIR', 'DIR/home.evalset.json');
    expect(out).toContain(`details: agent-criteria show ${join(runs, ids()[0] ?? '')} -- '-dash'\n`);
  });

  it('creates the folders of a report, and rejects impossible paths before anything runs', async () => {
    const { command, asked, folder, runs } = project({ taken: 'a file' });
    const { code, err } = await command('eval', 'DIR', '--output', 'DIR/taken/report.html');
    expect(err).toContain(`${join(folder, 'taken')} is a file, not a folder; choose another place`);
    expect([code, asked(), existsSync(runs)]).toEqual([2, [], false]);
    await command('eval', 'DIR', '--output', 'DIR/out/sub/report.html');
    expect(existsSync(join(folder, 'out/sub/report.html'))).toBe(true);
    await command('report', '--output', 'DIR/more/report.md');
    expect(existsSync(join(folder, 'more/report.md'))).toBe(true);
  });

  it('does not claim that there are no runs if they cannot be listed', async () => {
    const { command } = project({ runs: 'a file in their place' });
    for (const args of [['runs'], ['show'], ['resume']]) {
      const { code, err } = await command(...args);
      expect(err).toContain('the saved runs cannot be listed');
      expect(code).toBe(2);
    }
  });

  it('accepts set ids and patterns, and uses all sets of the agent if none is named', async () => {
    const { command } = project({ 'other.evalset.json': evalSet('other', evalCase('x', turn('x', 'x'))) });
    expect((await command('eval', 'DIR', 'other')).out).toContain('1 passed of 1 case');
    expect((await command('eval', 'DIR', 'DIR/o*.evalset.json')).out).toContain('1 passed of 1 case');
    const all = await command('eval', 'DIR');
    expect(all.out).toContain('3 passed, 1 failed of 4 cases');
    expect(all.out).toMatch(/^home\n\ncase|^home\ncase/m);
    expect((await command('eval', 'DIR', 'othr')).err).toContain('did you mean "other"?');
  });

  it('selects cases by --case from any set that has them, whatever characters their ids contain', async () => {
    const { command, asked } = project({ 'other.evalset.json': evalSet('other', evalCase('x', turn('x', 'x'))) });
    const { code, out } = await command('eval', 'DIR', '--case', 'odd: a,b', '--case=x');
    expect(out).toContain('2 passed of 2 cases');
    expect(asked().sort()).toEqual(['hm', 'x']);
    expect(code).toBe(0);
    expect((await command('eval', 'DIR', 'home:right', 'other', '--case', 'x')).out).toContain('2 passed of 2 cases');
    const unknown = await command('eval', 'DIR', '--case', 'rigth');
    expect(unknown.err).toBe('no eval set has a case "rigth"; did you mean "right"?\n');
    expect(unknown.code).toBe(2);
  });

  it('accepts a file whose name contains a colon', async () => {
    const { command } = project({ 'odd:x.evalset.json': evalSet('odd', evalCase('x', turn('x', 'x'))) });
    expect((await command('eval', 'DIR', 'DIR/odd:x.evalset.json')).out).toContain('1 passed of 1 case');
  });

  it("writes reports by file extension, and ADK's history", async () => {
    const { command, folder } = project();
    const outputs = ['r.json', 'r.xml', 'r.md', 'r.csv', 'r.evalset_result.json', 'r.txt', 'r.html'];
    const flags = outputs.flatMap((name) => ['--output', `DIR/out/${name}`]);
    mkdirSync(join(folder, 'out'));
    const { code, out } = await command('eval', 'DIR', 'home', ...flags, '--eval_history');
    expect(readdirSync(join(folder, 'out')).sort()).toEqual([...outputs].sort());
    expect(readFileSync(join(folder, 'out/r.xml'), 'utf8')).toContain('<testsuite');
    expect(JSON.parse(readFileSync(join(folder, 'out/r.evalset_result.json'), 'utf8')).eval_set_id).toBe('home');
    expect(readdirSync(join(folder, '.adk/eval_history'))).toHaveLength(1);
    expect(out.match(/^Written: /gm)).toHaveLength(8);
    expect(code).toBe(1);
  });

  it('rejects an extension without a format before anything runs', async () => {
    const { command, asked } = project();
    const { code, err } = await command('eval', 'DIR', 'home', '--output', 'result');
    expect(err).toContain('the extension of "result" is not a report format: use one of ');
    expect(code).toBe(2);
    expect(asked()).toEqual([]);
  });

  it('rejects an ADK result file for several sets before anything runs', async () => {
    const { command, asked } = project({ 'other.evalset.json': evalSet('other', evalCase('x', turn('x', 'x'))) });
    const { code, err } = await command('eval', 'DIR', '--output', 'DIR/r.evalset_result.json');
    expect(err).toContain(
      'r.evalset_result.json" can contain only one eval set, but there are 2: use --eval-history, or',
    );
    expect(code).toBe(2);
    expect(asked()).toEqual([]);
  });

  it('does not exit with 0 if a requested report could not be written', async () => {
    const { command, folder } = project({ 'r.xml/in-its-way': '' });
    const outputs = ['--output', 'DIR/r.xml', '--output', 'DIR/r.md', '--eval_history'];
    const { code, out, err } = await command('eval', 'DIR', 'home:right', ...outputs);
    expect(err).toContain('r.xml');
    expect(code).toBe(3);
    // The other reports are written, and the run is named.
    expect(existsSync(join(folder, 'r.md'))).toBe(true);
    expect(readdirSync(join(folder, '.adk/eval_history'))).toHaveLength(1);
    expect(out).toMatch(/Saved as run .+\.\n$/);
  });

  it('names a run by its path if its id would not be found, so that printed commands work', async () => {
    const { folder } = project({ 'ag/agent.mjs': agent, 'ag/home.evalset.json': set });
    const kept = (out: string) => /Saved as run (.*)\.\n/.exec(out)?.[1] ?? '';
    const flagged = await capture(['eval', join(folder, 'ag'), '--runs_folder', join(folder, 'elsewhere')]);
    const [, show = ''] = /details: agent-criteria (show .*)/.exec(flagged.out) ?? [];
    expect((await capture(show.split(' '))).out).toContain('wrong: failed');
    expect((await capture(['resume', kept(flagged.out)])).out).toContain('2 passed, 1 failed of 3 cases');
    // A config next to the agent does not apply where the command is run.
    writeFileSync(join(folder, 'ag/agent-criteria.config.json'), JSON.stringify({ runsFolder: 'own-runs' }));
    const generated = await capture(['generate', join(folder, 'ag')]);
    expect(kept(generated.out)).toContain('own-runs');
    expect((await capture(['score', kept(generated.out)])).out).toContain('2 passed, 1 failed of 3 cases');
  });

  it('saves nothing with --no-run-folder, or if no folder can be written', async () => {
    const { command, folder, runs } = project({ taken: 'a file' });
    expect((await capture(['eval', folder, 'home:right', '--no_run_folder'])).out).not.toContain('Kept as');
    expect(existsSync(runs)).toBe(false);
    const both = await command('eval', 'DIR', 'home', '--no_run_folder');
    expect(both.err).toContain('contradict');
    const blocked = await capture(['eval', folder, 'home', '--runs_folder', join(folder, 'taken')]);
    expect(blocked.err).toContain('choose another folder with --runs-folder, or use --no-run-folder');
    expect(blocked.code).toBe(2);
  });

  it('ends a turn that takes too long, and rejects an invalid timeout', async () => {
    const slow = 'export const agent = () => new Promise((done) => setTimeout(done, 5000, "yes"));';
    const { command } = project({ 'agent.mjs': slow });
    const { code, out } = await command('eval', 'DIR', 'home:right', '--turn_timeout', '0.05');
    expect(out).toContain('1 error of 1 case');
    expect(code).toBe(3);
    for (const flag of ['turn-timeout', 'case-timeout', 'run-timeout']) {
      expect((await command('eval', 'DIR', `--${flag}`, '0')).err).toContain(
        `--${flag} must be a number of seconds above 0, or a duration such as 5m or 500ms, at most 25 days, not "0"`,
      );
    }
    expect((await command('eval', 'DIR', '--concurrency_agents', 'x')).err).toContain(
      '--concurrency-agents must be a whole number',
    );
  });

  it('names the files that add to the environment, but never a value', async () => {
    const { command } = project({
      '.env': 'AGENT_CRITERIA_TEST_SECRET=hush\n',
      'agent.mjs': 'export const agent = () => process.env.AGENT_CRITERIA_TEST_SECRET === "hush" ? "yes" : "no";',
    });
    const { err, out } = await command('eval', 'DIR', 'home:right');
    expect(err).toMatch(/^environment: AGENT_CRITERIA_TEST_SECRET from .*\.env\n$/);
    expect(out + err).not.toContain('hush');
    expect(out).toContain('1 passed');
    delete process.env.AGENT_CRITERIA_TEST_SECRET;
  });
});

describe('generate and score', () => {
  it('run the agent once, and judge its answers any number of times', async () => {
    const { command, asked, folder, ids } = project();
    const generated = await command('generate', 'DIR');
    expect(generated.out).toContain('home: 3 cases from ');
    expect(generated.out).not.toContain('judged by');
    expect(generated.out).toContain('3 of 3 inferences recorded\n');
    expect(generated.code).toBe(0);
    expect(asked()).toHaveLength(3);

    const first = await command('score');
    expect(first.out).toContain('2 passed, 1 failed of 3 cases');
    expect(first.code).toBe(1);

    writeFileSync(join(folder, 'easy.json'), JSON.stringify({ criteria: { tool_trajectory_avg_score: 1 } }));
    const second = await command('score', 'last', '--config_file_path', 'DIR/easy.json');
    expect(second.out).toContain('3 passed of 3 cases');
    expect(second.code).toBe(0);
    expect(asked()).toEqual([]);

    expect((await command('runs')).out).toContain('finished, judged 2 times');
    const [id = ''] = ids();
    expect((await command('report', id, '--scoring', '1')).out).toContain('2 passed, 1 failed of 3 cases');
    expect((await command('report', id)).out).toContain('3 passed of 3 cases');
    expect((await command('report', id, '--scoring', '3')).err).toContain('the run has no scoring 3; it has 1, 2');
  });

  it('judge by current references, and treat a case whose input has changed as having no answer', async () => {
    const { command, folder } = project();
    await command('generate', 'DIR');
    const today = evalSet(
      'home',
      evalCase('right', turn('yes', 'yes')),
      evalCase('wrong', turn('not that', 'no')),
      evalCase('odd: a,b', turn('what?', 'hm')),
    );
    writeFileSync(join(folder, 'home.evalset.json'), JSON.stringify(today));
    const { code, out } = await command('score');
    expect(out).toContain('2 passed, 1 error of 3 cases');
    expect(code).toBe(3);
  });

  it('judge only the cases that a set still contains, and the saved copy of a set whose file was deleted', async () => {
    const { command, folder } = project();
    await command('generate', 'DIR');
    writeFileSync(
      join(folder, 'home.evalset.json'),
      JSON.stringify(evalSet('home', evalCase('right', turn('yes', 'yes')))),
    );
    const fewer = await command('score');
    expect(fewer.err).toContain('cases of the run that are no longer in this file: wrong, odd: a,b');
    expect(fewer.out).toContain('1 passed of 1 case');
    renameSync(join(folder, 'home.evalset.json'), join(folder, 'away'));
    const gone = await command('score');
    expect(gone.err).toContain('the file of this eval set no longer exists: the copy saved in');
    expect(gone.out).toContain('2 passed, 1 failed of 3 cases');
  });

  it('judge only selected cases', async () => {
    const { command } = project();
    await command('generate', 'DIR');
    expect((await command('score', '--case', 'odd: a,b')).out).toContain('1 passed of 1 case');
    const { code, err } = await command('score', '--case', 'none');
    expect(err).toContain('the run has none of these cases: none');
    expect(code).toBe(2);
  });

  it('report an agent that failed', async () => {
    const { command } = project({ 'home.evalset.json': evalSet('home', evalCase('bad', turn('break', 'x'))) });
    const { code, out } = await command('generate', 'DIR');
    expect(out).toContain(
      'bad: turn 1: the agent threw: no gas\n1 of 1 inference recorded, 1 of them ended with an error\n',
    );
    expect(code).toBe(3);
    const json = JSON.parse((await command('generate', 'DIR', '--json')).out);
    expect(json).toMatchObject({
      inferences: 1,
      of: 1,
      errors: [{ caseId: 'bad', message: 'turn 1: the agent threw: no gas' }],
    });
  });
});

describe('resume', () => {
  it('does not trust a verdict that was edited in the run folder, and neither does show', async () => {
    const { command, ids, runs, asked } = project();
    await command('eval', 'DIR', 'DIR/home.evalset.json');
    asked();
    const file = join(runs, ids()[0] ?? '', 'scorings', '1', 'scores.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"verdict":"failed"', '"verdict":"passed"'));
    const shown = await command('show', 'last');
    expect(shown.out).toContain('2 passed, 1 error of 3 cases');
    expect(shown.out).toMatch(/the saved data of the case "wrong" of "home" is\s+inconsistent/);
    const { code, out, err } = await command('resume', 'last');
    expect(err).toContain(
      'the result of the case "wrong" of "home" has changed since it was saved: it was saved as passed, but its scores',
    );
    expect(err).toContain(join('scorings', '1', 'scores.jsonl'));
    expect(out).toContain('2 passed, 1 failed of 3 cases');
    expect([code, asked()]).toEqual([1, []]);
  });

  const breaking = evalSet(
    'home',
    evalCase('a', turn('yes', 'yes')),
    evalCase('b', turn('break', 'break')),
    evalCase('c', turn('not', 'x')),
  );

  it('reruns only cases that ended in an error', async () => {
    const { command, asked, folder } = project({ 'home.evalset.json': breaking });
    expect((await command('eval', 'DIR')).code).toBe(1);
    expect(asked().sort()).toEqual(['break', 'not', 'yes']);
    writeFileSync(join(folder, 'repaired'), '');
    const { out, err } = await command('resume');
    expect(asked()).toEqual(['break']);
    expect(out).toContain('2 passed, 1 failed of 3 cases');
    expect(err).toBe('');
    await command('resume');
    expect(asked()).toEqual([]);
  });

  it.each([
    ['errored', ['break']],
    ['failed', ['break', 'not']],
    ['all', ['break', 'not', 'yes']],
  ])('reruns cases with --rerun %s', async (which, again) => {
    const { command, asked } = project({ 'home.evalset.json': breaking });
    await command('eval', 'DIR');
    asked();
    await command('resume', 'last', '--rerun', which);
    expect(asked().sort()).toEqual(again);
  });

  it('runs only the selected cases', async () => {
    const { command, asked, ids } = project({ 'home.evalset.json': breaking });
    await command('eval', 'DIR', 'home:b');
    asked();
    expect((await command('resume', ids()[0] ?? '')).out).toContain('1 error of 1 case');
    expect(asked()).toEqual(['break']);
  });

  it('continues a run that only records', async () => {
    const { command, folder } = project({ 'home.evalset.json': breaking });
    await command('generate', 'DIR');
    writeFileSync(join(folder, 'repaired'), '');
    const { code, out } = await command('resume');
    expect(out).toContain('3 of 3 inferences recorded\n');
    expect(code).toBe(0);
  });

  it('rejects changed files with a list of the changes, but only warns of a changed agent', async () => {
    const { command, folder } = project({ 'home.evalset.json': breaking });
    await command('eval', 'DIR');
    writeFileSync(join(folder, 'agent.mjs'), `${agent}\n// changed`);
    const warned = await command('resume');
    expect(warned.err).toContain('warning: ');
    expect(warned.err).toContain('the agent has changed');
    expect(warned.code).toBe(1);
    writeFileSync(join(folder, 'test_config.json'), JSON.stringify({ criteria: { response_match_score: 0.1 } }));
    const refused = await command('resume');
    expect(refused.err).toContain('tool_trajectory_avg_score, which is missing now');
    expect(refused.err).toContain('the threshold of response_match_score was 0.8 and is 0.1');
    expect(refused.code).toBe(2);
    expect(refused.out).toBe('');
  });

  it.each([
    [['resume'], 'no runs yet; create one with'],
    [['resume', 'nothing'], 'there is no run "nothing"'],
    [['report', '--format', 'md'], 'not "md"; did you mean "markdown"?'],
    [['report', '--format', 'XML'], 'not "XML"; did you mean "junit"?'],
    [['report', '--format', 'htm'], 'not "htm"; did you mean "html"?'],
    [['report', '--format', 'constructor'], 'not "constructor"\n'],
    [['compare', 'last', '--format', 'md'], 'not "md"; did you mean "markdown"?'],
    [['resume', '--rerun', 'al'], '--rerun must be one of "failed", "errored", "all", not "al"; did you mean "all"?'],
    [['score'], 'no runs yet; create one with'],
    [['show'], 'no runs yet; create one with'],
    [['report'], 'no runs yet; create one with'],
  ])('rejects %j', async (args, told) => {
    const { command } = project();
    const { code, err } = await command(...args);
    expect(err).toContain(told);
    expect(code).toBe(2);
  });
});

describe('runs', () => {
  it('lists runs with their verdicts, and finds them by id, id prefix and path', async () => {
    const { command, ids, runs } = project();
    expect((await command('runs')).out).toContain('No runs in ');
    await command('eval', 'DIR', 'home:right');
    await command('eval', 'DIR', 'home:wrong');
    writeFileSync(join(runs, 'note.txt'), 'no run');
    const { out, code } = await command('runs');
    const rules = 'tool_trajectory_avg_score >= 1, response_match_score >= 0.8';
    const [header, ...rows] = out.trimEnd().split('\n');
    expect(header?.split(/ {2,}/)).toEqual(['run', 'began', 'agent', 'eval sets', 'judged by', 'cases', 'state']);
    expect(rows.map((row) => row.split(/ {2,}/).slice(3))).toEqual([
      ['home', rules, '1 passed', 'finished, of some cases'],
      ['home', rules, '1 failed', 'finished, of some cases'],
    ]);
    expect(code).toBe(0);
    const found = rows.map((row) => row.split(' ')[0] ?? '');
    expect([...found].sort()).toEqual(ids().filter((name) => name !== 'note.txt'));
    for (const [word, counts] of [
      [found[0], '1 passed'],
      [join(runs, found[0] ?? ''), '1 passed'],
      [found[1], '1 failed'],
    ] as const) {
      expect((await command('report', word ?? '')).out).toContain(counts);
    }
    expect((await command('report')).err).toContain('all runs here are of some cases: name one by its id');
    const several = await command('show', '2');
    expect(several.err).toContain('several runs start with "2"');
    expect(several.code).toBe(2);
    const json = JSON.parse((await command('runs', '--json')).out);
    expect(json.map(({ summary }: { summary: { total: number } }) => summary.total)).toEqual([1, 1]);
    expect(json[0].criteria).toMatchObject([
      { name: 'tool_trajectory_avg_score', threshold: 1, range: { better: 'higher' } },
      { name: 'response_match_score', threshold: 0.8, range: { better: 'higher' } },
    ]);
    const narrow = await capture(['runs', '--runs_folder', runs], { width: { out: 60, err: 60 } });
    expect(narrow.out).toMatch(/judged by {2}tool_trajectory_avg_score >= 1,\s+response_match_score >= 0\.8\n/);
    expect(narrow.out.split('\n').filter((line) => line.length > 60)).toEqual([]);
  });
});

describe('report', () => {
  it('writes only failures on request, in formats that people read', async () => {
    const { folder, command } = project();
    await command('eval', 'DIR', 'DIR/home.evalset.json');
    const report = async (format: string) => (await command('report', '--only_failed', '--format', format)).out;
    const note = 'Only the 1 case that did not pass is in this report';
    for (const format of ['console', 'markdown']) {
      const text = await report(format);
      expect(text).toContain(note);
      expect(text).toContain('wrong');
      expect(text).toContain('2 passed, 1 failed of 3 cases');
      expect(text).not.toMatch(/odd: a,b|\bright\b/);
    }
    const { run, summary, sets } = JSON.parse(await report('json'));
    expect([run.onlyFailed, summary.total]).toEqual([true, 3]);
    expect(sets[0].cases.map(({ caseId }: { caseId: string }) => caseId)).toEqual(['wrong']);
    expect(sets[0].inferences).toHaveLength(1);
    expect(await report('csv')).not.toMatch(/^home,(right|odd)/m);
    await command('report', '--only_failed', '--output', 'DIR/r.html');
    const page = readFileSync(join(folder, 'r.html'), 'utf8');
    expect([page.includes('id="case-0"'), page.includes('id="case-1"')]).toEqual([true, false]);
    for (const format of ['junit', 'adk']) {
      const { code, err } = await command('report', '--only_failed', '--format', format);
      expect(code).toBe(2);
      expect(err).toContain(`${format} is read by programs`);
    }
  });

  it('opens the page, and only prints its path in CI or without a display', async () => {
    const { folder, runs, command } = project();
    await command('eval', 'DIR', 'DIR/home.evalset.json');
    const seen = join(folder, 'seen');
    // Replaces the openers of Linux and macOS.
    for (const name of ['xdg-open', 'open']) {
      mkdirSync(join(folder, 'bin'), { recursive: true });
      writeFileSync(
        join(folder, 'bin', name),
        `#!/bin/sh\nprintf '%s' "$1" > "${seen}.part" && mv "${seen}.part" "${seen}"\n`,
        {
          mode: 0o755,
        },
      );
    }
    const environment = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, DISPLAY: ':0' };
    const open = (more: Readonly<Record<string, string>>, ...args: string[]) =>
      capture(['report', '--open', ...args, '--runs_folder', runs], { environment: { ...environment, ...more } });
    const { out, code } = await open({});
    const file = /^Written: (.*)\n$/.exec(out)?.[1] ?? '';
    expect([code, readFileSync(file, 'utf8').startsWith('<!doctype html>')]).toEqual([0, true]);
    await expect.poll(() => existsSync(seen) && readFileSync(seen, 'utf8')).toBe(file);
    renameSync(seen, `${seen}.before`);

    const own = join(folder, 'page.html');
    expect((await open({ CI: 'true' }, '--output', own)).out).toBe(
      `Written: ${own}\nNot opened, because this is CI: open the file in a browser.\n`,
    );
    expect((await open({ DISPLAY: '', SSH_CONNECTION: 'far away' })).out).toContain('because there is no display');
    expect((await open({ PATH: join(folder, 'none') })).out).toMatch(/because (xdg-)?open cannot be run/);
    expect(existsSync(seen)).toBe(false);
    expect((await open({}, '--output', join(folder, 'r.md'))).err).toContain('--open opens the page');
  });

  it('writes every format, to standard output or to a file with the matching extension', async () => {
    const { command, folder } = project();
    await command('eval', 'DIR');
    expect((await command('report', '--format', 'junit')).out).toContain('<testsuite');
    expect((await command('report', '--format', 'csv')).out).toMatch(/^eval_set_id,/);
    expect(JSON.parse((await command('report', '--format', 'json')).out).summary.total).toBe(3);
    const { out, code } = await command('report', '--output', 'DIR/r.md');
    expect(out).toBe(`Written: ${join(folder, 'r.md')}\n`);
    expect(readFileSync(join(folder, 'r.md'), 'utf8')).toContain('wrong');
    expect(code).toBe(0);
    expect((await command('report', '--format', 'jnit')).err).toContain('did you mean "junit"?');
  });

  it("saves ADK's history next to the agent, for an earlier run", async () => {
    const { command, folder } = project();
    await command('eval', 'DIR');
    const saved = () => readdirSync(join(folder, '.adk/eval_history'));
    const { code, out } = await command('report', '--eval_history');
    const [file = ''] = saved();
    expect([code, out]).toEqual([0, `Written: ${join(folder, '.adk/eval_history', file)}\n`]);
    const both = await command('report', '--format', 'json', '--eval_history');
    expect(JSON.parse(both.out).summary.total).toBe(3);
    expect(both.err).toContain('Written: ');
    expect(saved()).toEqual([file]);
  });
});

describe('show', () => {
  it('shows a run, and a case in full', async () => {
    const { command } = project();
    await command('eval', 'DIR');
    expect((await command('show')).out).toContain('2 passed, 1 failed of 3 cases');
    for (const args of [['wrong'], ['last', 'wrong']]) {
      const { code, out } = await command('show', ...args);
      expect(out).toContain('expected  yes');
      expect(out).not.toContain('right');
      expect(code).toBe(0);
    }
    expect((await command('show', 'right')).out).toContain('right: passed');
    expect(JSON.parse((await command('show', 'right', '--json')).out).result.verdict).toBe('passed');
    const unknown = await command('show', 'wrnog');
    expect(unknown.err).toContain('has no case "wrnog"; did you mean "wrong"?');
    expect(unknown.code).toBe(2);
  });

  it('shows the prompts and answers of a judge', async () => {
    const { command, ids } = project({
      'agent-criteria.config.mjs': `export default {
        plugins: ['./judge.mjs'], judgeModel: 'mine', prices: { 'test/mine': { inputTokens: 0.5, outputTokens: 1 } },
        maxRetries: 0,
        models: { mine: { id: 'test/mine', generate: async ({ sample }) => {
          if (sample === 1) throw new Error('overloaded');
          return { text: 'It is \\u001b[31mgood.', finish: sample === 0 ? 'stop' : 'length', from: 'live',
            usage: { inputTokens: 12, cachedInputTokens: 8, outputTokens: 5 } };
        } } },
      };`,
      'judge.mjs': `export const asks = {
        kind: 'criterion', specVersion: 3, name: 'asks', origin: { package: 'criteria-asks', version: '1.0.0' }, description: 'Asks.',
        decides: true, range: { min: 0, max: 1, better: 'higher' }, scope: 'turn', models: () => ['judge'],
        options: { jsonSchema: { type: 'object', properties: {} }, '~standard': { version: 1, vendor: 'x', validate: () => ({ value: {} }) } },
        async evaluate(turn, { options, tools }) {
          const ask = (sample) => tools.model('judge').generate({ system: 'You judge.', sample,
            messages: [{ role: 'user', parts: [{ text: 'Is this good:\\n' + turn.actual.finalResponse.parts[0].text }] }],
            ...(sample === 2 ? { schema: { type: 'object' }, temperature: 0 } : {}) }, tools.signal);
          await ask(0);
          await ask(1).catch(() => undefined);
          await ask(2);
          return { value: 1 };
        },
      };`,
      'test_config.json': { criteria: { asks: 1 } },
    });
    const { err, code } = await command('eval', 'DIR', 'home:right');
    expect([err, code]).toEqual(['', 0]);
    const { out } = await command('show', ids()[0] ?? '', 'right', '--judge-prompt');
    const asked = ['  system', '    You judge.', '  user', '    Is this good:', '    yes'];
    expect(out.replaceAll(/\d+ ms/g, 'N ms')).toBe(
      [
        'right: asks asked test/mine about turn 1, samples 1, 2',
        ...asked,
        '  answer to sample 1 (N ms, 12 (8 cached) tokens sent, 5 received, cost 11)',
        '    It is ␛[31mgood.',
        '  error to sample 2 (after N ms)',
        '    test/mine: overloaded',
        '',
        'right: asks asked test/mine about turn 1, sample 3',
        ...asked,
        '  schema of the answer',
        '    {',
        '      "type": "object"',
        '    }',
        '  settings',
        '    {',
        '      "temperature": 0',
        '    }',
        '  answer (N ms, cut off at its token limit, 12 (8 cached) tokens sent, 5 received, cost 11)',
        '    It is ␛[31mgood.',
        '',
      ].join('\n'),
    );
    const json = JSON.parse((await command('show', ids()[0] ?? '', 'right', '--judge_prompt', '--json')).out);
    expect(json.calls[0].request.system).toBe('You judge.');
    expect((await command('show', ids()[0] ?? '', '--judge_prompt')).err).toContain('name the case whose judges');
  });

  it('reports that no judge was called', async () => {
    const { command, ids } = project();
    await command('eval', 'DIR', 'home:right');
    expect((await command('show', ids()[0] ?? '', 'right', '--judge_prompt')).out).toBe(
      'right: no judge was called for this case.\n',
    );
  });
});

describe('names, changes and deletion', () => {
  it('lists the verdicts that changed since the run before, which compare takes without arguments', async () => {
    const { command, folder, ids } = project();
    const first = await command('eval', 'DIR', '--name', 'short prompt');
    // Ids of the same second have no order.
    const [firstId = ''] = ids();
    expect(first.out).not.toContain('Since');
    expect((await command('compare')).err).toContain('is the only finished, judged run');
    const changed = evalSet(
      'home',
      evalCase('right', turn('yes', 'never')),
      evalCase('wrong', turn('not that', 'yes')),
      evalCase('odd: a,b', turn('hm', 'hm')),
    );
    writeFileSync(join(folder, 'home.evalset.json'), JSON.stringify(changed));
    const { out } = await command('eval', 'DIR');
    const secondId = ids().find((id) => id !== firstId) ?? '';
    expect(out).toContain(`Since ${firstId} ("short prompt", just now): now failing: right\n`);
    await command('eval', 'DIR', 'home:right');
    const compared = await command('compare');
    expect(compared.err).toContain(`${firstId} ("short prompt", just now)`);
    expect(compared.err).toContain(`${secondId} (just now)`);
    expect(compared.out).toMatch(/^Comparing .+ with .+ "short prompt", 3 paired cases/);
    const json = JSON.parse((await command('eval', 'DIR', '--json')).out);
    expect(json.since).toEqual({ run: secondId, startedAt: expect.any(Number), changes: [] });
  });

  it('renames a run, finds it by its name, and refuses a name that means something else', async () => {
    const { command, ids } = project();
    await command('eval', 'DIR');
    const [id = ''] = ids();
    expect((await command('runs', 'rename', 'last', 'nightly')).out).toMatch(/^Run .* is called "nightly" now\.\n$/);
    expect((await command('runs')).out).toContain(`${id} "nightly"`);
    expect((await command('report', 'nightly')).out).toContain(`Run ${id} "nightly"`);
    expect(await command('eval', 'DIR', '--name', 'last')).toMatchObject({ code: 2 });
    expect((await command('runs', 'rename', id, 'abcdef')).err).toContain('the hash of a commit');
    expect(ids()).toEqual([id]);
  });

  it('deletes runs that are there, and names those that are not', async () => {
    const { command, ids } = project();
    await command('eval', 'DIR');
    await command('eval', 'DIR');
    const [first = '', second = ''] = ids();
    const { out, err, code } = await command('runs', 'delete', first, 'nothing');
    expect(out).toMatch(new RegExp(`^Deleted: .*${first}\\n$`));
    expect(err).toContain('there is no run "nothing"');
    expect(code).toBe(2);
    expect(ids()).toEqual([second]);
  });
});
