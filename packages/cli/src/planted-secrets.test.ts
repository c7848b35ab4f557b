// Long: starts the command many times.
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { plantedEnvironment, plantedForms, plantedLines, plantedNumber } from '../../../test/planted-secrets.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';
import { BIN, startNode } from './__fixtures__/spawned.ts';

// Plants every known form of secret wherever text can reach a file, a report or a terminal.

const all = plantedForms.map(({ name, text }) => `${name}: ${text}`).join('\n\n');

/** The places where the agent and its judges mention all secrets. */
const places = [
  'the text of an answer',
  'a thought',
  'the name of a tool',
  'a key among the arguments of a tool',
  'an argument of a tool',
  'JSON inside an argument of a tool',
  'a number among the arguments of a tool',
  'a list of lines among the arguments of a tool',
  'the response of a tool',
  'an event on the way',
  'the state at the end',
  'a key of the state',
  'an error of the agent',
  'the cause of an error',
  'an uncaught error',
  'an unhandled rejection',
  'the reasoning of a judge',
  'the refusal of a judge',
  'the error of a criterion',
  'the settings of a judge',
  'the reason of a label',
  'a session that becomes a case',
  'an agent that cannot be loaded',
] as const;

const agent = `import { readFileSync } from 'node:fs';
const { environment, all, lines, number } = JSON.parse(readFileSync(new URL('planted.json', import.meta.url), 'utf8'));
const { DB_PASSWORD, ...others } = environment;
Object.assign(process.env, others);
export const agent = async (text, { state }) => {
  process.env.DB_PASSWORD = DB_PASSWORD;
  if (text === 'break') throw new Error(all, { cause: new Error(all) });
  if (text === 'stray') {
    Promise.reject(new Error(all));
    setTimeout(() => { throw new Error(all); }, 1);
    await new Promise((done) => setTimeout(done, 20));
  }
  state.all = all;
  state[all] = 1;
  const args = { all, [all]: true, json: JSON.stringify({ all }), number, lines };
  return {
    userContent: { role: 'user', parts: [{ text }] },
    finalResponse: { role: 'model', parts: [{ text: all }, { text: all, thought: true }] },
    intermediateData: {
      toolUses: [{ id: '1', name: 'look ' + all, args }],
      toolResponses: [{ id: '1', name: 'look', response: { output: JSON.stringify({ all }), all } }],
      intermediateResponses: [['desk', [{ text: all }]]],
    },
  };
};`;
const metric = `import { readFileSync } from 'node:fs';
export function telling() {
  throw new Error(JSON.parse(readFileSync(new URL('planted.json', import.meta.url), 'utf8')).all);
}`;

function leftIn(text: string): readonly string[] {
  const left = plantedForms.filter(({ secrets }) => secrets.some((secret) => text.includes(secret)));
  return left.map(({ name }) => name);
}

/**
 * Starts a judge that mentions all secrets in its answers, and in the error with which it rejects every second request.
 */
