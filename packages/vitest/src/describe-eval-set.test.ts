// Long: starts Vitest.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listRuns, openRun } from '@agent-criteria/runner';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ReportedTest, runNode, runVitest, type VitestRun, vitestFolder } from './__fixtures__/run-vitest.ts';

const states = (tests: readonly ReportedTest[]) => tests.map(({ fullName, status }) => [fullName, status]);
const failure = (tests: readonly ReportedTest[], title: string): string =>
  tests.filter((test) => test.title === title).flatMap(({ failureMessages }) => failureMessages)[0] ?? '';

describe('describeEvalSet()', { timeout: 120_000 }, () => {
  let run: VitestRun;
  beforeAll(async () => {
    const args = ['--includeTaskLocation'];
    run = await runVitest(
      [
        'basic',
        'verdicts',
        'mistakes',
        'nothing',
        'empty',
        'unknown',
        'stubbed',
        'skipped',
        'limits',
        'kept',
        'variants',
        'unnamed',
        'unreachable',
      ],
      args,
    );
  }, 120_000);

  it('runs in the installed version of Vitest', () => {
    const { version } = JSON.parse(readFileSync(join(vitestFolder, 'package.json'), 'utf8'));
    expect(run.output).toContain(`v${version}`);
  });

  it('creates a test for every case, and prints the same differences as the command-line tool if one fails', () => {
    const tests = run.tests('basic');
    expect(states(tests)).toEqual([
      ['lamps/lamps.evalset.json on', 'passed'],
      ['lamps/lamps.evalset.json off', 'failed'],
      ['lamps/lamps.evalset.json on twice', 'passed'],
    ]);
    const [message = '', at] = failure(tests, 'off').split(/\n +at /);
    expect(message).toContain(`off: failed
  tool_trajectory_avg_score 0 is below the threshold 1
  response_match_score 0.75 is below the threshold 0.8
  turn 1
    prompt    Turn off the lamp
    answer    The lamp is [-off-]{+on+}.
    calls     - switch({"device":"lamp","on":false})
              + switch({"device":"lamp","on":true})
    tool_trajectory_avg_score 0: Call 1, switch, has true instead of false at args.on.`);
    // Each problem is printed only once.
    expect(run.output).not.toContain('Serialized Error');
    // The location of the call in the test file.
    expect(at).toMatch(/basic\.fixture\.ts:4:1/);
    expect(tests.map(({ location }) => location?.line)).toEqual([4, 4, 4]);
  });

  it('fails the test of a case that cannot be evaluated or ends in an error, and prints the reason', () => {
    const tests = run.tests('verdicts');
    expect(states(tests)).toEqual([
      ['two sets odd breaks', 'failed'],
      ['two sets odd unanswered', 'failed'],
      ['two sets lamps on', 'passed'],
      ['two sets lamps off', 'failed'],
      ['two sets lamps on twice', 'passed'],
      ['measured on', 'passed'],
      ['measured off', 'passed'],
      ['measured on twice', 'passed'],
      ['led cut', 'passed'],
    ]);
    expect(failure(tests, 'breaks')).toContain('breaks: error\n  turn 1: the agent threw: the lamp is broken');
    expect(failure(tests, 'unanswered')).toContain('unanswered: not-evaluated\n  response_match_score: it is not');
    expect(tests.map(({ location }) => location?.line)).toEqual([4, 4, 4, 4, 4, 7, 7, 7, 11]);
  });

  it('reports the scores of every case to its own reporter, the verbose reporter and the JSON report', () => {
    const lines = run.output.replaceAll(/ \d+ms/g, '').split('\n');
    const both = 'tool_trajectory_avg_score 1 >= 1, response_match_score 1 >= 0.8';
    expect(lines).toContain(`     ✓ on twice  ${both}`);
    expect(lines).toContain('     × off  tool_trajectory_avg_score 0 < 1, response_match_score 0.75 < 0.8');
    expect(lines).toContain(
      '       × unanswered  tool_trajectory_avg_score 1 >= 1, response_match_score not applicable',
    );
    expect(run.output).toContain(`❯ scores\n     ↳ ${both}\n`);
    const [, off] = run.tests('basic');
    expect(off?.meta).toMatchObject({
      agentCriteria: {
        setId: 'lamps',
        caseId: 'off',
        verdict: 'failed',
        criteria: [
          { name: 'tool_trajectory_avg_score', score: 0, threshold: 1, verdict: 'failed' },
          { name: 'response_match_score', score: 0.75, threshold: 0.8, verdict: 'failed' },
        ],
      },
    });
  });

  it('creates a test for each case and variant, and saves the run with the names of the variants', () => {
    // The filter matches cases from only one of the two files.
    const ids = ['on', 'on twice'];
    expect(states(run.tests('variants'))).toEqual(
      ids.flatMap((id) => [
        [`side by side ${id} (lamp)`, 'passed'],
        [`side by side ${id} (dark)`, 'failed'],
      ]),
    );
    expect(failure(run.tests('variants'), 'on (dark)')).toContain('on (dark): failed');
    expect(run.output).toMatch(/✓ on \(lamp\) +\d+ms {2}tool_trajectory_avg_score 1 >= 1/);
    const kept = listRuns(run.runs).find(({ agent }) => agent.startsWith('lamp='));
    expect(kept).toMatchObject({ sets: ['lamps'], units: { total: 4, finished: 4 }, summary: { exitCode: 1 } });
    expect(openRun(kept?.folder ?? '').info.variants).toMatchObject([
      { name: 'lamp', summary: { verdicts: { passed: 2, failed: 0 } } },
      { name: 'dark', summary: { verdicts: { failed: 2 } } },
    ]);
    expect(run.fileMessage('unnamed')).toContain('"a b" cannot be the name of a variant');
  });

  it('annotates a case that was only measured', () => {
    expect(run.output).toContain('nothing was judged, only measured: response_match_score 0.75');
  });

  it('annotates a conversation that ended at the turn limit', () => {
    expect(run.output).toContain(
      'Passed, at the turn limit: the conversation ended there, before the user had finished.',
    );
  });

  it('prints the warnings of the evaluation plan', () => {
    const said = run.output.replace(/\s+/g, ' ');
    expect(said).toContain('odd.evalset.json: response_match_score does not apply to 1 of 2 cases');
  });

  it('reports all mistakes during collection, and runs no test in the file', () => {
    const told = run.fileMessage('mistakes');
    expect(told).toContain('no-agent.ts: there is no such file or folder');
    expect(told).toContain('$.criteria.tool_trajectory_avg_score.threshold: the text "high" is not a threshold');
    expect(told).toContain('did you mean "response_match_score"?');
    expect(run.tests('mistakes')).toEqual([]);
  });

  it('fails if a path does not exist or the list of paths is empty', () => {
    expect(run.fileMessage('nothing')).toContain('no file matches this pattern');
    expect(run.fileMessage('empty')).toContain('the list of files is empty');
    expect(run.fileMessage('unknown')).toContain('unknown option "conifg"; did you mean "config"?');
    expect(run.fileMessage('stubbed')).toContain('does not support stubs, so its real tools would be called');
    expect(run.exitCode).toBe(1);
  });

  it('checks the agent once, and fails every test with the problem that it reports', () => {
    const tests = run.tests('unreachable');
    expect(states(tests).map(([, status]) => status)).toEqual(Array(3).fill('failed'));
    for (const { failureMessages } of tests)
      expect(failureMessages[0]?.split(/\n +at /)[0]).toBe('Error: nobody is at home');
    expect(run.notes.filter((note) => note.startsWith('down'))).toEqual(['down checked']);
  });

  it('tolerates mistakes, such as a missing key, in a skipped group', () => {
    expect(states(run.tests('skipped')).map(([, status]) => status)).toEqual(['passed', ...Array(4).fill('skipped')]);
  });

  it('stops a case that exceeds its time limit, and aborts the agent', () => {
    const tests = run.tests('limits');
    expect(states(tests).filter(([, status]) => status === 'failed')).toEqual([
      ['stuck a', 'failed'],
      ['slow turn b', 'failed'],
    ]);
    expect(failure(tests, 'a')).toContain('took longer than 500 ms');
    expect(failure(tests, 'b')).toContain('b: error\n  turn 1: the agent took longer than 500 ms');
    expect(run.notes).toEqual(expect.arrayContaining(['a starts', 'a stops', 'b starts', 'b stops']));
  });

  it('runs concurrent cases within the limit on open sessions', () => {
    const passed = states(run.tests('limits')).filter(([name]) => /together|pairs|limited/.test(name ?? ''));
    expect(passed.map(([, status]) => status)).toEqual(Array(12).fill('passed'));
    const open = run.notes.filter((note) => note.startsWith('open'));
    expect([open.length, new Set(open)]).toEqual([8, new Set(['open 1', 'open 2'])]);
  });

  it('runs the agent again for a retried test, and saves the last attempt', async () => {
    expect(states(run.tests('limits')).at(-1)).toEqual(['again retried a', 'passed']);
    const retried = listRuns(run.runs).find(({ sets }) => sets[0] === 'retried');
    expect(retried).toMatchObject({ units: { total: 1, finished: 1 }, summary: { exitCode: 0 }, running: false });
  });

  it('saves all cases of a call in one run folder', async () => {
    const kept = listRuns(run.runs).filter(({ sets }) => sets.includes('odd'));
    expect(kept).toMatchObject([{ sets: ['lamps', 'odd'], repeats: 2, units: { total: 10, finished: 10 } }]);
    const folder = kept[0]?.folder ?? '';
    expect(run.output).toContain(`agent-criteria report ${folder}`);
    const cases: unknown[] = [];
    for await (const { result, inferences } of openRun(folder).cases())
      cases.push([result.caseId, result.verdict, inferences.length]);
    expect(cases).toEqual([
      ['on', 'passed', 2],
      ['off', 'failed', 2],
      ['on twice', 'passed', 2],
      ['breaks', 'error', 2],
      ['unanswered', 'not-evaluated', 2],
    ]);
  });
});

