import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evalCase, turn } from '@agent-criteria/core/eval-set';
import { afterEach, describe, expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { folderOf } from './__fixtures__/folder.ts';
import type { Io } from './io.ts';

const home = process.cwd();
afterEach(() => process.chdir(home));

const set = {
  eval_set_id: 'home',
  eval_cases: [
    evalCase('lamp', [turn('on', { answer: 'on' })]),
    evalCase('heating', [turn('warm', { answer: 'warm' })]),
    evalCase('door', [turn('open', { answer: 'open' })]),
  ],
};

const files = {
  'fast/agent.mjs': 'export const agent = (text) => text;',
  'slow/agents.mjs':
    'export const agent = () => "?"; export const careful = (text) => (text === "warm" ? "cold" : text);',
  'broken.mjs': 'export const agent = 1;',
  'home.evalset.json': set,
  'test_config.json': { criteria: { response_match_score: 1 } },
};

function project(more: Readonly<Record<string, unknown>> = {}) {
  const folder = folderOf({ ...files, ...more });
  process.chdir(folder);
  const command = (args: readonly string[], io: Partial<Io> = {}) =>
    capture([...args, '--runs_folder', join(folder, 'runs')], io);
  return { folder, command };
}

const both = ['--variant', 'fast=fast/agent.mjs', '--variant', 'slow-2=slow/agents.mjs#careful'];

describe('eval with variants', () => {
  it('shows a column, the failures and the totals for each variant, and exits with 1 if any of them fails', async () => {
    const { command } = project();
    const { out, code, err } = await command(['eval', 'home.evalset.json', ...both]);
    expect(err).toBe('');
    expect(code).toBe(1);
    expect(
      out.replace(/show --variant slow-2 \S+ /g, 'show --variant slow-2 RUN ').replace(/run \S+\.\n$/, 'run RUN.\n'),
    ).toBe(`home: 3 cases, each with fast and slow-2, from home.evalset.json
judged by response_match_score >= 1 (test_config.json)

Did not pass ([-expected-] {+actual+}, calls: - expected + made):

heating (slow-2): failed
  response_match_score 0 is below the threshold 1
  turn 1
    prompt    warm
    expected  warm
    answer    cold
    response_match_score 0: 1 of 1 expected word missing, 1 other word added
      missing: warm
      extra: cold
  details: agent-criteria show --variant slow-2 RUN heating

case     fast            slow-2
heating  passed 1 (1/1)  failed 0 (1/1)
lamp     passed 1 (1/1)  passed 1 (1/1)
door     passed 1 (1/1)  passed 1 (1/1)
verdict, and score (turns scored/turns that apply) of response_match_score

fast:   3 passed of 3 cases
  pass rate 100% (95% confidence interval 37 to 100%), 3 cases
slow-2: 2 passed, 1 failed of 3 cases
  pass rate 67% (95% confidence interval 13 to 98%), 3 cases
5 passed, 1 failed of 6 results
Saved as run RUN.
`);
  });

  it('shows the usage of each variant and of all together, on the console, in JSON and in Markdown', async () => {
    const counting = (tokens: number) => `export const agent = (text) => ({
      userContent: { parts: [{ text }] },
      finalResponse: { parts: [{ text }] },
      intermediateData: { invocationEvents: [
        { author: 'a', usageMetadata: { promptTokenCount: ${tokens}, candidatesTokenCount: 1 } },
      ] },
    });`;
    const { command } = project({ 'small.mjs': counting(10), 'large.mjs': counting(1000) });
    const of = ['--variant', 'small=small.mjs', '--variant', 'large=large.mjs'];
    const { out } = await command(['eval', 'home.evalset.json', ...of]);
    expect(out).toContain(`
small: 3 passed of 3 cases
  pass rate 100% (95% confidence interval 37 to 100%), 3 cases
  agent: 3 calls, 30 tokens in, 3 out
large: 3 passed of 3 cases
  pass rate 100% (95% confidence interval 37 to 100%), 3 cases
  agent: 3 calls, 3,000 tokens in, 3 out
6 passed of 6 results
agent: 6 calls, 3,030 tokens in, 6 out
`);
    const { usage, sets } = JSON.parse((await command(['report', 'last', '--format', 'json'])).out);
    expect([usage.agent.tokens.inputTokens, usage.variants.small.agent.tokens.inputTokens]).toEqual([3030, 30]);
    expect(sets[0].usage.variants).toEqual(usage.variants);
    const markdown = (await command(['report', 'last', '--format', 'markdown'])).out;
    expect(markdown).toMatch(/^- `large`: .*\n {2}- agent: `3 calls, 3,000 tokens in, 3 out`$/m);
  });

  it('shows variants one below the other in a narrow terminal', async () => {
    const { command } = project();
    const { out } = await command(['eval', 'home.evalset.json', ...both], {
      width: { out: 30, err: 30 },
    });
    expect(out).toContain('heating\n  fast    passed 1 (1/1)\n  slow-2  failed 0 (1/1)\n');
  });

  it('exits with 0 if all variants pass', async () => {
    const { command } = project();
    const { code } = await command(['eval', 'home.evalset.json:lamp,door', ...both]);
    expect(code).toBe(0);
  });

  it('names the variant of each result and inference in JSON, with the totals for each', async () => {
    const { command } = project();
    const { out, code } = await command(['eval', 'home.evalset.json', '--json', ...both]);
    const report = JSON.parse(out);
    expect(code).toBe(1);
    expect(report.run.variants).toMatchObject([
      { name: 'fast', summary: { total: 3, exitCode: 0 } },
      { name: 'slow-2', summary: { total: 3, exitCode: 1 } },
    ]);
    const cases: { caseId: string; variant: string; verdict: string }[] = report.sets[0].cases;
    expect(cases.map(({ caseId, variant, verdict }) => `${caseId} ${variant} ${verdict}`)).toEqual([
      'lamp fast passed',
      'lamp slow-2 passed',
      'heating fast passed',
      'heating slow-2 failed',
      'door fast passed',
      'door slow-2 passed',
    ]);
    expect(report.sets[0].inferences[1].key).toEqual({ setId: 'home', caseId: 'lamp', repeat: 0, variant: 'slow-2' });
  });

  it('supports resume, score, --only-failed, show and report', async () => {
    const { folder, command } = project();
    await command(['eval', 'home.evalset.json', ...both]);
    const resumed = await command(['resume', 'last', '--rerun', 'failed']);
    expect(resumed).toMatchObject({ code: 1, err: '' });
    expect(resumed.out).toContain('5 passed, 1 failed of 6 results');
    const scored = await command(['score', 'last', '--case', 'heating']);
    expect(scored.out).toContain('slow-2: 1 failed of 1 case\n');
    const again = await command(['eval', 'home.evalset.json', '--only_failed', ...both]);
    expect(again.out).toContain('1 passed, 1 failed of 2 results');

    const [run = ''] = readdirSync(join(folder, 'runs')).sort();
    const shown = await command(['show', run, 'heating']);
    expect(shown.out).toContain('home: 1 case, each with fast and slow-2');
    expect(shown.out).toContain('heating (fast): passed');
    expect(shown.out).toContain('heating (slow-2): failed');
    const alone = await command(['show', '--variant', 'slow-2', run, 'heating']);
    expect(alone.out).not.toContain('fast');
    const unknown = await command(['show', '--variant', 'other', run, 'heating']);
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.err).toContain('has no variant "other": it has the variants fast, slow-2');

    const failed = await command(['report', run, '--only_failed']);
    expect(failed.out).not.toContain('lamp');
    const csv = await command(['report', run, '--format', 'csv']);
    expect(csv.out.split('\r\n')[0]).toMatch(/,run_finished,variant$/);
    const junit = await command(['report', run, '--format', 'junit']);
    expect(junit.out).toContain('<testcase name="heating (slow-2)"');
  });

  it('shows the totals in Markdown, with a column for each variant', async () => {
    const { command } = project();
    await command(['eval', 'home.evalset.json', ...both]);
    const { out } = await command(['report', 'last', '--format', 'markdown']);
    expect(out).toContain('## ❌ failed: 5 passed, 1 failed of 6 results');
    expect(out).toContain('- `fast`: ✅ 3 passed of 3 cases (agent `fast/agent.mjs`)');
    expect(out).toContain('| case | `fast` | `slow-2` |');
    expect(out).toContain('| `heating` | ✅ passed 1 (1/1) | ❌ failed 0 (1/1) |');
    expect(out).toContain('<summary>The other 2 cases</summary>');
  });

  it("writes ADK's result files, one for each variant", async () => {
    const { folder, command } = project();
    await command(['eval', 'home.evalset.json', '--eval_history', ...both]);
    const history = (agent: string) => join(folder, agent, '.adk', 'eval_history');
    expect(readdirSync(history('fast')).map((name) => name.replace(/\d{9,}\.\d+/, 'AT'))).toEqual([
      'fast_home_fast_AT.evalset_result.json',
    ]);
    const [own = ''] = readdirSync(history('slow'));
    const result = JSON.parse(readFileSync(join(history('slow'), own), 'utf8'));
    expect(own).toMatch(/^slow_home_slow-2_/);
    expect(result.eval_case_results.map((one: { final_eval_status: number }) => one.final_eval_status)).toEqual([
      1, 2, 1,
    ]);
    const one = await command(['report', 'last', '--format', 'adk']);
    expect(one).toMatchObject({ code: 2 });
    expect(one.err).toContain('the run has 2 variants (fast, slow-2)');
    const whole = await command(['report', 'last', '--format', 'adk', '--output', join(folder, 'v', 'new')]);
    expect([whole.code, whole.err]).toEqual([0, '']);
    expect(readdirSync(join(folder, 'v', 'new'))).toHaveLength(2);
    const chosen = await command(['report', 'last', '--format', 'adk', '--variant', 'fast']);
    expect(JSON.parse(chosen.out).eval_case_results).toHaveLength(3);
  });

  it('uses the variants of the config if no agent is named', async () => {
    const { folder, command } = project({
      'agent-criteria.config.json': {
        variants: { fast: './fast/agent.mjs', 'slow-2': './slow/agents.mjs#careful' },
      },
    });
    const { out, code } = await command(['eval', 'home.evalset.json']);
    expect([code, out]).toEqual([1, expect.stringContaining('5 passed, 1 failed of 6 results')]);
    const one = await command(['eval', 'fast/agent.mjs', 'home.evalset.json']);
    expect([one.code, one.out]).toEqual([0, expect.stringContaining('3 passed of 3 cases')]);
    const flags = await command(['eval', 'home.evalset.json', '--variant', 'only=fast/agent.mjs']);
    expect(flags.out).toContain('3 passed of 3 results');
    expect(existsSync(join(folder, 'runs'))).toBe(true);
  });
});

