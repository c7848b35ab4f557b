import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Captured, capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';

// Runs the command on files of Google's agents-cli, in folders as its scaffold and ADK's web page leave them.

/** Answers with the message, a value from the session's state, and the earlier messages. */
const agent = `export const agent = (text, { state, history }) => text + ' ' + (state.tier ?? '-') + ' ' + history.length;`;
const said = (role: string, text: string) => ({ role, parts: [{ text }] });
const seeded = {
  eval_case_id: 'tier',
  agent_data: {
    turns: [
      {
        turn_index: 0,
        events: [
          { author: 'user', state_delta: { tier: 'gold' } },
          { author: 'user', content: said('user', 'Hello') },
          { author: 'agent', content: said('model', 'Hello!') },
          { author: 'user', content: said('user', 'my tier?') },
        ],
      },
    ],
  },
  reference: { response: said('model', 'my tier? gold 1') },
};
const dataset = { eval_cases: [seeded] };

async function run(
  files: Readonly<Record<string, unknown>>,
  ...args: string[]
): Promise<Captured & { folder: string }> {
  const folder = folderOf({ 'agent.mjs': agent, ...files });
  const result = await capture(args.map((arg) => arg.replaceAll('DIR', folder)));
  return { ...result, folder };
}

describe('an agents-cli dataset', () => {
  it('is evaluated as is, with its state and history, and without a verdict on calls', async () => {
    const { code, out, err } = await run(
      { 'datasets/a-dataset.json': dataset },
      'eval',
      'DIR/agent.mjs',
      'DIR/datasets/a-dataset.json',
    );
    expect(out).toContain('1 passed of 1 case');
    expect(err).toContain('tool_trajectory_avg_score');
    expect(code).toBe(0);
  });

  it('produces the same run after it is migrated', async () => {
    const { folder } = await run({ 'a-dataset.json': dataset }, 'migrate', 'DIR/a-dataset.json', 'DIR/a.evalset.json');
    const written = JSON.parse(readFileSync(join(folder, 'a.evalset.json'), 'utf8'));
    expect(written.eval_cases[0]).toMatchObject({
      session_input: { state: { tier: 'gold' } },
      agent_criteria: { history: 1, calls_not_stated: [1] },
    });
    const { out, code } = await capture(['eval', join(folder, 'agent.mjs'), join(folder, 'a.evalset.json')]);
    expect(out).toContain('1 passed of 1 case');
    expect(code).toBe(0);
  });

  it('is rejected if data would be lost, with a list of that data and the command to run', async () => {
    const more = { eval_cases: [{ ...seeded, context: 'a page', responses: [] }] };
    const { code, err, folder } = await run({ 'a-dataset.json': more }, 'eval', 'DIR/agent.mjs', 'DIR/a-dataset.json');
    expect(code).toBe(2);
    const file = join(folder, 'a-dataset.json');
    expect(err).toContain(
      `agent-criteria migrate ${file} ${join(folder, 'a.evalset.json')} makes an eval set without it`,
    );
    expect(err).toContain('$.eval_cases[0].context: "context" has no place in an eval set, and would be left out');
    expect(err).toContain('$.eval_cases[0].responses');
    // Nothing is actually left out until the dataset is converted.
    expect(err).not.toContain('is left out');
    expect((await capture(['validate', file])).err).not.toContain('is left out');
    expect((await capture(['migrate', file, join(folder, 'a.evalset.json')])).err).toContain('and is left out');
  });

  it('is validated together with its config if the dataset is named', async () => {
    const files = { 'a-dataset.json': dataset, 'test_config.json': { criteria: { response_match_score: 7 } } };
    const { code, err } = await run(files, 'validate', 'DIR/a-dataset.json');
    expect(err).toContain('the threshold 7 is outside the range');
    expect(code).toBe(2);
  });
});

it('an agents-cli config is translated if its metrics correspond to criteria', async () => {
  const yaml =
    'metrics_to_run:\n  - final_response_match\n  - mine\ncustom_metrics:\n  - name: mine\n    custom_function_file: mine.py\n';
  const { code, out, err, folder } = await run(
    { 'eval_config.yaml': yaml },
    'migrate',
    'DIR/eval_config.yaml',
    'DIR/test_config.json',
  );
  expect(code).toBe(0);
  expect(out).toContain('1 criterion from ');
  expect(err).toContain('"mine" is a Python function');
  expect(err).toContain('agents-cli has no thresholds');
  expect(JSON.parse(readFileSync(join(folder, 'test_config.json'), 'utf8'))).toEqual({
    criteria: { final_response_match_v2: 0.8 },
  });
  const named = await capture([
    'eval',
    join(folder, 'agent.mjs'),
    join(folder, 'a.evalset.json'),
    '--config-file-path',
    join(folder, 'eval_config.yaml'),
  ]);
  expect(named.code).toBe(2);
  expect(existsSync(join(folder, '.agent-criteria'))).toBe(false);
});

it.each([
  ['metrics: [safety]', 'unknown key "metrics"; did you mean "metrics_to_run"?'],
  [
    'metric_to_run: [safety]\ncustom_metrics: []',
    'unknown key "metric_to_run": it is left out; did you mean "metrics_to_run"?',
  ],
  ['metrics_to_run: [safty]', 'no criterion corresponds to "safty": it is left out; did you mean "safety"?'],
  [
    'metrics_to_run: [mine]\nnotes: 1',
    'unknown key "notes": it is left out; a config of agents-cli has metrics_to_run and custom_metrics',
  ],
])('migrate and validate report a mistake in an agents-cli config, with the command: %s', async (yaml, told) => {
  const migrated = await run({ 'eval_config.yaml': yaml }, 'migrate', 'DIR/eval_config.yaml', 'DIR/test_config.json');
  expect(migrated.err).toContain(told);
  expect(migrated.code).toBe(2);
  const file = join(migrated.folder, 'eval_config.yaml');
  const validated = await capture(['validate', file]);
  expect(validated.err).toContain(told);
  expect(validated.err).toContain(`agent-criteria migrate ${file}`);
  expect(validated.err).not.toContain('ADK ignores it');
});

