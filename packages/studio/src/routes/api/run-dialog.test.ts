import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mistakeInSetting } from '@agent-criteria/project/config';
import { describe, expect, it } from 'vitest';
import { echoAgent, homeFiles, homeSet, studioOf, type TestStudio } from '../../__fixtures__/running-studio.ts';
import type { AskedMetric, LostUpdate, RunChoices, RunDetail, RunEstimate, RunNeeds, SavedConfig } from '../../api.ts';

const SET = '/api/apps/echo/sets/home';

const scenario = {
  eval_id: 'led',
  conversation_scenario: { starting_prompt: 'Hi', conversation_plan: 'Ask for a table.', user_persona: 'NOVICE' },
};
const mixedSet = { ...homeSet, eval_cases: [...homeSet.eval_cases, scenario] };
const mixedFiles = { 'echo/agent.mjs': echoAgent, 'echo/home.evalset.json': mixedSet };
const configFile = ({ folder }: TestStudio) => join(folder, 'echo/test_config.json');
const choicesOf = async ({ json }: TestStudio) => (await json('GET', `${SET}/criteria`)).body as RunChoices;

async function needsOf({ json }: TestStudio, metrics: readonly AskedMetric[], more: object = {}): Promise<RunNeeds> {
  const { status, body } = await json('POST', `${SET}/needs`, { metrics, ...more });
  expect([status, body]).toEqual([200, expect.any(Object)]);
  return body as RunNeeds;
}

const COMMENTED = `{
  // Low on purpose: the agent answers in short.
  "criteria": {
    "response_match_score": 0.5, // as agreed
  },
}
`;

const metric = (metricName: string, criterion: Readonly<Record<string, unknown>> = {}): AskedMetric => ({
  metricName,
  threshold: 0.8,
  criterion,
});

describe('the choices for a run', () => {
  it('include settings, the simulated user, and presets that fit the cases', async () => {
    const config = { concurrency: { agents: 2 }, repeats: 3 };
    const studio = await studioOf({ ...mixedFiles, 'echo/agent-criteria.config.json': config });
    const choices = await choicesOf(studio);
    expect(choices).toMatchObject({
      cases: 3,
      scenarios: 1,
      config: null,
      settings: {
        repeats: { value: 3, description: expect.stringMatching(/each case/) },
        concurrency: { value: 2 },
      },
      userSimulator: null,
      variants: [],
    });
    expect(choices.simulators.map(({ type }) => type)).toContain('llm_backed');
    const [llm] = choices.simulators;
    expect(Object.keys(llm?.schema.properties as object)).toEqual(
      expect.arrayContaining(['model', 'maxAllowedInvocations', 'stopSignal', 'customInstructions']),
    );
    const ci = choices.presets.find(({ name }) => name === 'ci');
    expect(ci?.description).toMatch(/CI/);
    // In a mixed set, criteria skip the cases that they do not fit.
    expect(ci?.metrics).toEqual([
      { metricName: 'tool_trajectory_avg_score', threshold: 1, criterion: { when_not_applicable: 'skip' } },
      { metricName: 'response_match_score', threshold: 0.8, criterion: { when_not_applicable: 'skip' } },
    ]);
    expect(choices.presets.map(({ name }) => name)).toContain('simulated-users');
    expect((await choicesOf(await studioOf())).presets.map(({ name }) => name)).not.toContain('simulated-users');
  });

  it('come from the config in effect, even if the project config names it', async () => {
    const studio = await studioOf({
      ...homeFiles,
      'echo/agent-criteria.config.json': { config: './judges/strict.json' },
      'echo/judges/strict.json': { criteria: { response_match_score: 0.3 }, plugins: [] },
    });
    const choices = await choicesOf(studio);
    expect(choices.config).toBe(join('judges', 'strict.json'));
    expect(choices.criteria.flatMap(({ name, chosen }) => (chosen === null ? [] : [[name, chosen.threshold]]))).toEqual(
      [['response_match_score', 0.3]],
    );
  });
});

