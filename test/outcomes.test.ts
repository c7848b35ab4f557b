// Long: runs every outcome through the command, the pages and the test runner.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evalCase, turn } from '@agent-criteria/core/eval-set';
import type { ShownOutcome } from '@agent-criteria/results/text';
import { startStudio } from '@agent-criteria/studio';
import type { RunDetail, RunPage } from '@agent-criteria/studio/api';
import type { PageIndex } from '@agent-criteria/viewer';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Captured, capture } from '../packages/cli/src/__fixtures__/captured-io.ts';
import { folderOf } from './folder.ts';

// Situations in a CI job. Every output about a run shows the exit code, the headline and the gates of its process.

const home = process.cwd();
afterEach(() => process.chdir(home));

/** The number of cases of each kind, named after how they end. */
interface Cases {
  readonly right?: number;
  readonly wrong?: number;
  readonly broken?: number;
  /** The number of cases without an expected answer. */
  readonly unjudged?: number;
}

interface Situation {
  readonly name: string;
  readonly cases: Cases;
  readonly gates?: Readonly<Record<string, unknown>>;
  /** The criteria and anything else in the config. Default: `response_match_score` with the threshold 1. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Returns a case's group by its name. Default: none. */
  readonly group?: (name: string) => string;
  /** Runs beforehand, for example to set a baseline. */
  readonly before?: (command: Command) => Promise<unknown>;
  /** Default: `eval agent.mjs home.evalset.json`. */
  readonly args?: readonly string[];
  readonly more?: Parameters<typeof capture>[1];
  readonly code: number;
  readonly headline: string;
  /** The results of the gates, in their order. */
  readonly holds?: readonly (boolean | null)[];
  readonly state?: ShownOutcome['state'];
  /** The end of its row in the list of runs. */
  readonly listed?: string;
}

type Command = (...args: readonly string[]) => Promise<Captured>;

/** Returns the source of an agent that repeats its message, unless the condition holds. */
const agent = (isWrong: string) => `let calls = 0;
export const rootAgent = (text) => {
  calls += 1;
  if (text.startsWith('broken')) throw new Error('it broke');
  return ${isWrong} ? 'something else' : text;
};`;

const EVAL = ['eval', 'agent.mjs', 'home.evalset.json'];
const baseline = async (command: Command) => {
  expect((await command(...EVAL)).code).toBe(0);
  expect((await command('baseline', 'set')).code).toBe(0);
};