describe('an invalid variant', () => {
  it.each<[string, readonly string[], string]>([
    ['has no =', ['--variant', 'fast'], '--variant "fast" has no "=": write --variant NAME=AGENT[#EXPORT]'],
    ['has no name', ['--variant', '=fast/agent.mjs'], '--variant "=fast/agent.mjs" has no name'],
    ['has no agent', ['--variant', 'fast='], 'names no agent for "fast"'],
    ['has no export', ['--variant', 'fast=fast/agent.mjs#'], 'names no export after "#"'],
    ['has a bad name', ['--variant', 'a/b=fast/agent.mjs'], '"a/b" cannot be the name of a variant'],
    [
      'is there twice',
      ['--variant', 'a=fast/agent.mjs', '--variant', 'A=slow/agents.mjs'],
      'there are two variants named "A", which differs from "a" only in case',
    ],
    [
      'is beside an agent',
      ['fast/agent.mjs', '--variant', 'a=slow/agents.mjs'],
      '"fast/agent.mjs" is an agent: with --variant, all arguments are eval sets',
    ],
    [
      'is beside a name',
      ['--variant', 'a=slow/agents.mjs', '--agent-name', 'careful'],
      'with variants, write a=slow/agents.mjs#careful',
    ],
    ['is not there', ['--variant', 'a=none.mjs', '--variant', 'b=nine.mjs'], 'variant "b": '],
    ['exports no agent', ['--variant', 'a=fast/agent.mjs', '--variant', 'b=broken.mjs'], 'variant "b": '],
    ['exports another', ['--variant', 'a=slow/agents.mjs#carful'], 'variant "a": '],
  ])('%s', async (_, args, message) => {
    const { folder, command } = project();
    const { code, err, out } = await command(['eval', ...args, 'home.evalset.json']);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
    const runs = join(folder, 'runs');
    expect(existsSync(runs) ? readdirSync(runs) : []).toEqual([]);
  });
});