describe('the needs of a run', () => {
  it('are listed by criterion, each with a remedy', async () => {
    const studio = await studioOf();
    const { run, criteria } = await needsOf(studio, [
      metric('response_match_score'),
      metric('final_response_match_v2'),
      metric('safety_v1'),
      metric('rubric_based_tool_use_quality_v1'),
      metric('hallucinations_v1', { judge_model_options: { judge_model: 'nobodys-model' } }),
      metric('tool_trajectory_avg_score', { match_type: 'SOMETIMES' }),
    ]);
    expect(run).toEqual({ problems: [], unwritten: [], asks: [] });
    const said = (name: string) => criteria[name]?.problems.join('\n');
    expect(said('response_match_score')).toBe('');
    expect(said('final_response_match_v2')).toMatch(/GEMINI_API_KEY|GOOGLE_API_KEY/);
    expect(said('safety_v1')).toMatch(/GOOGLE_CLOUD_PROJECT/);
    expect(criteria.rubric_based_tool_use_quality_v1?.unwritten.join()).toMatch(/rubric/);
    expect(said('hallucinations_v1')).toMatch(/nobodys-model/);
    expect(said('tool_trajectory_avg_score')).toMatch(/match_type|SOMETIMES/);
  });

  it("list no problem if the key is set, and name the key's source but never its value", async () => {
    const studio = await studioOf(homeFiles, { environment: { GEMINI_API_KEY: 'hush-hush' } });
    const { criteria } = await needsOf(studio, [metric('final_response_match_v2')]);
    expect(criteria.final_response_match_v2?.problems).toEqual([]);
    expect(criteria.final_response_match_v2?.asks.join()).toMatch(/gemini-2\.5-flash.*GEMINI_API_KEY/);
    expect(JSON.stringify(criteria)).not.toContain('hush');
    const other = await needsOf(studio, [metric('final_response_match_v2')], { judgeModel: 'nobodys-model' });
    expect(other.criteria.final_response_match_v2?.problems.join()).toMatch(/nobodys-model/);
  });

  it('list problems of the simulated user once, not for every criterion', async () => {
    const studio = await studioOf(mixedFiles);
    const { run, criteria } = await needsOf(studio, [metric('response_match_score', { when_not_applicable: 'skip' })], {
      userSimulator: { maxAllowedInvocations: 3 },
    });
    expect(run.problems.join('\n')).toMatch(/GEMINI_API_KEY|GOOGLE_API_KEY/);
    expect(criteria.response_match_score?.problems).toEqual([]);
    const judged = await needsOf(studio, [metric('hallucinations_v1')]);
    expect(judged.criteria.hallucinations_v1?.problems.join('\n')).toMatch(/GEMINI_API_KEY|GOOGLE_API_KEY/);
    const wrong = await needsOf(studio, [metric('response_match_score')], {
      userSimulator: { maxAllowedInvocation: 3 },
    });
    expect(wrong.run.problems.join('\n')).toMatch(/max_?allowed_?invocation/i);
  });
});