const situations: readonly Situation[] = [
  { name: 'a few cases, all pass', cases: { right: 5 }, code: 0, headline: '5 passed of 5 cases' },
  { name: 'a case fails', cases: { right: 4, wrong: 1 }, code: 1, headline: '4 passed, 1 failed of 5 cases' },
  { name: 'all cases fail', cases: { wrong: 5 }, code: 1, headline: '5 failed of 5 cases' },
  {
    name: 'a case cannot be judged',
    cases: { right: 4, unjudged: 1 },
    code: 3,
    headline: '4 passed, 1 not-evaluated of 5 cases',
  },
  { name: 'the agent throws', cases: { right: 4, broken: 1 }, code: 3, headline: '4 passed, 1 error of 5 cases' },
  {
    name: 'nothing is judged, only measured',
    cases: { right: 3 },
    config: { criteria: {}, agent_criteria: { measure: ['tool_call_count_v1'] } },
    code: 0,
    headline: '3 informational of 3 cases',
  },
  {
    name: 'a gate holds',
    cases: { right: 40 },
    gates: { pass_rate: 0.9 },
    code: 0,
    headline: '40 passed of 40 cases; the gate holds: exit 0',
    holds: [true],
    listed: 'finished, exit 0: the gate holds',
  },
  {
    name: 'a gate cannot tell with a few cases',
    cases: { right: 5 },
    gates: { pass_rate: 0.9 },
    code: 3,
    headline: '5 passed of 5 cases; the gate cannot tell: exit 3',
    holds: [null],
    listed: 'finished, exit 3: the gate cannot tell',
  },
  {
    name: 'a gate does not hold although every case passes',
    cases: { right: 2 },
    gates: { means: { invocation_duration_v1: -1 } },
    code: 1,
    headline: '2 passed of 2 cases; the gate does not hold: exit 1',
    holds: [false],
  },
  {
    name: 'one gate does not hold, another cannot tell, a third holds',
    cases: { right: 5 },
    gates: { pass_rate: 0.9, means: { invocation_duration_v1: -1, response_match_score: 0 } },
    code: 1,
    headline: '5 passed of 5 cases; 1 of 3 gates does not hold, 1 cannot tell: exit 1',
    holds: [null, false, true],
    listed: 'finished, exit 1: 1 of 3 gates does not hold, 1 cannot tell',
  },
  {
    name: 'a gate holds beside a failed case',
    cases: { right: 39, wrong: 1 },
    gates: { pass_rate: 0.8 },
    code: 1,
    headline: '39 passed, 1 failed of 40 cases; the gate holds: exit 1',
    holds: [true],
    listed: 'finished, exit 1: cases failed; the gate holds',
  },
  {
    name: 'a gate of a flag misses what that of the config allows',
    cases: { right: 40 },
    gates: { pass_rate: 0.5 },
    args: [...EVAL, '--gate', 'pass_rate=0.99'],
    code: 3,
    headline: '40 passed of 40 cases; the gate cannot tell: exit 3',
    holds: [null],
  },
  {
    name: 'a gate is about a criterion that there is not',
    cases: { right: 2 },
    gates: { means: { 'no such criterion': 0.5 } },
    code: 3,
    headline: '2 passed of 2 cases; the gate cannot tell: exit 3',
    holds: [null],
  },
  {
    name: 'gates decide, and hold beside failed cases',
    cases: { right: 38, wrong: 2 },
    gates: { pass_rate: 0.8, means: { response_match_score: 0.8 }, decide: true },
    code: 0,
    headline: '2 of 40 cases failed; both gates hold: exit 0, decided by the gates',
    holds: [true, true],
    listed: 'finished, exit 0: both gates hold',
  },
  {
    name: 'gates decide, and hold beside cases that broke or could not be judged',
    cases: { right: 38, broken: 1, unjudged: 1 },
    gates: { pass_rate: 0.8, decide: true },
    code: 0,
    headline:
      '1 of 40 cases ended in an error, 1 of 40 cases could not be judged; the gate holds: exit 0, decided by the gates',
    holds: [true],
  },
  {
    name: 'gates decide, and one does not hold',
    cases: { right: 20, wrong: 20 },
    gates: { pass_rate: 0.8, decide: true },
    code: 1,
    headline: '20 of 40 cases failed; the gate does not hold: exit 1, decided by the gates',
    holds: [false],
  },
  {
    name: 'gates decide, and cannot tell with a few cases',
    cases: { right: 4, wrong: 1 },
    gates: { pass_rate: 0.5, decide: true },
    code: 3,
    headline: '1 of 5 cases failed; the gate cannot tell: exit 3, decided by the gates',
    holds: [null],
    listed: 'finished, exit 3: the gate cannot tell',
  },
  {
    name: 'gates decide, all cases fail, and the gate asks for nothing',
    cases: { wrong: 5 },
    gates: { pass_rate: 0, decide: true },
    code: 0,
    headline: '5 of 5 cases failed; the gate holds: exit 0, decided by the gates',
    holds: [true],
  },
  {
    name: 'gates decide over cases that all passed',
    cases: { right: 5 },
    gates: { pass_rate: 0.9, decide: true },
    code: 3,
    headline: 'all 5 cases passed; the gate cannot tell: exit 3, decided by the gates',
    holds: [null],
  },
  {
    name: 'nothing has changed since the baseline',
    cases: { right: 40 },
    before: baseline,
    args: [...EVAL, '--baseline', 'baseline.json'],
    code: 0,
    headline: '40 passed of 40 cases; the gate holds: exit 0',
    holds: [true],
  },
  {
    name: 'many of the cases of the baseline fail, and the gates decide',
    cases: { right: 40 },
    config: { criteria: { response_match_score: 1 }, agent_criteria: { gates: { decide: true } } },
    before: baseline,
    args: ['eval', 'half.mjs', 'home.evalset.json', '--baseline', 'baseline.json'],
    code: 1,
    headline: '20 of 40 cases failed; the gate does not hold: exit 1, decided by the gates',
    holds: [false],
  },
  {
    name: 'all of a few cases break since the baseline',
    cases: { right: 5 },
    before: baseline,
    args: ['eval', 'wrong.mjs', 'home.evalset.json', '--baseline', 'baseline.json'],
    code: 1,
    headline: '5 failed of 5 cases; the gate cannot tell: exit 1',
    holds: [null],
    listed: 'finished, exit 1: cases failed; the gate cannot tell',
  },
  {
    name: 'all of a few cases break since the baseline, and the gates decide',
    cases: { right: 5 },
    config: { criteria: { response_match_score: 1 }, agent_criteria: { gates: { decide: true } } },
    before: baseline,
    args: ['eval', 'wrong.mjs', 'home.evalset.json', '--baseline', 'baseline.json'],
    code: 3,
    headline: '5 of 5 cases failed; the gate cannot tell: exit 3, decided by the gates',
    holds: [null],
  },
  {
    name: 'a case that the baseline lacks fails, and the gates decide',
    cases: { right: 40 },
    config: { criteria: { response_match_score: 1 }, agent_criteria: { gates: { decide: true } } },
    before: async (command) => {
      await baseline(command);
      addCase('wrong', 'never said');
    },
    args: [...EVAL, '--baseline', 'baseline.json'],
    code: 3,
    headline: '1 of 41 cases failed; 1 of 2 gates cannot tell: exit 3, decided by the gates',
    holds: [true, null],
  },
  {
    name: 'a case that the baseline lacks passes, and the gates decide',
    cases: { right: 40 },
    config: { criteria: { response_match_score: 1 }, agent_criteria: { gates: { decide: true } } },
    before: async (command) => {
      await baseline(command);
      addCase('new', 'new');
    },
    args: [...EVAL, '--baseline', 'baseline.json'],
    code: 0,
    headline: 'all 41 cases passed; the gate holds: exit 0, decided by the gates',
    holds: [true],
  },
  {
    name: 'a case that the baseline lacks fails, and one of the gates that decide counts it',
    cases: { right: 40 },
    config: { criteria: { response_match_score: 1 }, agent_criteria: { gates: { decide: true, pass_rate: 0.8 } } },
    before: async (command) => {
      await baseline(command);
      addCase('wrong', 'never said');
    },
    args: [...EVAL, '--baseline', 'baseline.json', '--gate', 'regression=0.05'],
    code: 0,
    headline: '1 of 41 cases failed; both gates hold: exit 0, decided by the gates',
    holds: [true, true],
  },
  {
    name: 'a criterion could judge no case, and the gates that decide ask about another',
    cases: { right: 5 },
    config: {
      criteria: { response_match_score: 1, judged: 0.5 },
      custom_metrics: { judged: { code_config: { name: './metric.mjs#judged' } } },
      agent_criteria: { gates: { means: { response_match_score: 0.4 }, decide: true } },
    },
    code: 3,
    headline: '5 of 5 cases could not be judged; 1 of 2 gates cannot tell: exit 3, decided by the gates',
    holds: [true, null],
  },
  {
    name: 'scores are too large to compute with',
    cases: { right: 5 },
    config: {
      criteria: { huge: 1 },
      custom_metrics: {
        huge: {
          code_config: { name: './metric.mjs#huge' },
          metric_info: { metric_name: 'huge', metric_value_info: { interval: { min_value: 0, max_value: 1.7e308 } } },
        },
      },
      agent_criteria: { gates: { means: { huge: 2 }, regression: true, baseline: 'last', decide: true } },
    },
    before: (command) => command(...EVAL),
    code: 3,
    headline: 'all 5 cases passed; 2 of 2 gates cannot tell: exit 3, decided by the gates',
    holds: [null, null],
  },
  {
    name: 'the first run has nothing to be held against',
    cases: { right: 5 },
    args: [...EVAL, '--baseline', 'last'],
    code: 0,
    headline: '5 passed of 5 cases',
  },
  {
    name: 'the first run has nothing to be held against, although gates decide: its cases do',
    cases: { right: 4, wrong: 1 },
    gates: { regression: true, baseline: 'last', decide: true },
    code: 1,
    headline: '4 passed, 1 failed of 5 cases',
  },
  {
    name: 'one case is selected, and a gate cannot tell by it',
    cases: { right: 40 },
    gates: { pass_rate: 0.9 },
    args: ['eval', 'agent.mjs', 'home.evalset.json:right 1'],
    code: 3,
    headline: '1 passed of 1 case; the gate cannot tell: exit 3',
    holds: [null],
  },
  {
    name: 'cases are selected by what failed before',
    cases: { right: 39, wrong: 1 },
    gates: { pass_rate: 0.8 },
    before: (command) => command(...EVAL),
    args: [...EVAL, '--only-failed'],
    code: 1,
    headline: '1 failed of 1 case; the gate does not hold: exit 1',
    holds: [false],
  },
  {
    name: 'cases are selected by what failed before, and held against the run that selected them',
    cases: { right: 39, wrong: 1 },
    gates: { regression: true, baseline: 'last', decide: true },
    before: (command) => command(...EVAL),
    args: [...EVAL, '--only-failed'],
    code: 3,
    headline: '1 of 1 case failed; the gate cannot tell: exit 3, decided by the gates',
    holds: [null],
  },
  {
    name: 'a gate asks for more than that no regression is found',
    cases: { right: 5 },
    config: { criteria: { response_match_score: 1 }, agent_criteria: { gates: { decide: true } } },
    before: baseline,
    args: [...EVAL, '--baseline', 'baseline.json', '--gate', 'no_worse_than=0.05'],
    code: 3,
    headline: 'all 5 cases passed; the gate cannot tell: exit 3, decided by the gates',
    holds: [null],
  },
  {
    name: 'all cases are of one group, and a gate cannot tell by it',
    cases: { right: 39, wrong: 1 },
    group: () => 'one',
    gates: { pass_rate: 0.9, decide: true },
    code: 3,
    headline: '1 of 40 cases failed; the gate cannot tell: exit 3, decided by the gates',
    holds: [null],
  },
  {
    name: 'cases of many groups fail, and a gate does not hold',
    cases: { right: 20, wrong: 20 },
    group: (name) => `group ${Number(name.split(' ')[1]) % 10}`,
    gates: { pass_rate: 0.9 },
    code: 1,
    headline: '20 passed, 20 failed of 40 cases; the gate does not hold: exit 1',
    holds: [false],
  },
  {
    name: 'two variants, and a gate holds for one of them',
    cases: { right: 40 },
    gates: { pass_rate: 0.8 },
    args: ['eval', '--variant', 'fast=agent.mjs', '--variant', 'slow=half.mjs', 'home.evalset.json'],
    code: 1,
    headline: '60 passed, 20 failed of 80 results; 1 of 2 gates does not hold: exit 1',
    holds: [true, false],
  },
  {
    name: 'a variant is missing in the baseline, and the gates decide',
    cases: { right: 40 },
    gates: { regression: true, baseline: 'last', decide: true },
    before: (command) =>
      command('eval', '--variant', 'fast=agent.mjs', '--variant', 'slow=agent.mjs', 'home.evalset.json'),
    args: ['eval', '--variant', 'fast=agent.mjs', '--variant', 'third=agent.mjs', 'home.evalset.json'],
    code: 3,
    headline: 'all 80 results passed; 1 of 2 gates cannot tell: exit 3, decided by the gates',
    holds: [true, null],
  },
  {
    name: 'cases are flaky over their repeats, and a gate does not allow it',
    cases: { right: 3 },
    gates: { flaky_share: 0.1 },
    args: ['eval', 'flaky.mjs', 'home.evalset.json', '--num-runs', '2', '--concurrency-agents', '1'],
    code: 1,
    headline: '3 failed of 3 cases; the gate does not hold: exit 1',
    holds: [false],
  },
  {
    name: 'a run is scored again, and held to another gate',
    cases: { right: 5 },
    before: (command) => command(...EVAL),
    args: ['score', 'last', '--gate', 'pass_rate=0.9'],
    code: 3,
    headline: '5 passed of 5 cases; the gate cannot tell: exit 3',
    holds: [null],
  },
  {
    name: 'a report cannot be written',
    cases: { right: 2 },
    args: ['eval', 'removing.mjs', 'home.evalset.json', '--output', join('gone', 'report.json')],
    code: 3,
    headline: '2 passed of 2 cases: exit 3',
  },
  {
    name: 'a report cannot be written, and a gate holds',
    cases: { right: 5 },
    gates: { pass_rate: 0.1 },
    args: ['eval', 'removing.mjs', 'home.evalset.json', '--output', join('gone', 'report.json')],
    code: 3,
    headline: '5 passed of 5 cases; the gate holds: exit 3',
    holds: [true],
    listed: 'finished, exit 3: a report could not be written; the gate holds',
  },
  {
    name: 'a case broke, and a gate holds',
    cases: { right: 39, broken: 1 },
    gates: { pass_rate: 0.8 },
    code: 3,
    headline: '39 passed, 1 error of 40 cases; the gate holds: exit 3',
    holds: [true],
    listed: 'finished, exit 3: cases ended in an error; the gate holds',
  },
  {
    name: 'a case could not be judged, and a gate cannot tell',
    cases: { right: 4, unjudged: 1 },
    gates: { pass_rate: 0.6 },
    code: 3,
    headline: '4 passed, 1 not-evaluated of 5 cases; the gate cannot tell: exit 3',
    holds: [null],
    listed: 'finished, exit 3: cases could not be judged; the gate cannot tell',
  },
  {
    name: 'the run is interrupted',
    cases: { right: 5 },
    gates: { pass_rate: 0.1, decide: true },
    more: { drain: () => AbortSignal.abort() },
    code: 130,
    headline: '5 error of 5 cases',
    state: 'unfinished',
  },
];