describe('describeEvalSet() with judges', { timeout: 120_000 }, () => {
  it('shares one recording and one budget between all cases, and replays without a model', async () => {
    const LAMP_RECORDING = join(mkdtempSync(join(tmpdir(), 'agent-criteria-vitest-')), 'recording.jsonl');
    const live = await runVitest(['judged'], ['-t', 'recorded'], { LAMP_RECORDING, LAMP_MODE: 'record' });
    const judged = ({ notes }: VitestRun) => notes.filter((note) => note === 'judged').length;
    expect([live.exitCode, judged(live)], live.output).toEqual([0, 4]);
    // The default format for a file in which all tests passed.
    expect(live.output).toMatch(/^ +✓ on twice +\d+ms {2}bright 1 >= 1$/m);
    const painted = { NO_COLOR: undefined, FORCE_COLOR: '1' };
    const replayed = await runVitest(['judged'], [], { LAMP_RECORDING, LAMP_MODE: 'replay', ...painted });
    // The only call is the one the budget allows.
    expect(judged(replayed)).toBe(1);
    expect(states(replayed.tests('judged'))).toEqual([
      ['recorded on', 'passed'],
      ['recorded off', 'passed'],
      ['recorded on twice', 'passed'],
      ['with a budget on', 'passed'],
      ['with a budget off', 'failed'],
      ['with a budget on twice', 'failed'],
    ]);
    const failed = failure(replayed.tests('judged').slice(3), 'off');
    expect(failed).toContain('budget');
    // Coloured, like Vitest's own output.
    expect(failed).toContain('\u001b[31m');
  });
});