it('migrate writes a config that a run would reject, with a warning that says why', async () => {
  const files = {
    'eval_config.yaml': 'metrics_to_run: [final_response_quality]',
    'a.evalset.json': evalSet('a', evalCase('a', turn('Hi', 'Hi'))),
  };
  const migrated = await run(files, 'migrate', 'DIR/eval_config.yaml', 'DIR/test_config.json');
  const { folder } = migrated;
  expect(migrated.code).toBe(0);
  expect(migrated.err).toContain('test_config.json: a run with this config would be refused, for the reasons below');
  const refused = await capture(['eval', join(folder, 'agent.mjs'), join(folder, 'a.evalset.json')]);
  expect(refused.code).toBe(2);
  const reason = 'applies to no case of the eval set "a"';
  expect(refused.err).toContain(reason);
  expect(migrated.err).toContain(reason);
  const fine = await run(
    { 'eval_config.yaml': 'metrics_to_run: [final_response_match]' },
    'migrate',
    'DIR/eval_config.yaml',
    'DIR/test_config.json',
  );
  expect(fine.err).not.toContain('refused');
});

describe('an eval set without cases', () => {
  const empty = { eval_set_id: 'fresh', eval_cases: [] };
  const full = evalSet('full', evalCase('a', turn('Hi', 'Hi - 0')));
  const files = { 'ag/fresh.evalset.json': empty, 'ag/full.evalset.json': full };

  it('causes only a warning if its folder contains another set', async () => {
    const { code, out, err } = await run(files, 'validate', 'DIR/ag');
    expect(err).toContain('fresh.evalset.json $.eval_cases: the set has no case');
    expect(out).toContain('fresh.evalset.json: eval set, 0 cases');
    expect(code).toBe(0);
  });

  it('does not keep the other sets in its folder from being evaluated', async () => {
    const { code, out, err } = await run(files, 'eval', 'DIR/agent.mjs', 'DIR/ag');
    expect(err).toContain('the set has no case, so nothing of it is evaluated');
    expect(out).toContain('1 passed of 1 case');
    expect(code).toBe(0);
    const chosen = await run(files, 'eval', 'DIR/agent.mjs', 'DIR/ag', '--case', 'a');
    expect(chosen.code).toBe(0);
  });

  it('is a mistake if it is named or is the only set', async () => {
    const named = await run(files, 'validate', 'DIR/ag/fresh.evalset.json');
    const evaluated = await run(
      files,
      'eval',
      'DIR/agent.mjs',
      'DIR/ag/fresh.evalset.json',
      'DIR/ag/full.evalset.json',
    );
    const alone = await run({ 'ag/fresh.evalset.json': empty }, 'validate', 'DIR/ag');
    const nothing = await run({ 'ag/fresh.evalset.json': empty }, 'eval', 'DIR/agent.mjs', 'DIR/ag');
    expect([named, evaluated, alone, nothing].map(({ code }) => code)).toEqual([2, 2, 2, 2]);
  });
});

describe('messages about folders', () => {
  const set = evalSet('s', evalCase('a', turn('Hi', 'Hi')));

  it('name an unknown key of a config, with a remedy', async () => {
    const config = { criteria: { response_match_score: 0.5 }, evaluation_settings: { parallel: true } };
    const { err, code } = await run({ 'test_config.json': config }, 'validate', 'DIR/test_config.json');
    expect(err).toContain('unknown key "evaluation_settings"');
    expect(err).toContain('ADK ignores it: remove it, or call it "_evaluation_settings"');
    expect(code).toBe(2);
  });

  it('report an ambiguous config once, even if it affects several sets', async () => {
    const configs = Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map((n) => [`ag/e${n}_test_config.json`, { criteria: { response_match_score: 0.1 * n } }]),
    );
    const { err } = await run(
      { ...configs, 'ag/a.evalset.json': set, 'ag/b.evalset.json': { ...set, eval_set_id: 't' } },
      'validate',
      'DIR/ag',
    );
    expect(err.split('\n').filter((line) => line.includes('several files could be it'))).toHaveLength(1);
    expect(err).toContain('e1_test_config.json, e2_test_config.json');
  });

  it('name the expected keys if a string is written instead of an object', async () => {
    const rubrics = evalSet('r', { ...evalCase('a', turn('Hi', 'Hi')), rubrics: ['It is kind.'] } as never);
    const { err } = await run({ 'a.evalset.json': rubrics }, 'validate', 'DIR/a.evalset.json');
    expect(err).toContain('expected an object with "rubric_id" and "rubric_content", found the text "It is kind."');
  });

  it('report missing variables once per config', async () => {
    const judged = { criteria: { final_response_match_v2: 0.8, hallucinations_v1: 0.5 } };
    const { err, out } = await run(
      { 'ag/a.evalset.json': set, 'ag/b.evalset.json': { ...set, eval_set_id: 't' }, 'ag/test_config.json': judged },
      'validate',
      'DIR/ag',
    );
    const lines = err.split('\n').filter((line) => line.includes('cannot be called'));
    expect(lines).toEqual([expect.stringMatching(/final_response_match_v2, .*hallucinations_v1: the model/)]);
    expect(out).toContain('no mistakes, 1 warning\n');
  });
});