function addCase(name: string, answer: string): void {
  const set = JSON.parse(readFileSync('home.evalset.json', 'utf8'));
  set.eval_cases.push(evalCase(name, [turn(name, { answer })]));
  writeFileSync('home.evalset.json', JSON.stringify(set));
}

/** Creates the project for a situation, changes to its folder, and returns a function that runs the command there. */
function projectOf({ cases, gates, config, group }: Situation) {
  const names = Object.entries(cases).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, index) => `${kind} ${index}`),
  );
  const eval_cases = names.map((name) => {
    const answer = name.startsWith('wrong') ? 'never said' : name;
    const asked = turn(name, name.startsWith('unjudged') ? {} : { answer });
    return { ...evalCase(name, [asked]), ...(group && { agent_criteria: { group: group(name) } }) };
  });
  const own = { criteria: { response_match_score: 1 }, ...(gates && { agent_criteria: { gates } }) };
  const folder = folderOf({
    'agent.mjs': agent('false'),
    'wrong.mjs': agent('true'),
    'half.mjs': agent("Number(text.split(' ')[1]) >= 20"),
    'flaky.mjs': agent('calls % 2 === 0'),
    'metric.mjs': `export const judged = () => { throw new Error('the judge is down'); };
      export const huge = (metric, actual) => {
        const score = 1.7e308;
        return { overallScore: score, perInvocationResults: actual.map(() => ({ score })) };
      };`,
    'removing.mjs': `import { rmSync, writeFileSync } from 'node:fs';
      export const rootAgent = (text) => {
        rmSync('gone', { recursive: true });
        writeFileSync('gone', '');
        return text;
      };`,
    'home.evalset.json': { eval_set_id: 'home', eval_cases },
    'test_config.json': config ?? own,
  });
  for (const name of ['out', 'gone']) mkdirSync(join(folder, name));
  process.chdir(folder);
  const command = (args: readonly string[], more: Parameters<typeof capture>[1] = {}) =>
    capture([...args, '--runs_folder', join(folder, 'runs')], more);
  return { folder, command };
}

