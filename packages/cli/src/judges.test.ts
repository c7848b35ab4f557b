import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { geminiModel } from '@agent-criteria/model-gemini/pure';
import {
  type Asked,
  fittingAnswer,
  geminiFaults,
  startFakeGemini,
  startFakeOpenAi,
} from '@agent-criteria/test-servers';
import { describe, expect, it, vi } from 'vitest';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { during, judgedProject, useGemini } from './__fixtures__/judged-project.ts';

// Tests criteria, judge, policies and client together, from the command line over HTTP to a realistic fake server.

const match = { final_response_match_v2: { threshold: 0.8 } };
const rubrics = [
  { rubric_id: 'kind', rubric_content: { text_property: 'The answer is kind.' } },
  { rubric_id: 'short', rubric_content: { text_property: 'The answer is short.' } },
];
const rubricNames = [
  'rubric_based_final_response_quality_v1',
  'rubric_based_tool_use_quality_v1',
  'rubric_based_multi_turn_trajectory_quality_v1',
];

/** A judge that approves of everything, except where `bad` says otherwise. */
const judge = (bad: (asked: Asked) => boolean = () => false) =>
  fittingAnswer((path, asked, schema) => {
    if (path === '$.sentences') return undefined;
    const labels = Array.isArray(schema.enum) ? schema.enum : [];
    if (labels.includes('invalid')) return bad(asked) ? 'invalid' : 'valid';
    if (labels.includes('no')) return bad(asked) ? 'no' : 'yes';
    return undefined;
  });

describe('criteria with a judge', () => {
  it("pass and fail according to Gemini's answers", async () => {
    const gemini = await during(startFakeGemini({ answer: judge(({ text }) => text.includes('Say c.')) }));
    useGemini(gemini);
    const { command } = judgedProject(match);
    const { code, out, err } = await command('eval', 'DIR');
    expect(out).toMatch(/^one +1 \(1\/1\) +passed$/m);
    expect(out).toMatch(/^five +0\.8 \(5\/5\) +passed$/m);
    expect([code, err]).toEqual([0, '']);
    // Three samples are enough if they agree.
    expect(gemini.requests).toHaveLength(6 * 3);
    const strict = judgedProject({ final_response_match_v2: { threshold: 0.9 } });
    expect((await strict.command('eval', 'DIR')).code).toBe(1);
  });

  it.each(rubricNames)('%s reads rubrics, and show prints the result for each', async (name) => {
    const gemini = await during(startFakeGemini({ answer: judge() }));
    useGemini(gemini);
    const { command, newestRun } = judgedProject({ [name]: { threshold: 1, rubrics } });
    const { code, err } = await command('eval', 'DIR', 'home:one');
    expect([code, err]).toEqual([0, '']);
    const { out } = await command('show', newestRun(), 'one');
    expect(out).toContain('kind');
    expect(out).toContain('short');
  });

  it('work with any model of an OpenAI-compatible server', async () => {
    const server = await during(startFakeOpenAi({ models: ['qwen3'], key: null, answer: judge() }));
    vi.stubEnv('OLLAMA_BASE_URL', `${server.url}/v1`);
    const { command } = judgedProject(match);
    const { code, err, out } = await command('eval', 'DIR', 'home:one', '--judge-model', 'ollama/qwen3');
    vi.unstubAllEnvs();
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('1 passed of 1 case');
    expect(server.requests).toHaveLength(3);
  });
});