describe('a config saved for a set', () => {
  it('contains the chosen criteria, options and simulated user, and keeps everything else', async () => {
    const stubs = [{ tool_name: 'look_up', injection_configs: [{ injected_response: { found: 1 } }] }];
    const studio = await studioOf({
      ...mixedFiles,
      'echo/test_config.json': {
        criteria: { response_match_score: { threshold: 0.5, language: 'de' } },
        user_simulator_config: { type: 'llm_backed', model: 'gemini-2.5-pro' },
        agent_criteria: { measure: ['token_usage_v1'], tool_simulation_configs: stubs },
      },
    });
    const before = await choicesOf(studio);
    expect(before.userSimulator).toEqual({ type: 'llm_backed', model: 'gemini-2.5-pro' });
    const saved = await studio.json(
      'PUT',
      `${SET}/config`,
      {
        metrics: [{ metricName: 'response_match_score', threshold: 0.7, criterion: { when_not_applicable: 'skip' } }],
        userSimulator: { type: 'llm_backed', model: 'gemini-2.5-pro', max_allowed_invocations: 4 },
      },
      before.version,
    );
    expect(saved.status).toBe(200);
    // The removed option and the removed informational criterion are gone.
    expect(JSON.parse(readFileSync(configFile(studio), 'utf8'))).toEqual({
      criteria: { response_match_score: { when_not_applicable: 'skip', threshold: 0.7 } },
      user_simulator_config: { type: 'llm_backed', model: 'gemini-2.5-pro', max_allowed_invocations: 4 },
      agent_criteria: { tool_simulation_configs: stubs },
    });
    expect((saved.body as RunChoices).userSimulator).toMatchObject({ max_allowed_invocations: 4 });
  });

  it('is written next to the set, with rebased paths, if the config was elsewhere', async () => {
    const studio = await studioOf({
      ...homeFiles,
      'echo/agent-criteria.config.json': { config: './judges/strict.json' },
      'echo/judges/strict.json': {
        criteria: { response_match_score: 0.3, tone: 0.5 },
        custom_metrics: { tone: { code_config: { name: './own.mjs#tone' } } },
      },
      'echo/judges/own.mjs':
        'export const tone = (metric, actual) => ({ perInvocationResults: actual.map(() => ({ score: 1 })) });',
    });
    const { criteria } = await choicesOf(studio);
    expect(criteria.find(({ name }) => name === 'tone')).toMatchObject({ chosen: { threshold: 0.5 } });
    const strict = readFileSync(join(studio.folder, 'echo/judges/strict.json'), 'utf8');
    const metrics = [{ metricName: 'tone', threshold: 0.4, criterion: {} }];
    expect((await studio.json('PUT', `${SET}/config`, { metrics }, '*')).status).toBe(200);
    expect(JSON.parse(readFileSync(configFile(studio), 'utf8'))).toEqual({
      criteria: { tone: 0.4 },
      custom_metrics: { tone: { code_config: { name: './judges/own.mjs#tone' } } },
    });
    expect((await choicesOf(studio)).config).toBe('test_config.json');
    expect(readFileSync(join(studio.folder, 'echo/judges/strict.json'), 'utf8')).toBe(strict);
  });

  it('is rejected with the path of each mistake', async () => {
    const one = (name: string, threshold: number, criterion: object = {}) => ({
      metrics: [{ metricName: name, threshold, criterion }],
    });
    const mistakes = [
      [{ metrics: [] }, /at least one metric/],
      [{ metrics: 'all' }, /list/],
      [{ metrics: [metric('response_match_score')], userSimulator: 1 }, /object/],
      [one('response_match_score', -5), /threshold.*-5/],
      [one('response_match_score', 7), /threshold.*7/],
      [one('nope', 0.5), /nope/],
      [one('__proto__', 0.5), /__proto__/],
      [one('response_match_score', 0.5, { zzz: 1 }), /zzz/],
      [one('response_match_score', 0.5, JSON.parse('{ "__proto__": { "x": 1 } }')), /__proto__/],
      [one('tool_trajectory_avg_score', 0.5, { match_type: 'SOMETIMES' }), /match_type/],
      [one('rubric_based_final_response_quality_v1', 0.5), /rubric/],
    ] as const;
    for (const files of [homeFiles, { ...homeFiles, 'echo/test_config.json': COMMENTED }]) {
      const studio = await studioOf(files);
      const text = () => (existsSync(configFile(studio)) ? readFileSync(configFile(studio), 'utf8') : null);
      const before = text();
      for (const [body, why] of mistakes) {
        const refused = await studio.json('PUT', `${SET}/config`, body, '*');
        expect([400, 422], JSON.stringify(refused)).toContain(refused.status);
        expect(JSON.stringify(refused.body)).toMatch(why);
        expect(text()).toBe(before);
      }
    }
  });

  it('may require a key that is not set here', async () => {
    const studio = await studioOf();
    const body = { metrics: [metric('final_response_match_v2')] };
    expect((await studio.json('PUT', `${SET}/config`, body, '*')).status).toBe(200);
  });

  it('keeps comments and layout, and changes only the choices', async () => {
    const studio = await studioOf({ ...homeFiles, 'echo/test_config.json': COMMENTED });
    const { version, notes } = await choicesOf(studio);
    expect(notes).toEqual([]);
    const body = { metrics: [{ metricName: 'response_match_score', threshold: 0.7, criterion: {} }] };
    expect((await studio.json('PUT', `${SET}/config`, body, version)).status).toBe(200);
    expect(readFileSync(configFile(studio), 'utf8')).toBe(COMMENTED.replace('0.5', '0.7'));
    const python = await studioOf({ ...homeFiles, 'echo/test_config.json': COMMENTED.replaceAll('//', '#') });
    expect((await choicesOf(python)).notes).toEqual([expect.stringMatching(/comments.*without them/)]);
  });

  it('is not written if the file has changed since it was read, even by another program', async () => {
    const studio = await studioOf({ ...homeFiles, 'echo/test_config.json': COMMENTED });
    const [first, second] = [await choicesOf(studio), await choicesOf(studio)];
    const save = (threshold: number, version: string) =>
      studio.json('PUT', `${SET}/config`, { metrics: [{ metricName: 'response_match_score', threshold }] }, version);
    expect((await save(0.6, first.version)).status).toBe(200);
    const refused = await save(0.7, second.version);
    expect(refused).toMatchObject({
      status: 412,
      body: { detail: expect.stringMatching(/changed elsewhere/), theirs: { config: 'test_config.json' } },
    });
    const { version, theirs } = refused.body as LostUpdate<RunChoices>;
    expect(theirs.criteria.find(({ name }) => name === 'response_match_score')?.chosen?.threshold).toBe(0.6);
    expect((await save(0.7, version)).status).toBe(200);
    // Simulates another program.
    const { version: seen } = await choicesOf(studio);
    writeFileSync(configFile(studio), COMMENTED.replace('0.5', '0.1'));
    expect((await save(0.8, seen)).status).toBe(412);
    expect(readFileSync(configFile(studio), 'utf8')).toContain('0.1');
    // A file created in the meantime is not overwritten either.
    rmSync(configFile(studio));
    const { version: none } = await choicesOf(studio);
    const answers = await Promise.all([0.2, 0.3, 0.4].map((threshold) => save(threshold, none)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
  });

  it('can be undone unless it has changed again', async () => {
    const studio = await studioOf({ ...homeFiles, 'echo/test_config.json': COMMENTED });
    const save = async (threshold: number) => {
      const body = { metrics: [{ metricName: 'response_match_score', threshold }] };
      return ((await studio.json('PUT', `${SET}/config`, body, '*')).body as SavedConfig).undo;
    };
    const undo = async (id: string) => (await studio.json('POST', `/api/deletions/${id}/undo`)).status;
    const [first, second] = [await save(0.6), await save(0.7)];
    expect(await undo(first)).toBe(409);
    expect(readFileSync(configFile(studio), 'utf8')).toContain('0.7');
    expect([await undo(second), await undo(first), await undo(first)]).toEqual([200, 200, 404]);
    expect(readFileSync(configFile(studio), 'utf8')).toBe(COMMENTED);
    rmSync(configFile(studio));
    expect(await undo(await save(0.9))).toBe(200);
    expect(existsSync(configFile(studio))).toBe(false);
  });

  it('is rejected if another set in the folder could no longer run with it', async () => {
    const led = { eval_set_id: 'led', eval_cases: [scenario] };
    const studio = await studioOf(
      { ...homeFiles, 'echo/led.evalset.json': led, 'echo/test_config.json': { criteria: { hallucinations_v1: 0.5 } } },
      { environment: { GEMINI_API_KEY: 'k' } },
    );
    const save = (name: string) => studio.json('PUT', `${SET}/config`, { metrics: [metric(name)] }, '*');
    expect(await save('response_match_score')).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/judges the set `led` too.*\n.*response_match_score/) },
    });
    expect((await save('safety_v1')).status).toBe(200);
  });

  it.skipIf(process.platform === 'win32')('is written through a link, but never outside the folder', async () => {
    const studio = await studioOf({ ...homeFiles, 'echo/configs/one.json': COMMENTED, 'outside.json': COMMENTED });
    const body = { metrics: [{ metricName: 'response_match_score', threshold: 0.7 }] };
    const put = async () => (await studio.json('PUT', `${SET}/config`, body, '*')).status;
    symlinkSync('configs/one.json', configFile(studio));
    expect(await put()).toBe(200);
    expect(readFileSync(join(studio.folder, 'echo/configs/one.json'), 'utf8')).toContain('0.7');
    expect(lstatSync(configFile(studio)).isSymbolicLink()).toBe(true);
    for (const outside of ['../outside.json', '../nothing-yet.json']) {
      rmSync(configFile(studio));
      symlinkSync(outside, configFile(studio));
      expect([400, 404]).toContain(await put());
    }
    expect(readFileSync(join(studio.folder, 'outside.json'), 'utf8')).toBe(COMMENTED);
    expect(existsSync(join(studio.folder, 'nothing-yet.json'))).toBe(false);
  });
});