/** The parts of an outcome that a report shows. */
interface OutcomeParts {
  readonly headline?: string;
  readonly exitCode?: number | null;
  readonly holds?: readonly (boolean | null)[];
}

const outcomeIn = ({ headline, exitCode, gates }: ShownOutcome): OutcomeParts => {
  return { headline, exitCode, holds: gates.map(({ holds }) => holds) };
};

const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

/** Reads the outcome from the properties and tests of a JUnit report. */
function ofJunit(xml: string): OutcomeParts & { readonly isGreen: boolean } {
  const property = (name: string) => new RegExp(`<property name="${name}" value="([^"]*)"`).exec(xml)?.[1];
  const code = property('exit_code');
  const gates = [...xml.matchAll(/<testcase name="gate [^>]*>([\s\S]*?)<\/testcase>/g)].map(([, inner = '']) =>
    inner.includes('<failure') ? false : inner.includes('<error') ? null : true,
  );
  const [, failures, errors] = /<testsuites [^>]*failures="(\d+)" errors="(\d+)"/.exec(xml) ?? [];
  const counted = (tag: string) => [...xml.matchAll(new RegExp(`<${tag} `, 'g'))].length;
  // The counts match the elements.
  expect([counted('failure'), counted('error')]).toEqual([Number(failures), Number(errors)]);
  expect(Number(/<testsuites [^>]*tests="(\d+)"/.exec(xml)?.[1])).toBe(counted('testcase'));
  expect(Number(/<testsuites [^>]*skipped="(\d+)"/.exec(xml)?.[1])).toBe(counted('skipped'));
  return {
    headline: property('outcome'),
    exitCode: code === undefined ? null : Number(code),
    holds: gates,
    isGreen: failures === '0' && errors === '0',
  };
}

function ofMarkdown(markdown: string): OutcomeParts & { readonly sign: string } {
  const [, sign = '', headline] = /^## (\S+) [a-z -]+: (.*)\n/.exec(markdown) ?? [];
  const words = { '✅ holds': true, '❌ does not hold': false, '⚠️ cannot tell': null };
  const rows = [...markdown.matchAll(/^\| .* \| (✅ holds|❌ does not hold|⚠️ cannot tell) \| .* \|$/gm)];
  return { headline, holds: rows.map(([, word]) => words[word as keyof typeof words]), sign };
}

function ofHtml(html: string): PageIndex {
  const block = /<script type="application\/json" id="run-index">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
  return JSON.parse(block);
}

function ofConsole(text: string): OutcomeParts {
  const lines = [...text.matchAll(/^ {2}\S.* (holds|does not hold|cannot tell): /gm)];
  return { holds: lines.map(([, word]) => (word === 'holds' ? true : word === 'cannot tell' ? null : false)) };
}

async function byStudio(folder: string, id: string) {
  const settings = { runsFolder: join(folder, 'runs') };
  const studio = await startStudio({ folder, port: 0, environment: {}, applyEnvironment: false, settings });
  onTestFinished(() => studio.close());
  const ask = async <Answer>(path: string): Promise<Answer> => {
    const answer = await fetch(`${studio.url}/api${path}`, { headers: { authorization: `Bearer ${studio.token}` } });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Answer;
  };
  const [list, detail, view] = await Promise.all([
    ask<RunPage>('/runs'),
    ask<RunDetail>(`/runs/${id}`),
    ask<PageIndex>(`/runs/${id}/view`),
  ]);
  return [list.runs.find((run) => run.id === id)?.outcome, detail.outcome, view.outcome];
}

describe('the outcome of a run', { timeout: 60_000 }, () => {
  it('is tested in at least 30 different situations', () => {
    expect(situations.length).toBeGreaterThanOrEqual(30);
    expect(new Set(situations.map(({ name }) => name)).size).toBe(situations.length);
  });

  it.each(situations)('is the same in all reports and commands: $name', async (situation) => {
    const { args = EVAL, code, headline, holds = [], state = 'recorded', listed: line, before, more } = situation;
    const { folder, command } = projectOf(situation);
    await before?.((...given) => command(given));
    const out = (extension: string) => join('out', `first.${extension}`);
    const written = ['json', 'xml', 'md', 'html', 'csv'];
    const ended = await command([...args, ...written.flatMap((one) => ['--output', out(one)])], more);
    expect([ended.code, ended.code === 2 ? ended.err : '']).toEqual([code, '']);
    const exitCode = state === 'recorded' ? code : null;
    const expected = { headline, exitCode, holds };

    // Reports written with the run and reports written later show the same.
    const isDecided = headline.endsWith('decided by the gates');
    const checkReports = async (report: (extension: string) => Promise<string>) => {
      const json = JSON.parse(await report('json'));
      expect(json.outcome.state).toBe(state);
      expect(outcomeIn(json.outcome)).toEqual(expected);
      if (exitCode !== null) expect(json.summary.exitCode).toBe(exitCode);
      const { isGreen, ...junit } = ofJunit(await report('xml'));
      expect(junit).toEqual(expected);
      expect(isGreen).toBe(code === 0);
      const { sign, ...markdown } = ofMarkdown(await report('md'));
      expect(markdown).toEqual({ headline, holds });
      expect(['✅', 'ℹ️'].includes(sign)).toBe(code === 0);
      const page = ofHtml(await report('html'));
      expect(page.outcome && outcomeIn(page.outcome)).toEqual(expected);
      expect(await report('csv')).not.toMatch(/gate|exit/i);
    };
    // The other reports were written before one of them failed.
    if (!situation.name.startsWith('a report')) {
      await checkReports(async (extension) => readFileSync(out(extension), 'utf8'));
    }
    // A run of chosen cases is not the one that "last" names.
    const [{ id }] = JSON.parse((await command(['runs', '--json'])).out).slice(-1);
    await checkReports(async (extension) => {
      const file = join('out', `later.${extension}`);
      expect((await command(['report', id, '--output', file])).code).toBe(0);
      return readFileSync(file, 'utf8');
    });

    // The console output of the run and of `show`.
    const shown = await command(['show', id]);
    for (const text of [ended.out, shown.out]) {
      expect(ofConsole(text)).toEqual({ holds });
      expect(text.includes('decided by the gates')).toBe(isDecided);
      if (isDecided) expect(text).toContain(`${headline}\n`);
    }
    const asked = JSON.parse((await command(['show', id, '--json'])).out);
    expect(outcomeIn(asked.outcome)).toEqual(expected);
    const listed = (await command(['runs'])).out.trimEnd().split('\n').at(-1) ?? '';
    if (line !== undefined) expect(listed).toMatch(new RegExp(`  ${line}$`));
    if (holds.length > 0) expect(listed).toContain(`, exit ${code}: `);
    const [listing] = JSON.parse((await command(['runs', '--json'])).out).slice(-1);
    expect(listing.outcome.state).toBe(state);
    for (const one of await byStudio(folder, asked.run.id)) expect(one && outcomeIn(one)).toEqual(expected);
  });

  it('is printed by --json', async () => {
    const { command } = projectOf({ name: '', cases: { right: 5 }, gates: { pass_rate: 0.9 }, code: 3, headline: '' });
    const { code, out } = await command([...EVAL, '--json']);
    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({
      summary: { exitCode: 3 },
      outcome: {
        state: 'recorded',
        exitCode: 3,
        verdict: 'cannot-tell',
        headline: '5 passed of 5 cases; the gate cannot tell: exit 3',
        gates: [{ name: 'pass_rate', holds: null }],
      },
    });
  });
});

describe('a recorded outcome', { timeout: 60_000 }, () => {
  const gated = { name: '', cases: { right: 40 }, gates: { pass_rate: 0.9 }, code: 0, headline: '' };
  const scoring = (folder: string, id: string, file: string) => join(folder, 'runs', id, 'scorings', '1', file);
  const lastId = async (command: (args: readonly string[]) => Promise<Captured>): Promise<string> =>
    JSON.parse((await command(['show', 'last', '--json'])).out).run.id;

  it('names the baseline and a hash of its content', async () => {
    const { command } = projectOf({ ...gated, gates: undefined });
    await command(EVAL);
    await command(['baseline', 'set']);
    const first = await lastId(command);
    const outcomeOf = async (...args: readonly string[]) => {
      await command([...EVAL, '--baseline', ...args]);
      return JSON.parse((await command(['show', 'last', '--json'])).out).outcome.gates[0].baseline;
    };
    const byFile = await outcomeOf('baseline.json');
    expect(byFile).toEqual({ id: first, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    // The hash of a run is the hash of its baseline file.
    expect(await outcomeOf(first)).toEqual(byFile);
    writeFileSync('baseline.json', readFileSync('baseline.json', 'utf8').replace('"passed"', '"failed"'));
    expect((await outcomeOf('baseline.json')).hash).not.toBe(byFile.hash);
  });

  it('is reported as changed if it was edited', async () => {
    for (const edit of [
      (text: string) => text.replace('"exitCode": 0', '"exitCode": 1'),
      (text: string) => text.replace('"pass_rate"', '"pass_rat"'),
      (text: string) => text.replace('"passed": 40', '"passed": 41'),
      () => '{',
    ]) {
      const { folder, command } = projectOf(gated);
      expect((await command(EVAL)).code).toBe(0);
      const file = scoring(folder, await lastId(command), 'outcome.json');
      const text = readFileSync(file, 'utf8');
      expect(edit(text)).not.toBe(text);
      writeFileSync(file, edit(text));
      await isNotBelieved(command);
    }
  });

  it('is reported as changed if scores were edited, even if every verdict stays the same', async () => {
    const { folder, command } = projectOf({ ...gated, gates: { means: { response_match_score: 0.5 } } });
    expect((await command(EVAL)).code).toBe(0);
    const file = scoring(folder, await lastId(command), 'scores.jsonl');
    const text = readFileSync(file, 'utf8');
    // This score is only measured, so that no verdict depends on it.
    const edited = text.replace(/("tool_call_count_v1",[^\]]*"value":)0/, (_, before) => `${before}9`);
    expect(edited).toHaveLength(text.length);
    writeFileSync(file, edited);
    await isNotBelieved(command);
    // Resuming computes the outcome again from the scores.
    writeFileSync(file, text);
    expect((await command(['resume', 'last'])).code).toBe(0);
    expect(JSON.parse((await command(['show', 'last', '--json'])).out).outcome).toMatchObject({
      state: 'recorded',
      exitCode: 0,
    });
  });

  async function isNotBelieved(command: (args: readonly string[]) => Promise<Captured>) {
    const json = JSON.parse((await command(['show', 'last', '--json'])).out);
    expect(json.outcome).toMatchObject({ state: 'changed', exitCode: 3, verdict: 'error' });
    expect(json.summary.exitCode).toBe(3);
    expect((await command(['show', 'last'])).out).toContain('The outcome of this run is not believed');
    expect((await command(['report', 'last', '--format', 'markdown'])).out).toMatch(/^## 💥 error: .*not believed\n/);
    expect(ofJunit((await command(['report', 'last', '--format', 'junit'])).out).isGreen).toBe(false);
  }

  it('is missing if the run was killed before recording it, and is recorded on resume', async () => {
    const { folder, command } = projectOf(gated);
    await command(EVAL);
    const id = await lastId(command);
    rmSync(scoring(folder, id, 'outcome.json'));
    rmSync(scoring(folder, id, 'summary.json'));
    const { out } = await command(['show', 'last']);
    expect(out).toContain('The outcome of this run was not recorded');
    expect(out).toContain('Its gates (pass_rate) were not asked.');
    const json = JSON.parse((await command(['show', 'last', '--json'])).out);
    expect([json.summary.exitCode, json.outcome.exitCode, json.outcome.verdict]).toEqual([3, null, 'error']);
    expect(ofJunit((await command(['report', 'last', '--format', 'junit'])).out).isGreen).toBe(false);
    const markdown = (await command(['report', 'last', '--format', 'markdown'])).out;
    expect(markdown).toMatch(/^## 💥 error: 40 passed of 40 cases; outcome not recorded\n/);
    expect((await command(['runs'])).out).toContain('finished, outcome not recorded');
    expect((await command(['resume', 'last'])).code).toBe(0);
    expect(JSON.parse((await command(['show', 'last', '--json'])).out).outcome.headline).toBe(
      '40 passed of 40 cases; the gate holds: exit 0',
    );
  });

  it('is cannot-tell if the run is resumed without its --gate flags', async () => {
    const { command } = projectOf({ ...gated, gates: undefined });
    const flag = ['--gate', 'pass_rate=0.9'];
    expect((await command([...EVAL, ...flag])).code).toBe(0);
    const without = await command(['resume', 'last']);
    expect(without.err.replace(/\s+/g, ' ')).toContain(
      'this run was begun with the gate pass_rate, and is resumed without, so it cannot tell: repeat the --gate and --baseline flags',
    );
    expect(without.out).toContain('pass_rate cannot tell: the run was begun with this gate, but it was not asked');
    expect(without.code).toBe(3);
    const again = await command(['resume', 'last', ...flag]);
    expect([again.code, again.err]).toEqual([0, '']);
    // A new scoring pass has only the gates that it is given.
    expect((await command(['score', 'last'])).code).toBe(0);
  });

  it('is recorded for each scoring pass', async () => {
    const { command } = projectOf({ ...gated, cases: { right: 5 }, gates: undefined });
    expect((await command(EVAL)).code).toBe(0);
    expect((await command(['score', 'last', '--gate', 'pass_rate=0.9'])).code).toBe(3);
    const of = async (scoring: string) =>
      JSON.parse((await command(['show', 'last', '--json', '--scoring', scoring])).out).outcome.exitCode;
    expect([await of('1'), await of('2')]).toEqual([0, 3]);
  });

  it('is shown as "gates not recorded" for a run by an older version', async () => {
    const { folder, command } = projectOf({ ...gated, gates: undefined });
    await command(EVAL);
    const id = await lastId(command);
    rmSync(scoring(folder, id, 'outcome.json'));
    const plan = JSON.parse(readFileSync(scoring(folder, id, 'plan.json'), 'utf8'));
    writeFileSync(scoring(folder, id, 'plan.json'), JSON.stringify({ ...plan, gates: undefined }));
    for (const format of ['console', 'markdown', 'junit', 'json', 'html']) {
      const { out } = await command(['report', 'last', '--format', format]);
      expect([format, unescaped(out).includes('Gates not recorded')]).toEqual([format, true]);
    }
    expect((await command(['runs'])).out).toContain('finished, gates not recorded');
  });

  it('cannot be forged by text in cases', async () => {
    const name = 'right ::error::x\u001b[2J|<b>`@all`';
    const folder = folderOf({
      'agent.mjs': agent('false'),
      'home.evalset.json': {
        eval_set_id: 'home',
        eval_cases: [evalCase(name, [turn('right', { answer: 'right' })])],
      },
      'test_config.json': {
        criteria: { response_match_score: 1 },
        agent_criteria: { gates: { case_pass_rate: 0.8, means: { [name]: 1 } } },
      },
    });
    process.chdir(folder);
    const command = (...args: string[]) => capture([...args, '--runs_folder', join(folder, 'runs')], {});
    const { code, out } = await command(...EVAL);
    expect(code).toBe(3);
    const reports = [out];
    for (const format of ['console', 'markdown', 'junit']) {
      reports.push((await command('report', 'last', '--format', format)).out);
    }
    for (const text of reports) {
      expect(text).not.toContain('\u001b');
      expect(text).not.toMatch(/^::error/m);
    }
    expect(reports[2]).not.toMatch(/<b>|[^`]@all/);
  });
});