describe('describeEvalSet() with a filter', { timeout: 120_000 }, () => {
  it('runs the agent only on the selected cases, and saves only those cases', async () => {
    const run = await runVitest(['basic', 'kept'], ['-t', 'on twice']);
    expect(run.exitCode).toBe(0);
    expect(states(run.tests('basic')).map(([, status]) => status)).toEqual(['skipped', 'skipped', 'passed']);
    // The case has two turns, and the other fixture runs it twice.
    expect(run.notes).toEqual(Array(6).fill('on twice'));
    expect(listRuns(run.runs)).toMatchObject([{ sets: ['lamps'], units: { total: 2, finished: 2 } }]);
  });
});

describe("describeEvalSet() run through Vitest's API", { timeout: 180_000 }, () => {
  const drive = (args: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
    runNode([fileURLToPath(new URL('__fixtures__/drive.ts', import.meta.url)), ...args], environment);
  const temporary = () => mkdtempSync(join(tmpdir(), 'agent-criteria-vitest-'));

  it('aborts the agent when the run is cancelled', async () => {
    const notes = join(temporary(), 'notes');
    const { exitCode, output } = await drive(['cancel'], { LAMP_NOTES: notes });
    expect(exitCode, output).toBe(0);
    expect(output).toContain('"reason":"interrupted"');
  });

  it('runs cases again in watch mode when the agent, the eval set or the config changes, and saves each run', async () => {
    const folder = temporary();
    const { exitCode, output } = await drive(['watch', folder]);
    expect(exitCode, output).toBe(0);
    expect(output.split('\n').filter((line) => line.startsWith('{"reason"'))).toEqual([
      '{"reason":"passed","results":[["asks","passed"]]}',
      '{"reason":"failed","results":[["asks","failed"]]}',
      '{"reason":"passed","results":[["asks","passed"]]}',
      '{"reason":"failed","results":[]}',
      '{"reason":"failed","results":[["asks","failed"]]}',
      '{"reason":"passed","results":[["asks","passed"]]}',
    ]);
    expect(readdirSync(join(folder, 'runs'))).toHaveLength(5);
  });
});
