// Long: runs the studio and the command side by side.
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Settings } from '@agent-criteria/project';
import { openRun } from '@agent-criteria/runner';
import { startStudio } from '@agent-criteria/studio';
import type { RunChoices, RunDetail, SetSummary } from '@agent-criteria/studio/api';
import { expect, it, onTestFinished } from 'vitest';
import { capture } from '../packages/cli/src/__fixtures__/captured-io.ts';
import { builtInCriteria, builtInProviders } from '../packages/cli/src/built-in-criteria.ts';
import { folderOf } from './folder.ts';
import { allRuns } from './runs.ts';

// A studio run and a command run must have the same verdicts, scores and exit code.

const examples = join(import.meta.dirname, '..', 'examples');

/** Copies an example to a new folder, because the studio stores results next to the agent. */
function copyOf(example: string): string {
  const [from, to] = [join(examples, example), join(folderOf({}), example.replaceAll('-', '_'))];
  mkdirSync(to);
  cpSync(from, to, { recursive: true, filter: (path) => basename(path) !== 'node_modules' });
  symlinkSync(join(from, 'node_modules'), join(to, 'node_modules'), 'junction');
  return to;
}

const AGENT = `export const rootAgent = (message) => {
  if (message === 'break') throw new Error('it broke');
  return message === 'lie' ? 'Something else entirely' : 'You said: ' + message;
};
`;

const turn = (text: string, expected: string | null) => ({
  user_content: { role: 'user', parts: [{ text }] },
  ...(expected === null ? {} : { final_response: { role: 'model', parts: [{ text: expected }] } }),
});

/** Creates a small project. @param texts The user messages, one per case. */
function small(texts: readonly string[], config: object): string {
  const cases = texts.map((text) => ({
    eval_id: text,
    conversation: [turn(text, text === 'quiet' ? null : `You said: ${text}`)],
  }));
  return join(
    folderOf({
      'echo/agent.mjs': AGENT,
      'echo/home.evalset.json': { eval_set_id: 'home', eval_cases: cases },
      'echo/test_config.json': config,
    }),
    'echo',
  );
}

async function byStudio(folder: string, chooses: boolean) {
  const settings: Settings = { runsFolder: join(folder, 'studio-runs') };
  const builtIn = { plugins: builtInCriteria, providers: builtInProviders };
  const studio = await startStudio({
    folder,
    port: 0,
    agentProcesses: false,
    environment: {},
    applyEnvironment: false,
    settings,
    builtIn,
  });
  onTestFinished(() => studio.close());
  const ask = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const headers = { authorization: `Bearer ${studio.token}` };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const answer = await fetch(`${studio.url}/api${path}`, init);
    const found = (await answer.json()) as Answer;
    expect([path, answer.status, answer.ok ? null : found]).toEqual([path, 200, null]);
    return found;
  };
  const [app = ''] = studio.apps;
  const sets = (await ask<readonly SetSummary[]>('GET', `/apps/${app}/sets`)).map(({ id }) => id);
  const of = async (set: string) => {
    const { criteria } = await ask<RunChoices>('GET', `/apps/${app}/sets/${set}/criteria`);
    // The dialog sends the entries of the config next to the set.
    return criteria.flatMap(({ name, chosen }) =>
      chosen === null ? [] : [{ metricName: name, threshold: chosen.threshold, criterion: chosen.options }],
    );
  };
  const requests = chooses
    ? await Promise.all(sets.map(async (set) => ({ app, sets: [set], metrics: await of(set) })))
    : [{ app }];
  const details: RunDetail[] = [];
  for (const request of requests) {
    const { id } = await ask<{ readonly id: string }>('POST', '/runs', request);
    const events = await fetch(`${studio.url}/api/runs/${id}/events`, {
      headers: { authorization: `Bearer ${studio.token}` },
    });
    expect(await events.text()).toContain('event: end\ndata: {}');
    details.push(await ask<RunDetail>('GET', `/runs/${id}`));
  }
  const codes = details.map(({ summary }) => summary.exitCode);
  // The exit code that a single run of all sets would have: a failure takes precedence over cases that were not
  // evaluated.
  const exitCode = codes.includes(1) ? 1 : Math.max(...codes);
  const cases = [];
  for (const { info } of details) cases.push(...(await judgedIn(join(settings.runsFolder ?? '', info.id))));
  return { exitCode, cases: cases.toSorted(byPlace) };
}

async function byCommand(folder: string) {
  const runs = join(folder, 'command-runs');
  const { code, err } = await capture(['eval', folder, '--runs_folder', runs]);
  const [run = ''] = existsSync(runs) ? readdirSync(runs) : [];
  expect(run, err).not.toBe('');
  return { exitCode: code, cases: (await judgedIn(join(runs, run))).toSorted(byPlace) };
}

/** Returns verdicts and the scores that decide them, without times and counts, which differ between runs. */
async function judgedIn(folder: string) {
  const cases = [];
  for await (const { result } of openRun(folder).cases()) {
    const { setId, caseId, verdict, reason = null, criteria } = result;
    const decided = criteria.filter(({ threshold }) => threshold !== null);
    cases.push({ place: `${setId} ${caseId}`, verdict, reason, criteria: decided });
  }
  return cases;
}

function byPlace(one: { readonly place: string }, other: { readonly place: string }): number {
  return one.place < other.place ? -1 : 1;
}

const all = ['home-automation', 'dice', 'museum-desk', 'judge-criterion', 'tiny-workbench'];

it.each(allRuns ? all : all.slice(0, 2))(
  'the example %s has the same results in the studio and with the command',
  async (example) => {
    const folder = copyOf(example);
    const command = await byCommand(folder);
    expect(command.cases.length).toBeGreaterThan(0);
    expect(command.cases.every(({ criteria }) => criteria.length > 0)).toBe(true);
    expect(await byStudio(folder, false)).toEqual(command);
    expect(await byStudio(folder, true)).toEqual(command);
  },
);

const match = { criteria: { response_match_score: 0.8 } };

it.each([
  ['0 if all pass', 0, ['hello', 'bye'], match],
  ['1 if one fails', 1, ['hello', 'lie'], match],
  ['3 if one has an error', 3, ['hello', 'break'], match],
  ['1 if one fails and one has an error', 1, ['lie', 'break'], match],
  ['3 if one could not be judged', 3, ['hello', 'quiet'], match],
  ['0 if criteria are only measured', 0, ['hello'], { criteria: {}, agent_criteria: { measure: ['token_usage_v1'] } }],
] as const)('the studio and the command agree on the exit code %s', async (_, code, texts, config) => {
  const folder = small(texts, config);
  const command = await byCommand(folder);
  expect(command.exitCode).toBe(code);
  expect(await byStudio(folder, false)).toEqual(command);
  expect(await byStudio(folder, true)).toEqual(command);
});