describe('a run started from the dialog', () => {
  it('is rejected with errors about the choices, not about the generated file', async () => {
    const { json } = await studioOf();
    const body = { app: 'echo', sets: ['home'], metrics: [metric('final_response_match_v2')] };
    for (const path of ['/api/estimate', '/api/runs']) {
      const refused = await json('POST', path, body);
      expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/API_KEY/) } });
      expect(JSON.stringify(refused.body)).not.toContain('.config.json');
    }
  });

  const other = `export const rootAgent = () => 'Farewell';
    export const shouting = (message) => 'YOU SAID: ' + message.toUpperCase();
  `;
  const metrics = [{ metricName: 'response_match_score', threshold: 0.8, criterion: {} }];

  it('can have several agents and a concurrency, both of which are reflected in its estimate', async () => {
    const studio = await studioOf({ ...homeFiles, 'other/agent.mjs': other });
    const variants = [
      { name: 'now', app: 'echo' },
      { name: 'loud', app: 'other', agentName: 'shouting' },
      { name: 'next', app: 'other' },
    ];
    const body = { app: 'echo', sets: ['home'], metrics, variants, repeats: 2, concurrency: 1 };
    const estimate = (await studio.json('POST', '/api/estimate', body)).body as RunEstimate;
    expect(estimate).toMatchObject({ cases: 2, repeats: 2, variants: 3, total: { calls: { min: 0, max: 0 } } });
    const { id } = (await studio.json('POST', '/api/runs', body)).body as { id: string };
    await (await studio.ask(`/api/runs/${id}/events`)).text();
    const { info, summary } = (await studio.json('GET', `/api/runs/${id}`)).body as RunDetail;
    expect(info.variants).toHaveLength(3);
    expect(summary.total).toBe(6);
    const cases = (await studio.json('GET', `/api/runs/${id}/cases?variant=next`)).body;
    expect(cases).toMatchObject({
      items: [
        { caseId: 'greets', verdict: 'failed' },
        { caseId: 'a/b c', verdict: 'passed' },
      ],
    });
  });

  it('can run any agent of the studio on eval sets that have none', async () => {
    const studio = await studioOf({ ...homeFiles, 'sets/only.evalset.json': homeSet });
    const body = { app: 'sets', sets: ['only'], metrics };
    expect(await studio.json('POST', '/api/estimate', body)).toEqual({
      status: 400,
      body: { detail: 'App `sets` has eval sets, but no agent of its own. Choose one of echo.' },
    });
    for (const more of [
      { agent: 'sets' },
      { agent: '../etc' },
      { agent: 'echo', variants: [{ name: 'a', app: 'echo' }] },
    ]) {
      expect((await studio.json('POST', '/api/runs', { ...body, ...more })).status, JSON.stringify(more)).toBe(422);
    }
    const started = { ...body, agent: 'echo' };
    expect((await studio.json('POST', '/api/estimate', started)).body).toMatchObject({ cases: 2 });
    const { id } = (await studio.json('POST', '/api/runs', started)).body as { id: string };
    await (await studio.ask(`/api/runs/${id}/events`)).text();
    expect((await studio.json('GET', `/api/runs/${id}`)).body).toMatchObject({
      app: 'echo',
      places: [{ runSet: 'home', app: 'sets', set: 'only' }],
      summary: { total: 2 },
    });
  });

  it("has settings within the command's limits", async () => {
    const { json } = await studioOf();
    const values = [
      0,
      -1,
      1,
      1.5,
      3,
      10_000,
      10_001,
      1e9,
      2 ** 53,
      '',
      ' ',
      '3',
      'auto:5',
      'gemini-2.5-pro',
      true,
      null,
      [],
      {},
    ];
    const names = { repeats: 'repeats', concurrency: 'concurrency.agents', judgeModel: 'judgeModel' } as const;
    for (const [name, setting] of Object.entries(names)) {
      for (const value of values) {
        const { status, body } = await json('POST', '/api/estimate', { app: 'echo', sets: ['home'], [name]: value });
        const mistake = mistakeInSetting(setting, value);
        expect([name, value, status === 422]).toEqual([name, value, mistake !== null]);
        if (mistake !== null) expect(body).toMatchObject({ detail: [{ msg: `This ${mistake}.` }] });
      }
    }
    const start = (more: object) => json('POST', '/api/runs', { app: 'echo', sets: ['home'], ...more });
    expect((await start({ repeats: 1e9 })).status).toBe(422);
    expect(await start({ maxCalls: 5 })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'maxCalls'] }] },
    });
    expect((await json('GET', '/api/runs')).body).toMatchObject({ total: 0 });
    await expect(studioOf(homeFiles, { settings: { repeats: 1e9 } })).rejects.toThrow(/repeats.*at most 10000/);
  });

  it('rejects unknown agents and duplicate variant names', async () => {
    const { json } = await studioOf({ ...homeFiles, 'sets/only.evalset.json': homeSet });
    const start = async (variants: unknown) => {
      const { status, body } = await json('POST', '/api/runs', { app: 'echo', metrics, sets: ['home'], variants });
      return [status, JSON.stringify(body)];
    };
    for (const [variants, reason] of [
      [[], /list/],
      ['all', /list/],
      ['config', /no variants/],
      [[{ name: 'a', app: '../../etc' }], /no agent/],
      [[{ name: 'a', app: 'sets' }], /no agent/],
      [[{ name: 'a', app: 'echo', agentName: '../x' }], /export/],
      [
        [
          { name: 'a', app: 'echo' },
          { name: 'a', app: 'echo' },
        ],
        /Two variants/,
      ],
    ] as const) {
      expect(await start(variants)).toEqual([422, expect.stringMatching(reason)]);
    }
    for (const more of [
      { concurrency: 0 },
      { concurrency: '4' },
      { repeats: 1.5 },
      { userSimulator: {}, metrics: undefined },
    ]) {
      expect((await json('POST', '/api/runs', { app: 'echo', sets: ['home'], metrics, ...more })).status).toBe(422);
    }
  });
});