async function startJudge(): Promise<string> {
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      requests += 1;
      const content = JSON.stringify({ reasoning: all, is_the_agent_response_valid: 'valid' });
      const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }];
      const refused = requests % 2 === 0;
      response.writeHead(refused ? 400 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(refused ? { error: { message: all } } : { id: 'x', model: 'x', choices }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

it(`secrets in ${plantedForms.length} forms and ${places.length} places appear in no file, answer or line of output`, {
  timeout: 120_000,
}, async () => {
  expect(plantedForms.length).toBeGreaterThanOrEqual(40);
  expect(places.length).toBeGreaterThanOrEqual(20);
  const judge = { judge_model: 'openai/x', judge_model_config: { user: all, metadata: { inner: [all] } } };
  const config = {
    criteria: {
      final_response_match_v2: { threshold: 0.5, judge_model_options: judge },
      telling: 0.5,
    },
    custom_metrics: { telling: { code_config: { name: './metric.mjs#telling' } } },
  };
  const session = {
    id: 's',
    appName: 'x',
    userId: 'u',
    state: {},
    events: [
      { author: 'user', invocationId: 'i', content: { role: 'user', parts: [{ text: `Use ${all}` }] } },
      { author: 'x', invocationId: 'i', content: { role: 'model', parts: [{ text: all }] } },
    ],
  };
  const inputs = {
    'agent.mjs': agent,
    'metric.mjs': metric,
    'planted.json': { environment: plantedEnvironment, all, lines: plantedLines, number: plantedNumber },
    'a.evalset.json': evalSet(
      'a',
      evalCase('told', turn('Hi', 'Hello')),
      evalCase('broken', turn('break', 'Hello')),
      evalCase('stray', turn('stray', 'Hello')),
    ),
    'test_config.json': config,
    'session.json': session,
    'broken/agent.mjs': metric.replace('export function telling() {', '{'),
    'broken/planted.json': { all },
  };
  const folder = folderOf(inputs);
  const url = await startJudge();
  const outputs: Record<string, string> = {};
  const command = async (...args: readonly string[]): Promise<string> => {
    const started = startNode([BIN, ...args], folder, {
      ...process.env,
      ...plantedEnvironment,
      OPENAI_BASE_URL: url,
      OPENAI_API_KEY: 'x',
    });
    const { code, out, err } = await started.ended;
    outputs[`${args.join(' ')}, exit ${code}`] = `${out}\n${err}`;
    return out;
  };
  const reports = ['r.html', 'r.json', 'r.xml', 'r.md', 'r.csv', 'r.txt', 'r.evalset_result.json'];
  await command(
    'eval',
    'agent.mjs',
    'a.evalset.json',
    '--print-detailed-results',
    '--max-retries',
    '0',
    ...reports.flatMap((file) => ['--output', file]),
  );
  await command('show', 'last', 'told');
  await command('score', 'last', '--json', '--max-retries', '0');
  const reason = `"${all.replaceAll('"', '""')}"`;
  const row = `a,told,1,1,final_response_match_v2,pass,${reason}`;
  writeFileSync(join(folder, 'mine.csv'), `eval_set_id,eval_id,repeat,turn,metric_name,label,reason\r\n${row}\r\n`);
  const criterion = ['--criterion', 'final_response_match_v2'];
  expect(await command('label', 'last', '--by', 'me', ...criterion, '--import', 'mine.csv')).toMatch(
    /^Imported 1 label/,
  );
  expect(await command('label', 'last', '--by', 'me', ...criterion, '--import', 'mine.csv')).toContain(
    'were there already',
  );
  await command('label', 'last', '--by', 'me', ...criterion, '--export', 'labels.csv');
  await command('calibrate', 'last');
  // The judge's settings are masked in the plan but still identify the same judge, also in plans by older versions.
  const [run = ''] = readdirSync(join(folder, '.agent-criteria/runs'));
  const planFile = join(folder, '.agent-criteria/runs', run, 'scorings/2/plan.json');
  const kept = readFileSync(planFile, 'utf8');
  const unmasked = JSON.parse(kept);
  unmasked.sets[0].criteria[0].options.judgeModelOptions.judgeModelConfig = judge.judge_model_config;
  for (const plan of [kept, JSON.stringify(unmasked)]) {
    writeFileSync(planFile, plan);
    await command('resume', 'last');
    expect(Object.values(outputs).at(-1)).not.toMatch(/have changed|RUN_CHANGED/);
    expect(Object.keys(outputs).at(-1)).toBe('resume last, exit 3');
  }
  writeFileSync(planFile, kept);
  await command('eval-set', 'add-session', 'agent.mjs', 'a', 'session.json', '--eval-id', 'added', '--no-matchers');
  await command('eval', 'broken/agent.mjs', 'a.evalset.json');
  for (const [what, text] of Object.entries(outputs)) expect(leftIn(text), what).toEqual([]);
  expect(Object.values(outputs)[0]).toMatch(
    /An uncaught error outside of any turn:\nError: a value: \[masked: SHOP_API_KEY\]/,
  );
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((name) => name === 'a.evalset.json' || !(name in inputs || name === 'mine.csv'));
  const masked: string[] = [];
  for (const name of files) {
    const text = readFileSync(join(folder, name), 'utf8');
    expect(leftIn(text), name).toEqual([]);
    if (text.includes('[masked: ODD_SECRET]')) masked.push(name.replace(/^.*runs\/[^/]+\//, ''));
  }
  expect(masked).toEqual(
    expect.arrayContaining([
      'a.evalset.json',
      'labels.csv',
      'inferences.jsonl',
      'scorings/1/plan.json',
      'scorings/1/scores.jsonl',
      'scorings/2/labels.jsonl',
      ...reports,
    ]),
  );
});
