import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evalCase, turn } from '@agent-criteria/core/eval-set';
import { prepareRun } from '@agent-criteria/project';
import { prepareGates } from '@agent-criteria/project/runs';
import { afterEach, describe, expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { gatedProject } from './__fixtures__/gated-project.ts';
import { builtInCriteria, builtInProviders } from './built-in-criteria.ts';

const home = process.cwd();
afterEach(() => process.chdir(home));

const names = Array.from({ length: 40 }, (_, index) => `case ${index}`);

/** Creates a project whose agent answers the first `right` of forty cases correctly. */
function project(gates?: unknown, right = 38) {
  return gatedProject({ agent: agentOf(right), names, gates });
}

function agentOf(right: number): string {
  return `export const agent = (text) => (Number(text.split(' ')[1]) < ${right} ? text : 'I do not know');`;
}

/** Removes the line breaks for a narrow terminal. */
const unwrapped = (text: string) => text.replace(/\s+/g, ' ');

describe('gates', () => {
  it('turn exit code 0 into 1 if one of them does not hold, and into 3 if one cannot tell', async () => {
    const { run } = project(undefined, 40);
    expect((await run()).code).toBe(0);
    expect((await run('--gate', 'pass_rate=0.9')).code).toBe(0);
    const untold = await run('--gate', 'pass_rate=0.95');
    expect(untold.code).toBe(3);
    expect(untold.out).toContain(
      'Gate\n  pass_rate cannot tell: the pass rate is 100% over 40 cases, but the lower end of its 95% confidence interval is 91%',
    );
    expect(untold.out).toContain('Exit code 3: the gate cannot tell.');
    const flaky = await run('--gate', 'pass_rate=0.9', '--gate', 'means.invocation_duration_v1=-1');
    expect(flaky.code).toBe(1);
    expect(flaky.out).toContain('Exit code 1: 1 of 2 gates does not hold.');
  });

  it('that can never hold are named before the run, and by validate', async () => {
    const { run } = project({ pass_rate: 0.95, means: { response_match_score: 0.9 } }, 40);
    const text =
      'pass_rate cannot hold with 40 cases and 1 repeat, even if all of them pass: it takes 73 cases, or ask for less';
    const evaluated = await run();
    expect(evaluated.code).toBe(3);
    expect(unwrapped(evaluated.err)).toContain(text);
    expect(unwrapped(evaluated.err)).not.toContain('means.response_match_score cannot hold');
    const validated = await capture(['validate', 'home.evalset.json'], {});
    expect(validated.code).toBe(0);
    expect(unwrapped(`${validated.out}${validated.err}`)).toContain(`in a run of this set alone, ${text}`);
    // Cases that stop early get a separate warning.
    expect((await run('--num_runs', 'auto', '--gate', 'case_pass_rate=0.8', '--dry_run')).err).not.toContain(
      'cannot hold',
    );
    const easy = project({ pass_rate: 0.9 }, 40);
    expect((await easy.run()).err).not.toContain('cannot hold');
  });

  it('never turn a failure into exit code 0 on their own', async () => {
    const { code, out } = await project({ pass_rate: 0.8 }).run();
    expect(code).toBe(1);
    expect(out).toContain(
      'pass_rate holds: the pass rate is 95% over 40 cases, and the lower end of its 95% confidence interval is 83%',
    );
  });

  it('decide alone if the config sets "decide", and the first line of the result states this', async () => {
    const { run } = project({ pass_rate: 0.8, decide: true });
    const { code, out } = await run();
    expect(code).toBe(0);
    expect(out).toContain('\n\n2 of 40 cases failed; the gate holds: exit 0, decided by the gates\n');
    expect((await run('--gate', 'pass_rate=0.97')).code).toBe(1);
    const { out: json } = await run('--json');
    expect(JSON.parse(json)).toMatchObject({
      summary: { exitCode: 0, verdicts: { failed: 2 } },
      outcome: { state: 'recorded', gates: [{ name: 'pass_rate', holds: true }], exitCode: 0, decided: true },
    });
  });

  it('do not claim that cases passed if they were only measured', async () => {
    const { folder, run } = project();
    const gates = { means: { invocation_duration_v1: 1000 }, decide: true };
    const config = { criteria: {}, agent_criteria: { measure: ['invocation_duration_v1'], gates } };
    writeFileSync(join(folder, 'test_config.json'), JSON.stringify(config));
    const junit = join(folder, 'measured.junit.xml');
    const { out } = await run('--num_runs', '2', '--output', junit);
    expect(readFileSync(junit, 'utf8')).not.toContain('repeats passed');
    expect(out).toMatch(/\n40 of 40 cases could only be measured; the gate .*: exit \d, decided by the gates\n/);
    expect(out).not.toContain('passed');
  });

  it('with mistakes are rejected before anything runs', async () => {
    const { run, folder } = project({ pass_rat: 0.8, flaky_share: 2, regression: 'yes' });
    const { code, err } = await run();
    expect(code).toBe(2);
    expect(err).toContain('$.agent_criteria.gates.pass_rat: there is no gate "pass_rat"; did you mean "pass_rate"?');
    expect(err).toContain('$.agent_criteria.gates.flaky_share: must be a number from 0 to 1');
    expect(err).toContain('$.agent_criteria.gates.regression: must be true, or the smallest change that counts');
    expect(existsSync(join(folder, 'runs'))).toBe(false);
    expect((await project().run('--gate', 'pass_rate=high')).err).toContain(
      '--gate pass_rate: must be a number from 0 to 1',
    );
    for (const [gate, says] of [
      ['__proto__=0.8', 'there is no gate "__proto__"'],
      ['pass_hat_k=3:0.8:9', 'must be { "k": REPEATS, "rate": SHARE }'],
      ['quantiles.tool_call_count_v1=0.95:8:9', 'must be an object with an entry for each criterion'],
    ] as const) {
      expect(await project().run('--gate', gate)).toMatchObject({ code: 2, err: expect.stringContaining(says) });
    }
    expect((await project(undefined, 40).run('--gate', 'means.__proto__=0')).out).toContain(
      'means.__proto__ cannot tell: no criterion of this run is called __proto__',
    );
    expect((await project({ regression: true }).run()).err).toContain('the gate "regression" needs a baseline');
  });
});

it('a gate without its baseline prints the command that creates one, and that command works', async () => {
  const { run, command, folder } = project({ regression: true });
  const refused = await run();
  expect(refused.code).toBe(2);
  expect(refused.err).toMatch(
    /For the first run.* use --baseline last:.*Then keep it with agent-criteria baseline set last/s,
  );
  const first = await run('--baseline', 'last');
  expect(first.err).toContain('there is no earlier finished run of this agent');
  expect(first.code).not.toBe(2);
  const kept = join(folder, 'kept.json');
  expect((await command('baseline', 'set', 'last', '--output', kept)).code).toBe(0);
  expect((await run('--baseline', kept)).out).toMatch(/regression/);
});

it('gates given as flags are repeated in the printed resume command', async () => {
  const { folder } = project(undefined, 40);
  const args = ['eval', 'agent.mjs', 'home.evalset.json', '--runs_folder', join(folder, 'runs')];
  const gates = ['--gate', 'pass_rate=0.99', '--gate', 'means.a criterion=0.5', '--baseline', 'last'];
  const { code, err } = await capture([...args, ...gates], { drain: () => AbortSignal.abort() });
  expect(code).toBe(130);
  expect(err).toMatch(
    /Resume with: agent-criteria resume \S+ --gate pass_rate=0\.99 --gate ['"]means\.a criterion=0\.5['"] --baseline last\n$/,
  );
});

it('gates of one config do not excuse the failed cases of another config without gates', async () => {
  const { folder, command } = project(undefined, 0);
  const gates = { means: { response_match_score: 0 }, decide: true };
  for (const [id, config] of Object.entries({
    lax: { criteria: { response_match_score: 0 }, agent_criteria: { gates } },
    strict: { criteria: { response_match_score: 1 } },
  })) {
    mkdirSync(join(folder, id));
    const eval_cases = [evalCase('a 1', [turn('a 1', { answer: 'a 1' })])];
    writeFileSync(join(folder, id, `${id}.evalset.json`), JSON.stringify({ eval_set_id: id, eval_cases }));
    writeFileSync(join(folder, id, 'test_config.json'), JSON.stringify(config));
  }
  const { code, err } = await command('eval', 'agent.mjs', 'lax/lax.evalset.json', 'strict/strict.evalset.json');
  expect(code).toBe(2);
  expect(err.replaceAll('\\', '/')).toContain(
    'lax/test_config.json lets the gates alone decide, but strict/test_config.json of this run has no gates',
  );
});

describe('a gate on cost', () => {
  /** The source of an agent that reports the tokens used by its calls, except for the first `silent` ones. */
  const agent = (silent: number) => `let calls = 0;
    export const agent = (text) => {
      const usageMetadata = calls++ < ${silent} ? undefined : { promptTokenCount: 100 + (calls % 3), candidatesTokenCount: 10 };
      return {
        userContent: { role: 'user', parts: [{ text }] },
        finalResponse: { role: 'model', parts: [{ text }] },
        intermediateData: {
          invocationEvents: [{ author: 'a', content: { parts: [{ text }] }, modelVersion: 'fast', usageMetadata }],
        },
      };
    };`;
  const prices = { prices: { fast: { inputTokens: 0.001, outputTokens: 0.01 } } };

  it("sums the agent's tokens at the project's prices", async () => {
    const { run, folder } = project({ cost: 0.25 }, 40);
    writeFileSync(join(folder, 'agent.mjs'), agent(0));
    expect(await run()).toMatchObject({
      code: 2,
      err: expect.stringContaining('the gate "cost" needs token prices'),
    });
    expect(existsSync(join(folder, 'runs'))).toBe(false);
    writeFileSync(join(folder, 'agent-criteria.config.json'), JSON.stringify(prices));
    const { out, code } = await run();
    expect(out).toContain(
      'cost holds: the mean cost of a conversation is 0.201 over 40 cases, and the upper end of its 95% confidence interval is 0.201',
    );
    expect(code).toBe(0);
    expect((await run('--gate', 'cost=0.2')).code).toBe(1);
    expect((await run('--gate', 'cost=-1')).err).toContain(
      '--gate cost: must be the most that a conversation may cost',
    );
  });

  it('never holds if the cost of a call is unknown', async () => {
    const { run, folder } = project({ cost: 100, decide: true }, 40);
    writeFileSync(join(folder, 'agent.mjs'), agent(1));
    writeFileSync(join(folder, 'agent-criteria.config.json'), JSON.stringify(prices));
    const { out, code } = await run();
    expect(out).toContain('cost cannot tell: the cost of 1 conversation is unknown: 1 of 1 call');
    expect(code).toBe(3);
  });
});

it('a gate on cost never holds for conversations that ended in an error', async () => {
  const { run, folder } = project({ cost: 100, decide: true }, 40);
  const text = (answer: string) => `{
    userContent: { role: 'user', parts: [{ text }] },
    finalResponse: { role: 'model', parts: [{ text: ${answer} }] },
    intermediateData: { invocationEvents: [{ author: 'a', content: { parts: [{ text }] }, modelVersion: 'fast',
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10 } }] },
  }`;
  writeFileSync(
    join(folder, 'agent.mjs'),
    `export const agent = (text) => { if (text === 'more') throw new Error('down'); return ${text('text')}; };`,
  );
  const two = evalCase('two', [turn('case 1', { answer: 'case 1' }), turn('more', { answer: 'more' })]);
  writeFileSync(join(folder, 'home.evalset.json'), JSON.stringify({ eval_set_id: 'home', eval_cases: [two] }));
  const prices = { fast: { inputTokens: 0.001, outputTokens: 0.01 } };
  writeFileSync(join(folder, 'agent-criteria.config.json'), JSON.stringify({ prices }));
  const { out, code } = await run();
  expect(out).toContain(
    'cost cannot tell: the cost of 1 conversation is unknown: a conversation that ended in an error may have cost more',
  );
  expect(code).toBe(3);
});

describe('a baseline', () => {
  it('is a small file without conversation content that reveals a regression in a later run', async () => {
    const { command, run, folder } = project(undefined, 40);
    await run();
    expect((await command('baseline', 'set')).out).toMatch(
      /^Written: baseline\.json, 40 cases of run \S+\. Use it with --baseline baseline\.json\.\n$/,
    );
    expect(readFileSync('baseline.json', 'utf8')).not.toContain('I do not know');
    expect((await run('--baseline', 'baseline.json')).code).toBe(0);
    writeFileSync(join(folder, 'half.mjs'), agentOf(20));
    const { code, out } = await command(
      'eval',
      'half.mjs',
      'home.evalset.json',
      '--baseline',
      'baseline.json',
      '--gate',
      'pass_rate=0',
    );
    expect(code).toBe(1);
    expect(out).toContain('regression does not hold: the pass rate fell by 50 points');
  });

  it('can be "last", with a note that the gate does not apply if there is no earlier run', async () => {
    const { run } = project(undefined, 40);
    const first = await run('--baseline', 'last');
    expect(first).toMatchObject({ code: 0 });
    expect(first.err).toContain(
      'there is no earlier finished run of this agent, so the gate "regression" does not apply',
    );
    const second = await run('--baseline', 'last');
    expect(second.err).toBe('');
    expect(second.out).toContain('regression holds: no regression was found; the pass rate did not change');
  });

  it('can be "last", with a note if that run had itself regressed from its own baseline', async () => {
    const agent = `import { existsSync } from 'node:fs';
      export const agent = (text) => (existsSync(new URL('bad', import.meta.url)) ? 'I do not know' : text);`;
    const { run, folder } = gatedProject({ agent, names, gates: { regression: true, baseline: 'last', decide: true } });
    expect((await run()).code).toBe(0);
    writeFileSync(join(folder, 'bad'), '');
    const fallen = await run();
    expect(fallen.code).toBe(1);
    const remark = 'the last run, which is the baseline, had itself fallen against its own';
    expect(unwrapped(fallen.out)).not.toContain(remark);
    // A run in which everything fails is no worse than the one before.
    const again = await run();
    expect(unwrapped(again.out)).toContain(`regression holds: no regression was found; `);
    expect(unwrapped(again.out)).toContain(`; ${remark}: only a fixed baseline would still show that fall`);
  });

  it('given as "last" is the last run that was not limited to failed cases', async () => {
    const agent = `import { readFileSync } from 'node:fs';
      const right = new URL('right.json', import.meta.url);
      export const agent = (text) => (JSON.parse(readFileSync(right)).includes(text) ? text : 'I do not know');`;
    const { run, folder } = gatedProject({ agent, names, gates: { regression: true, decide: true } });
    const evaluate = (right: readonly string[], ...more: readonly string[]) => {
      writeFileSync(join(folder, 'right.json'), JSON.stringify(right));
      return run('--baseline', 'last', ...more);
    };
    expect((await evaluate(names.slice(0, 30))).code).toBe(1);
    expect((await evaluate(names, '--only-failed')).code).toBe(3);
    const { code, out } = await evaluate(names.slice(30));
    expect(unwrapped(out)).toContain('40 paired cases');
    expect(code).toBe(1);
  });

  it('can reveal a regression that a second run confirms, so that both runs decide', async () => {
    const { command, run, folder } = project({ regression: true, decide: true }, 40);
    await run('--baseline', 'last', '--repeats', '3');
    await command('baseline', 'set');
    // An agent that fails in its first `times` turns and succeeds afterwards.
    const flaky = (times: number) => `let turns = 0;
      export const rootAgent = (message) => (turns++ < ${times} ? 'I do not know' : message);`;
    const confirm = (name: string, times: number, ...more: readonly string[]) => {
      writeFileSync(join(folder, `${name}.mjs`), flaky(times));
      return command(
        'eval',
        `${name}.mjs`,
        'home.evalset.json',
        '--baseline',
        'baseline.json',
        '--repeats',
        '3',
        '--confirm',
        ...more,
      );
    };
    const confirmed = await confirm('dead', 1000);
    expect(confirmed.code).toBe(1);
    expect(confirmed.err).toContain('Running once more, to confirm the regression.');
    expect(unwrapped(confirmed.out)).toMatch(
      /regression does not hold: confirmed by a second run; of both together, the pass rate fell by 100 points/,
    );
    // The first report is already on the screen, so that of the second run begins with the combined result.
    const [, second = ''] = unwrapped(confirmed.out).split(/Saved as run \S+\./);
    expect(confirmed.out.match(/^judged by /gm)).toHaveLength(1);
    expect(confirmed.out.match(/^Did not pass/gm)).toHaveLength(1);
    const order = ['Both runs together, ', 'regression does not hold: confirmed', 'The second run alone', '40 failed'];
    expect(order.map((text) => second.indexOf(text))).toEqual(
      order.map((text) => second.indexOf(text)).toSorted((a, b) => a - b),
    );
    expect(order.filter((text) => !second.includes(text))).toEqual([]);
    // Run lists say which run confirms which.
    const listed = JSON.parse((await command('runs', '--json')).out);
    const [first, again] = listed.slice(-2);
    expect(again.outcome.gates).toMatchObject([{ name: 'regression', confirms: first.id }]);
    expect(first.outcome.gates[0]).not.toHaveProperty('confirms');
    expect(unwrapped((await command('runs')).out)).toContain(`run to confirm ${first.id}`);
    expect((await confirm('passing', 3)).err).not.toContain('Running once more');
    const json = await confirm('dead-again', 1000, '--json');
    expect(JSON.parse(json.out)).toMatchObject({
      outcome: { exitCode: 1, gates: [{ name: 'regression', holds: false }] },
    });
  });

  it('is compared with both runs even if the confirming run is interrupted and then resumed', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `case ${index}`);
    const agent = `import { readFileSync } from 'node:fs';
      export const rootAgent = (text) => readFileSync(new URL('broken', import.meta.url), 'utf8') === 'yes' ? 'I do not know' : text;`;
    const { command, run, folder } = gatedProject({ agent, names, gates: { regression: true, decide: true } });
    const broken = (is: 'yes' | 'no') => writeFileSync(join(folder, 'broken'), is);
    broken('no');
    await run('--baseline', 'last');
    await command('baseline', 'set');
    broken('yes');
    expect((await run('--baseline', 'baseline.json', '--confirm')).code).toBe(1);
    const runs = join(folder, 'runs');
    const plansOf = (id: string) => JSON.parse(readFileSync(join(runs, id, 'scorings/1/plan.json'), 'utf8'));
    const second = readdirSync(runs).find((id) => plansOf(id).gates[0]?.confirms !== undefined) ?? '';
    const first: string = plansOf(second).gates[0].confirms;
    expect(readdirSync(runs)).toContain(first);
    // Simulates a process that was killed before any case finished.
    const own = join(runs, second);
    for (const file of ['scorings/1/outcome.json', 'scorings/1/summary.json']) rmSync(join(own, file));
    for (const file of ['inferences.jsonl', 'scorings/1/scores.jsonl']) writeFileSync(join(own, file), '');
    broken('no');
    // Every application that resumes the run, such as the studio, prepares the same gates.
    const builtIn = { plugins: builtInCriteria, providers: builtInProviders };
    const prepared = await prepareRun({ source: { kind: 'resume', run: own }, builtIn, applyEnvironment: false });
    const prepare = () => prepareGates(prepared, { baseline: 'baseline.json' });
    expect((await prepare())?.names).toEqual([{ name: 'regression', confirms: first }]);
    // Against the first run, which is itself a regression, nothing would look worse.
    const exchanged = await command('resume', second, '--baseline', 'last');
    expect(exchanged.code).toBe(2);
    expect(unwrapped(exchanged.err)).toContain('is another: repeat the --baseline that the run was begun with');
    const without = await command('resume', second);
    expect(without.code).toBe(2);
    expect(unwrapped(without.err)).toContain('needs a baseline: repeat the --baseline that the run was begun with');
    const resumed = await command('resume', second, '--baseline', 'baseline.json');
    expect(unwrapped(resumed.out)).toContain(
      'regression does not hold: not seen again in a second run, but of both together, the pass rate fell by 50 points',
    );
    expect(resumed.code).toBe(1);
    rmSync(join(runs, first), { recursive: true });
    const alone = await command('resume', second, '--baseline', 'baseline.json');
    expect(alone).toMatchObject({ code: 2 });
    expect(unwrapped(alone.err)).toContain(`a regression that was found by the run ${first}, which no longer exists`);
  });

  it('cannot be used with --confirm without the gate, or if cases stop early', async () => {
    const { run } = project(undefined, 2);
    const without = await run('--confirm');
    expect(without).toMatchObject({ code: 2 });
    expect(without.err).toContain('add --baseline FILE, RUN or last');
    // With a warning that the other gate cannot hold.
    expect(await run('--confirm', '--gate', 'pass_rate=0.95')).toMatchObject({ code: 2, err: without.err });
    const first = ['--baseline', 'last', '--gate', 'no_worse_than=0.05'];
    const other = await run('--confirm', ...first);
    expect(other).toMatchObject({ code: 2 });
    expect(other.err).toContain('--confirm confirms what the gate regression finds: add --gate regression=true');
    const { run: runConfigured } = project({ no_worse_than: 0.05, baseline: 'last' }, 2);
    expect(await runConfigured('--confirm')).toMatchObject({ code: 2, err: other.err });
    expect((await run('--confirm', ...first, '--gate', 'regression=true')).err).toContain('no earlier finished run');
    expect(await run('--confirm', '--repeats', 'auto', '--gate', 'case_pass_rate=0.8')).toMatchObject({ code: 2 });
  });

  it('that lacks a variant leaves the gate undecided for that variant, whatever the other variants show', async () => {
    const { command } = project({ regression: true, baseline: 'last', decide: true }, 40);
    const run = (...variants: readonly string[]) => {
      return command('eval', 'home.evalset.json', ...variants.flatMap((name) => ['--variant', `${name}=agent.mjs`]));
    };
    expect((await run('fast', 'slow')).code).toBe(0);
    const renamed = await run('fast', 'third');
    expect(renamed.code).toBe(3);
    expect(renamed.out).toContain('regression (fast) holds');
    expect(renamed.out).toMatch(/regression \(third\) cannot tell: the baseline \S+ has fast, slow, and not third/);
  });

  it('leads to exit code 2 if its file is missing, damaged or of another kind', async () => {
    const { run, command } = project(undefined, 40);
    expect(await run('--baseline', 'none.json')).toMatchObject({
      code: 2,
      err: expect.stringContaining('there is no such baseline'),
    });
    expect(await run('--baseline', 'nothing')).toMatchObject({ code: 2 });
    writeFileSync('b.json', '{ "kind": "agent-criteria baseline", "format": 1 }');
    expect((await run('--baseline', 'b.json')).err).toContain('"id" is missing or damaged; write the baseline anew');
    await run();
    expect((await command('baseline', 'set', '--output', 'home.evalset.json')).err).toContain(
      'exists already and is not a baseline',
    );
    rmSync('b.json');
  });
});