describe('settings of a judge', () => {
  const place = Symbol.for('agent-criteria/cli/a-judge-of-the-config');

  it('in the config are printed with its prompt, except for the secrets in them', async () => {
    const gemini = await during(startFakeGemini({ answer: judge() }));
    useGemini(gemini);
    const headers = { 'x-gateway': 'the-secret-of-the-gateway' };
    const settings = { systemInstruction: 'Be strict.', httpOptions: { headers } };
    Object.assign(globalThis, { [place]: geminiModel({ model: 'gemini-2.5-flash', settings }) });
    const { command, folder, newestRun } = judgedProject(
      match,
      {},
      {
        'agent-criteria.config.mjs': `export default {
          plugins: globalThis[Symbol.for('agent-criteria/cli/judged-project')], judgeModel: 'strict',
          models: { strict: globalThis[Symbol.for('agent-criteria/cli/a-judge-of-the-config')] } };`,
      },
    );
    const report = join(folder, 'report.html');
    const run = await command('eval', 'DIR', 'home:one', '--output', report);
    expect([run.code, run.err]).toEqual([0, '']);
    expect(gemini.requests[0]?.headers).toMatchObject(headers);
    const { out } = await command('show', newestRun(), 'one', '--judge_prompt');
    expect(out).toContain('"systemInstruction": "Be strict."');
    const kept = readdirSync(join(folder, 'runs'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    expect(kept.length).toBeGreaterThan(4);
    for (const text of [...kept, out, readFileSync(report, 'utf8')]) expect(text).not.toContain('the-secret');
  });

  it('in an eval config are rejected if they contain a secret, which is not printed', async () => {
    const gemini = await during(startFakeGemini({ answer: judge() }));
    useGemini(gemini);
    const config = { http_options: { headers: { Authorization: 'Bearer the-secret', 'x-tenant': 'ours' } } };
    const judge_model_options = { judge_model_config: config };
    const { command, wasImported } = judgedProject({ final_response_match_v2: { threshold: 1, judge_model_options } });
    const { code, out, err } = await command('eval', 'DIR', 'home:one');
    expect(code).toBe(2);
    expect(err).toContain('the setting "http_options.headers.Authorization" holds a secret');
    expect(err).toContain('agent-criteria.config');
    expect(err + out).not.toMatch(/the-secret|x-tenant/);
    expect([wasImported(), gemini.requests]).toEqual([false, []]);
  });
});

describe('secrets in the settings of a judge', () => {
  it.each([
    ['extra_headers.Authorization', { extra_headers: { Authorization: 'Bearer the-secret' } }],
    ['api_key', { api_key: 'the-secret' }],
    ['extra_body.token', { extra_body: { token: 'the-secret' } }],
    ['extraBody.provider.clientSecret', { extraBody: { provider: { clientSecret: 'the-secret' } } }],
  ])('in %s are rejected before anything runs or is saved', async (place, judge_model_config) => {
    const server = await during(startFakeOpenAi({ models: ['qwen3'], key: null, answer: judge() }));
    vi.stubEnv('OLLAMA_BASE_URL', `${server.url}/v1`);
    const judge_model_options = { judge_model: 'ollama/qwen3', judge_model_config };
    const { command, folder, wasImported } = judgedProject({
      final_response_match_v2: { threshold: 1, judge_model_options },
    });
    const { code, out, err } = await command('eval', 'DIR', 'home:one');
    vi.unstubAllEnvs();
    expect(err).toContain(`the setting "${place}" holds a secret`);
    expect(err + out).not.toContain('the-secret');
    expect([code, wasImported(), server.requests, existsSync(join(folder, 'runs'))]).toEqual([2, false, [], false]);
  });
});

describe('a judge that fails', () => {
  it('yields no score and exit code 3, never 0', async () => {
    const gemini = await during(startFakeGemini({ answer: () => geminiFaults.overloaded }));
    useGemini(gemini);
    const { command, newestRun } = judgedProject(match);
    const { code, out } = await command('eval', 'DIR', 'home:one', '--max-retries', '0', '--json');
    const { summary, sets } = JSON.parse(out);
    expect(code).toBe(3);
    expect(summary).toMatchObject({ verdict: 'not-evaluated' });
    const [{ criteria }] = sets[0].cases;
    expect(criteria[0].reason).toContain('overloaded');
    expect(criteria[0].score ?? null).toBeNull();
    const told = await command('show', newestRun(), 'one');
    expect(told.out).toContain('one: not-evaluated');
  });

  it('yields no score and exit code 3 if its server cannot be reached', async () => {
    useGemini({ url: 'http://127.0.0.1:9' });
    const { command } = judgedProject(match);
    const { code, out } = await command('eval', 'DIR', 'home:one', '--max-retries', '0');
    expect(out).toContain('\n1 not-evaluated of 1 case\n');
    expect(code).toBe(3);
  });

  it('on four of five turns never lets a case pass', async () => {
    const answer = judge();
    const dead = (asked: Asked) => (asked.text.includes('Say a.') ? answer(asked) : geminiFaults.internal);
    useGemini(await during(startFakeGemini({ answer: dead })));
    for (const threshold of [0.3, 0.5, 1]) {
      const { command } = judgedProject({ final_response_match_v2: { threshold, min_coverage: 0.2 } });
      const { code, out } = await command('eval', 'DIR', 'home:five', '--max-retries', '0');
      expect(out).toContain('\n1 not-evaluated of 1 case\n');
      expect(out).toContain('(1/5)');
      expect(code).toBe(3);
    }
  });

  it('because it is down is reported once, and resume judges the rest once it is back', async () => {
    let isBack = false;
    const answer = judge();
    const gemini = await during(
      startFakeGemini({ answer: (asked) => (isBack ? answer(asked) : geminiFaults.internal) }),
    );
    useGemini(gemini);
    const cases = Array.from({ length: 60 }, (_, index) =>
      evalCase(`case-${index}`, turn(`Hi ${index}.`, `Hi ${index}.`)),
    );
    const { command } = judgedProject(match, {}, { 'home.evalset.json': evalSet('home', ...cases) });
    const down = await command('eval', 'DIR', '--max_retries', '0');
    expect(down.out).toContain('\n60 not-evaluated of 60 cases\n');
    expect(down.code).toBe(3);
    expect(down.err.match(/gemini-2\.5-flash was down \(server error/g)).toHaveLength(1);
    // Twenty failures in a row plus the calls in flight by then, instead of three for each of sixty cases.
    expect(gemini.requests.length).toBeGreaterThanOrEqual(20);
    expect(gemini.requests.length).toBeLessThanOrEqual(20 + 2 * 16);
    isBack = true;
    const { code, out } = await command('resume', 'last');
    expect(out).toContain('\n60 passed of 60 cases\n');
    expect(code).toBe(0);
  });

  it('because its key is wrong is reported once with the reason, and doctor reports it as well', async () => {
    useGemini(await during(startFakeGemini({ answer: judge() })), 'wrong-key');
    const { command } = judgedProject(match);
    const { code, err } = await command('eval', 'DIR');
    expect(err.match(/API key not valid/g)).toHaveLength(1);
    expect(err).toContain('agent-criteria doctor shows where the key comes from');
    expect(code).toBe(3);
    const doctor = await command('doctor', 'DIR');
    expect(doctor.out).toContain('key from GEMINI_API_KEY');
    expect(doctor.out).toMatch(/problem: the model "gemini-2\.5-flash" .* does not answer: .*API key not valid/);
    expect(doctor.code).toBe(2);
    expect(err + doctor.out + doctor.err).not.toContain('wrong-key');
  });

  it('because it is no longer served is reported once with a remedy, and not called again', async () => {
    const gemini = await during(startFakeGemini({ models: ['gemini-3.5-flash'], answer: judge() }));
    useGemini(gemini);
    const { command, newestRun } = judgedProject(match);
    const { code, err } = await command('eval', 'DIR', 'home:one', '--no-cache');
    expect(err.match(/is not found/g)).toHaveLength(1);
    expect(err).toContain('name another one with --judge-model');
    expect(code).toBe(3);
    // Once the first call has failed, no other call is made.
    expect(gemini.requests).toHaveLength(1);
    const again = await command('score', newestRun(), '--judge_model', 'gemini-3.5-flash');
    expect([again.code, again.err]).toEqual([0, '']);
  });
});

describe('a mistake in the settings of a judge is reported before anything runs', () => {
  it('if its key is missing', async () => {
    useGemini({ url: 'http://127.0.0.1:9' }, '');
    const { command, wasImported, folder } = judgedProject(match);
    const { code, err, out } = await command('eval', 'DIR');
    expect(err).toMatch(/test_config\.json \$\.criteria\.final_response_match_v2: .*set GEMINI_API_KEY/);
    expect([code, out, wasImported(), existsSync(join(folder, 'runs'))]).toEqual([2, '', false, false]);
    const doctor = await command('doctor', 'DIR');
    expect(doctor.out).toContain('  gemini-2.5-flash as judge, for final_response_match_v2: Gemini API');
    expect(doctor.out).toContain('no key; cannot be used');
    expect(doctor.code).toBe(2);
  });

  it('if the model does not support a setting', async () => {
    const gemini = await during(startFakeGemini({ answer: judge() }));
    useGemini(gemini);
    const options = { judge_model_options: { judge_model_config: { temprature: 0 } } };
    const { command } = judgedProject({
      final_response_match_v2: { threshold: 1, ...options },
      hallucinations_v1: { threshold: 1, ...options },
      [rubricNames[0] ?? '']: { threshold: 1, rubrics, ...options },
    });
    const { code, err } = await command('eval', 'DIR');
    expect(code).toBe(2);
    expect(err.match(/"temprature" is not a setting of Gemini; did you mean "temperature"/g)).toHaveLength(3);
    expect(gemini.requests).toHaveLength(0);
  });

  it('if no provider offers the model', async () => {
    useGemini({ url: 'http://127.0.0.1:9' });
    const { command, wasImported } = judgedProject(match, { models: { mine: 'gemini-2.5-pro' } });
    const { code, err } = await command('eval', 'DIR', '--judge-model', 'mina');
    expect(err).toContain(
      'no provider for the model "mina" is registered; did you mean "mine"? (there are "mine", gemini-…, ',
    );
    // Its package is already installed.
    expect(err).not.toContain('npm install');
    expect([code, wasImported()]).toEqual([2, false]);
  });

  it.each([
    [
      ['--max_cost', '1'],
      /agent-criteria\.config\.mjs \$\.prices\["gemini-2\.5-flash"\]: .*needs input and output prices/,
    ],
    [['--recording', 'DIR/none.jsonl:replay'], /none\.jsonl/],
    [['--recording', 'DIR/broken.jsonl:replay'], /broken\.jsonl/],
    [['--replay', 'a'], /there is no flag --replay: write --recording FILE:replay/],
    [['--record=b'], /there is no flag --record: write --recording FILE:record/],
    [['--max_calls=-1'], /--max-calls must be a whole number from 0 up/],
    [['--max-cost', 'much'], /--max-cost must be a number of 0 or more, not "much"/],
    [['--judge-model', ' '], /an empty text was given for --judge-model/],
    [['--call-timeout', '0'], /--call-timeout must be a number of seconds above 0/],
  ])('for %j', async (args, told) => {
    useGemini({ url: 'http://127.0.0.1:9' });
    const { command, wasImported, folder } = judgedProject(match, {}, { 'broken.jsonl': '{"no recording' });
    const { code, err, out } = await command('eval', 'DIR', ...args);
    expect(err).toMatch(told);
    expect([code, out, wasImported(), existsSync(join(folder, 'runs'))]).toEqual([2, '', false, false]);
  });
});

describe('--judge-model', () => {
  it('replaces every judge model of the config, and the run reports that', async () => {
    const gemini = await during(startFakeGemini({ answer: judge() }));
    useGemini(gemini);
    const written = { judge_model_options: { judge_model: 'gemini-2.5-pro' } };
    const { command } = judgedProject(
      { final_response_match_v2: { threshold: 0.8, ...written } },
      { judgeModel: 'gemini-2.5-flash' },
    );
    const { code, out } = await command('eval', 'DIR', 'home:one', '--judge-model=gemini-3.5-flash', '--json');
    expect(code).toBe(0);
    expect(gemini.requests.every(({ path }) => path.includes('gemini-3.5-flash'))).toBe(true);
    expect(JSON.stringify(JSON.parse(out).sets[0].criteria)).toContain('gemini-3.5-flash');
    expect(out).not.toContain('gemini-2.5-pro');
  });
});

describe('flags about judges', () => {
  it('are reported if they have no effect', async () => {
    const { command } = judgedProject({ response_match_score: 0.5 });
    const { code, err } = await command('eval', 'DIR', '--judge-model', 'ollama/qwen3');
    expect(err).toBe('warning: --judge-model has no effect: no criterion uses a model\n');
    expect(code).toBe(0);
  });
});

describe('cached and recorded answers', () => {
  it('save a second run every call, and --no-cache calls again', async () => {
    const gemini = await during(startFakeGemini({ answer: judge() }));
    useGemini(gemini);
    const { command } = judgedProject(match);
    await command('eval', 'DIR');
    expect(gemini.requests).toHaveLength(18);
    expect((await command('eval', 'DIR')).code).toBe(0);
    expect(gemini.requests).toHaveLength(18);
    expect((await command('show', 'one', '--judge-prompt')).out).toContain('answer to sample 3 (from a cache');
    await command('eval', 'DIR', '--no-cache');
    expect(gemini.requests).toHaveLength(36);
  });

  it('are enough to judge without a key and without calls if they are in a recording', async () => {
    const gemini = await during(startFakeGemini({ answer: judge() }));
    useGemini(gemini);
    const { command, folder } = judgedProject(match);
    const file = join(folder, 'judge.jsonl');
    expect((await command('eval', 'DIR', 'home:one', '--recording', `${file}:record`)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toContain('test-key');
    const recorded = readFileSync(file, 'utf8');

    useGemini({ url: 'http://127.0.0.1:9' }, '');
    const replayed = await command('eval', 'DIR', 'home:one', '--recording', `${file}:replay`);
    expect([replayed.code, replayed.err]).toEqual([0, '']);
    expect(replayed.out).toContain(`judges answer from the recording ${file}`);
    expect(gemini.requests).toHaveLength(3);
    const recording = { file: 'judge.jsonl', mode: 'replay' };
    const configured = judgedProject(match, { recording }, { 'judge.jsonl': recorded });
    expect((await configured.command('eval', 'DIR', 'home:one')).code).toBe(0);

    const missing = await command('eval', 'DIR', '--recording', `${file}:replay`);
    expect(missing.err).toMatch(/judge\.jsonl/);
    expect(missing.code).toBe(3);
    expect(missing.out).not.toContain('2 passed');
    expect(readFileSync(file, 'utf8')).toBe(recorded);
    expect(gemini.requests).toHaveLength(3);
  });
});

describe('a recording that cannot be saved at the end', () => {
  it('loses no results, and sets the exit code', async () => {
    const gemini = await during(
      startFakeGemini({
        answer: (asked) => {
          rmSync(folder, { recursive: true, force: true });
          return judge()(asked);
        },
      }),
    );
    useGemini(gemini);
    const folder = mkdtempSync(join(tmpdir(), 'recording-'));
    const { command } = judgedProject(match);
    const { code, out, err } = await command(
      'eval',
      'DIR',
      'home:one',
      '--recording',
      `${join(folder, 'judge.jsonl')}:record`,
    );
    expect(out).toContain('1 passed of 1 case');
    expect(err).toContain('the recording cannot be written');
    expect(code).toBe(3);
  });
});

describe('a budget', () => {
  it('ends the run when it is spent, and the run can be resumed', async () => {
    const gemini = await during(startFakeGemini({ answer: judge() }));
    useGemini(gemini);
    const { command } = judgedProject(match);
    const { code, err } = await command(
      'eval',
      'DIR',
      '--max_calls',
      '4',
      '--no-cache',
      '--judge-model',
      'gemini-2.5-pro',
    );
    expect(err).toContain('the budget is spent: 4 of 4 calls');
    expect(err).toMatch(/agent-criteria resume \S+ --judge-model gemini-2\.5-pro/);
    expect(code).toBe(3);
    expect(gemini.requests).toHaveLength(4);
    const changed = await command('resume', 'last', '--max_calls', '100');
    expect(changed.code).toBe(2);
    const resumed = await command('resume', 'last', '--max_calls', '100', '--judge-model', 'gemini-2.5-pro');
    expect(resumed.out).toContain('2 passed of 2 cases');
    expect(resumed.code).toBe(0);
  });

  it("on cost uses the project's prices", async () => {
    const gemini = await during(startFakeGemini({ answer: judge() }));
    useGemini(gemini);
    const prices = { 'gemini-2.5-flash': { inputTokens: 1, outputTokens: 1 } };
    const { command } = judgedProject(match, { prices, maxCost: 1 });
    const { code, err } = await command('eval', 'DIR', '--concurrency-calls', '1');
    expect(err).toContain('the budget is spent');
    expect(code).toBe(3);
    expect(gemini.requests).toHaveLength(1);
  });
});

describe('--dry_run', () => {
  it('estimates calls, tokens and costs for each criterion, and runs nothing', async () => {
    const gemini = await during(startFakeGemini({ answer: judge() }));
    useGemini(gemini);
    const prices = { 'gemini-2.5-flash': { inputTokens: 3e-7, outputTokens: 25e-7 } };
    const criteria = { ...match, response_match_score: 0.5 };
    const { command, wasImported, folder } = judgedProject(criteria, { prices });
    const { code, out } = await command('eval', 'DIR', '--dry-run', '--num_runs', '2');
    expect(out).toMatch(
      /^home +final_response_match_v2 +gemini-2\.5-flash +36 to 60 +[\d,]+ to [\d,]+ +[\d.]+ to [\d.]+$/m,
    );
    expect(out).not.toContain('response_match_score ');
    expect(out).toContain('Nothing was run');
    expect([code, wasImported(), existsSync(join(folder, 'runs')), gemini.requests.length]).toEqual([
      0,
      false,
      false,
      0,
    ]);
    const json = JSON.parse((await command('eval', 'DIR', 'home:one', '--dry-run', '--json')).out);
    expect(json.total.calls).toEqual({ min: 3, max: 5 });
    expect(json.total.cost.max).toBeGreaterThan(json.total.cost.min);
  });

  it('needs no key, because it calls nothing', async () => {
    const gemini = await during(startFakeGemini({ answer: judge() }));
    useGemini(gemini);
    const { command, newestRun } = judgedProject(match);
    await command('eval', 'DIR', 'home:one');
    vi.stubEnv('GEMINI_API_KEY', undefined);
    for (const args of [
      ['eval', 'DIR'],
      ['score', newestRun()],
      ['noise', newestRun(), '--repeats', '3'],
    ]) {
      const { code, out, err } = await command(...args, '--dry-run');
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain('gemini-2.5-flash');
    }
    expect(await command('eval', 'DIR')).toMatchObject({ code: 2, err: expect.stringContaining('GEMINI_API_KEY') });
    // A model without a provider is still reported as a mistake.
    const unknown = await command('eval', 'DIR', '--dry-run', '--judge-model', 'nobody/x');
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('no provider for the model "nobody/x"') });
  });

  it('reports that costs are unknown, or that no model is called', async () => {
    useGemini({ url: 'http://127.0.0.1:9' });
    expect((await judgedProject(match).command('eval', 'DIR', '--dry-run')).out).toMatch(/to [\d,]+ +unknown$/m);
    const plain = await judgedProject({ response_match_score: 0.5 }).command('eval', 'DIR', '--dry-run');
    expect(plain.out).toContain('No criterion asks a model');
    expect(plain.code).toBe(0);
  });
});

describe('doctor', () => {
  it('asks every model one short question, and prints the source of its key', async () => {
    const gemini = await during(startFakeGemini({ answer: judge() }));
    useGemini(gemini);
    const { command } = judgedProject(match, { models: { large: 'gemini-2.5-pro' } });
    const { code, out } = await command('doctor', 'DIR');
    expect(out).toMatch(
      /^ {2}gemini-2\.5-flash as judge, for final_response_match_v2: Gemini API at http:\S+, key from GEMINI_API_KEY; answered in \d+ ms$/m,
    );
    expect(out).toMatch(/^ {2}gemini-2\.5-pro as large: .*answered in \d+ ms$/m);
    expect(out).not.toContain('test-key');
    expect(code).toBe(0);
    expect(gemini.requests).toHaveLength(2);
    const offline = await command('doctor', 'DIR', '--offline', '--json');
    expect(JSON.parse(offline.out).models).toMatchObject([
      { id: 'gemini-2.5-flash', names: ['judge'], credentials: 'GEMINI_API_KEY', latency: null, problems: [] },
      { id: 'gemini-2.5-pro', names: ['large'] },
    ]);
    expect(gemini.requests).toHaveLength(2);
    const other = await command('doctor', 'DIR', '--judge-model', 'gemini-9', '--offline');
    expect(other.out).toContain('gemini-9 as judge');
  });

  it('calls no model whose answers are recorded, and reports a missing recording', async () => {
    useGemini(await during(startFakeGemini({ answer: judge() })));
    const live = judgedProject(match);
    await live.command('eval', 'DIR', '--recording', 'DIR/judge.jsonl:record');
    const recorded = readFileSync(join(live.folder, 'judge.jsonl'));
    useGemini({ url: 'http://127.0.0.1:9' }, '');
    const recording = { file: 'judge.jsonl', mode: 'replay' };
    const there = judgedProject(match, { recording }, { 'judge.jsonl': recorded });
    const missing = judgedProject(match, { recording });
    expect((await missing.command('doctor', 'DIR')).out).toMatch(/problem: .*judge\.jsonl/);
    const { out } = await there.command('doctor', 'DIR');
    expect(out).toContain(
      'gemini-2.5-flash as judge, for final_response_match_v2: not called, its answers are recorded',
    );
    expect(out).toContain('No problems found.');
  });
});
