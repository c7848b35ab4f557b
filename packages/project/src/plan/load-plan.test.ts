// Isolated: it mocks a module.
import { join } from 'node:path';
import { CriteriaError, defineCriterion, optionsSchema } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { evalCase, evalSet } from '@agent-criteria/core/testing';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';
import { writeEvalSet } from '@agent-criteria/formats/parse';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { loadProjectConfig } from '../config/project-config.ts';
import { type LoadPlanOptions, loadPlan } from './load-plan.ts';

const registry = createRegistry([toolTrajectory, responseMatch]);
const answered = (id: string) => evalCase(id, [{ user: 'Hi', answer: 'Hello' }]);
const set = evalSet([answered('a'), answered('b'), answered('c')]);
const loose = { criteria: { response_match_score: 0.5 } };

/** Returns the source of a third-party plugin without dependencies. */
const criterionSource = (name: string, kind = 'criterion') => `export const it = {
  kind: '${kind}', specVersion: ${kind === 'criterion' ? 3 : 1}, name: '${name}', origin: { package: '${name}', version: '1.0.0' },
  description: 'x', decides: true, range: { min: 0, max: 1, better: 'higher' }, scope: 'turn', evaluate: () => ({ value: 1 }),
  options: { jsonSchema: { type: 'object', properties: {} }, '~standard': { version: 1, vendor: 'x', validate: () => ({ value: {} }) } },
  open: () => { throw new Error('never opened') },
};`;

async function problemsOf(options: LoadPlanOptions): Promise<string> {
  try {
    await loadPlan({ registry, ...options });
  } catch (error) {
    if (CriteriaError.is(error)) return error.message;
    throw error;
  }
  throw new Error('there is no problem');
}

let absent: readonly string[] = [];
/** Simulates a project without the packages in `absent`, because this workspace has all of them. */
vi.mock(import('../files/import-module.ts'), async (original) => {
  const module = await original();
  const resolveFrom: typeof module.resolveFrom = async (name, folder) =>
    absent.some((one) => name.startsWith(one)) ? undefined : module.resolveFrom(name, folder);
  return { ...module, resolveFrom };
});
function without(packageName: string): void {
  absent = [packageName];
  onTestFinished(() => {
    absent = [];
  });
}

describe('the prices of a project', () => {
  it('are passed to a criterion that has no prices in its options', async () => {
    const small = { inputTokens: 1, outputTokens: 2 };
    const folder = folderOf({
      'a.test.json': set,
      'agent-criteria.config.json': { prices: { small, service: { units: 9 } } },
    });
    const project = await loadProjectConfig(join(folder, 'agent-criteria.config.json'), { environment: {} });
    const prices = { type: 'object', additionalProperties: { type: 'object' }, 'x-setting': 'prices' };
    const cost = defineCriterion({
      name: 'cost',
      description: 'x',
      options: optionsSchema({ type: 'object', properties: { prices } }),
      evaluate: () => ({ value: 1 }),
    });
    const load = (entry: unknown) =>
      loadPlan({
        evalSet: join(folder, 'a.test.json'),
        config: { criteria: { cost: entry } },
        project,
        registry: createRegistry([cost]),
      });
    const [one] = (await load(0.5)).plan.criteria;
    expect(one?.options).toEqual({ prices: { small } });
    const own = { large: { inputTokens: 3, outputTokens: 4 } };
    expect((await load({ threshold: 0.5, prices: own })).plan.criteria[0]?.options).toEqual({ prices: own });
  });
});

describe('the config of a plan', () => {
  it("is test_config.json next to the eval set, or else ADK's default", async () => {
    const folder = folderOf({ 'x/a.test.json': set, 'x/test_config.json': loose, 'y/a.test.json': set });
    const beside = await loadPlan({ evalSet: join(folder, 'x', 'a.test.json'), registry });
    expect(beside.configFile).toBe(join(folder, 'x', 'test_config.json'));
    expect(beside.plan.criteria.map(({ name, threshold }) => [name, threshold])).toEqual([
      ['response_match_score', 0.5],
    ]);
    const byDefault = await loadPlan({ evalSet: join(folder, 'y', 'a.test.json'), registry });
    expect(byDefault.configFile).toBeNull();
    expect(byDefault.plan.criteria.map(({ name, threshold }) => [name, threshold])).toEqual([
      ['tool_trajectory_avg_score', 1],
      ['response_match_score', 0.8],
    ]);
  });

  it("can be another file or a value, and null means ADK's default even if there is a test_config.json", async () => {
    const folder = folderOf({ 'a.test.json': set, 'test_config.json': '{', 'strict.json': loose });
    const evalSetFile = join(folder, 'a.test.json');
    expect(
      (await loadPlan({ evalSet: evalSetFile, config: join(folder, 'strict.json'), registry })).plan.criteria,
    ).toHaveLength(1);
    expect((await loadPlan({ evalSet: evalSetFile, config: loose, registry })).plan.criteria).toHaveLength(1);
    expect((await loadPlan({ evalSet: set, config: null, registry })).plan.criteria).toHaveLength(2);
    expect((await loadPlan({ evalSet: evalSetFile, config: null, registry })).plan.criteria).toHaveLength(2);
  });

  it('is rejected if its file contains null', async () => {
    const folder = folderOf({ 'a.test.json': set, 'test_config.json': 'null' });
    expect(await problemsOf({ evalSet: join(folder, 'a.test.json') })).toBe(
      `${join(folder, 'test_config.json')} $: the config is null; write an object with "criteria", or remove the file`,
    );
  });
});

describe('loadPlan with mistakes', () => {
  it('reports mistakes in the set, its config and the chosen cases together, each with its file', async () => {
    const folder = folderOf({
      'a.test.json': { eval_set_id: 's', eval_cases: [{ eval_id: 'a', conversation: [] }] },
      'test_config.json': { criteria: { response_match_score: 80, respons_match_score: 1 } },
      'good.test.json': set,
    });
    const config = join(folder, 'test_config.json');
    const told = (await problemsOf({ evalSet: join(folder, 'a.test.json') })).split('\n');
    expect(told).toHaveLength(3);
    expect(told[0]).toContain(`${join(folder, 'a.test.json')} $.eval_cases[0].conversation: `);
    expect(told[1]).toContain(`${config} $.criteria.response_match_score: the threshold 80 is outside`);
    expect(told[2]).toContain(`${config} $.criteria.respons_match_score: there is no criterion`);
    const chosen = (await problemsOf({ evalSet: join(folder, 'good.test.json'), cases: ['z'] })).split('\n');
    expect(chosen[0]).toContain(`${join(folder, 'good.test.json')}: the eval set "set" has no case "z"`);
    expect(chosen).toHaveLength(3);
  });

  it('reports paths within the file even if only some cases are chosen', async () => {
    const options = { response_match_score: { colour: 'red' } };
    const written = evalSet([answered('a'), answered('b'), { ...answered('c'), agentCriteria: options }]);
    const folder = folderOf({ 'a.test.json': written });
    const file = join(folder, 'a.test.json');
    expect(await problemsOf({ evalSet: file, cases: ['c'] })).toContain(
      `${file} $.eval_cases[2].agent_criteria.response_match_score.colour: `,
    );
    await expect(loadPlan({ evalSet: file, cases: ['a'], registry })).resolves.toMatchObject({
      plan: { criteria: [{}, {}] },
    });
  });

  it('reports mistakes under the file of the set if there is no config file', async () => {
    const scenario = { evalId: 'led', conversationScenario: { startingPrompt: 'Hi', conversationPlan: 'x' } };
    const file = join(folderOf({ 'a.test.json': evalSet([scenario, answered('a')]) }), 'a.test.json');
    without('@agent-criteria/user-simulator');
    const told = await problemsOf({ evalSet: file });
    expect(told).toBe(
      `${file}: the case "led" needs a simulated user, and no simulator of the type "llm_backed" is registered: ` +
        'npm install --save-dev @agent-criteria/user-simulator, then import it',
    );
    // Warnings are also reported under the file of the set.
    const silent = join(
      folderOf({ 'b.test.json': evalSet([evalCase('b', [{ user: 'Hi', calls: [] }])]) }),
      'b.test.json',
    );
    const { warnings } = await loadPlan({ evalSet: silent, registry });
    expect(warnings.at(-1)).toMatchObject({ file: silent, message: expect.stringContaining('response_match_score') });
  });

  it('loads the plugins of a config with mistakes, so that one mistake does not cause others', async () => {
    const folder = folderOf({
      'a.test.json': set,
      'metrics.mjs': 'export const warm = () => ({ perInvocationResults: [] });',
      'test_config.json': {
        criteria: { safety_v1: 'high', response_match_score: 0.5, warm: 0.5 },
        criterias: {},
        custom_metrics: { warm: { code_config: { name: './metrics.mjs#warm' } } },
        user_simulator_config: { type: 7 },
      },
    });
    const told = await problemsOf({ evalSet: join(folder, 'a.test.json') });
    expect(told).not.toContain('not registered');
    expect(
      told
        .split('\n')
        .map((line) => / (\$\S*): /.exec(line)?.[1])
        .toSorted(),
    ).toEqual(['$.criterias', '$.criteria.safety_v1', '$.user_simulator_config.type'].toSorted());
  });

  it('does not report a criterion as unknown if a broken plugin may provide it', async () => {
    const folder = folderOf({
      'a.test.json': set,
      'test_config.json': {
        plugins: ['./broken.mjs', 'nowhere', './empty.mjs'],
        criteria: { mine: 1, response_match_score: 80 },
      },
      'broken.mjs': "throw new Error('no licence key');",
      'empty.mjs': 'export const nothing = 1;',
    });
    const told = (await problemsOf({ evalSet: join(folder, 'a.test.json') })).split('\n');
    const config = join(folder, 'test_config.json');
    expect(told[0]).toContain(
      `${config} $.plugins[0]: the plugin "./broken.mjs" does not load: no licence key (at ${join(folder, 'broken.mjs')}:1:7)`,
    );
    expect(told[1]).toContain(
      `${config} $.plugins[1]: the plugin "nowhere" is not installed: npm install --save-dev nowhere`,
    );
    expect(told[2]).toContain(`${config} $.plugins[2]: "./empty.mjs" exports no plugin`);
    expect(told[3]).toContain('the threshold 80 is outside');
    expect(told).toHaveLength(4);
  });
});

describe('loadPlan with plugins', () => {
  it("loads a config's plugins by path, relative to it, and by package", async () => {
    const folder = folderOf({
      'a.test.json': set,
      'config/strict.json': {
        plugins: ['./mine.ts', 'theirs'],
        criteria: { mine: 1, theirs: 1, response_match_score: 0.5 },
      },
      'config/mine.ts': criterionSource('mine'),
      'config/node_modules/theirs/package.json': { name: 'theirs', type: 'module', exports: './index.js' },
      'config/node_modules/theirs/index.js': criterionSource('theirs'),
    });
    const { plan } = await loadPlan({
      evalSet: join(folder, 'a.test.json'),
      config: join(folder, 'config', 'strict.json'),
      registry,
    });
    expect(plan.criteria.map(({ name }) => name)).toEqual(['mine', 'theirs', 'response_match_score']);
    expect(registry.get('criterion', 'mine')).toBeUndefined();
  });

  it("accepts a config's plugins as values", async () => {
    const { plan } = await loadPlan({
      evalSet: set,
      config: { plugins: [responseMatch], criteria: { response_match_score: 1 } },
    });
    expect(plan.criteria).toHaveLength(1);
  });

  it('finds our installed packages by the names of their criteria', async () => {
    const judge = 'node_modules/@agent-criteria/criteria-llm-judge';
    const simulator = 'node_modules/@agent-criteria/user-simulator';
    const manifest = (name: string) => ({ name, type: 'module', exports: { './pure': './pure.js' } });
    const scenario = { evalId: 'led', conversationScenario: { startingPrompt: 'Hi', conversationPlan: 'x' } };
    const folder = folderOf({
      'a.test.json': evalSet([scenario]),
      'test_config.json': { criteria: { final_response_match_v2: 0.5 } },
      [`${judge}/package.json`]: manifest('@agent-criteria/criteria-llm-judge'),
      [`${judge}/pure.js`]: criterionSource('final_response_match_v2'),
      [`${simulator}/package.json`]: manifest('@agent-criteria/user-simulator'),
      [`${simulator}/pure.js`]: criterionSource('llm_backed', 'user-simulator'),
    });
    const { plan } = await loadPlan({ evalSet: join(folder, 'a.test.json'), registry });
    expect(plan.criteria.map(({ name }) => name)).toEqual(['final_response_match_v2']);
    expect(plan.simulator?.simulator.name).toBe('llm_backed');
  });

  it('rejects a criterion from one of our packages that is missing, with its install line', async () => {
    const folder = folderOf({ 'a.test.json': set, 'test_config.json': { criteria: { safety_v1: 1 } } });
    without('@agent-criteria/criteria-safety');
    expect(await problemsOf({ evalSet: join(folder, 'a.test.json') })).toContain(
      'npm install --save-dev @agent-criteria/criteria-safety',
    );
  });
});

describe('loadPlan with warnings', () => {
  it('collects warnings about the set, its config and resolving', async () => {
    const half = evalSet([answered('a'), evalCase('b', [{ user: 'Hi' }])]);
    const folder = folderOf({
      'a.test.json': `${JSON.stringify(writeEvalSet(half)).slice(0, -1)}, }`,
      'test_config.json': '{ // loose\n "criteria": {"response_match_score": 0.5} }',
    });
    const { warnings } = await loadPlan({ evalSet: join(folder, 'a.test.json'), registry });
    expect(warnings.map(({ code, file }) => [code, file])).toEqual([
      ['NOT_JSON', join(folder, 'a.test.json')],
      ['NOT_JSON', join(folder, 'test_config.json')],
      ['NEEDS_UNMET', join(folder, 'test_config.json')],
    ]);
  });
});

describe('loadPlan with warnings and mistakes', () => {
  it('reports warnings and mistakes together', async () => {
    const folder = folderOf({
      'a.test.json': writeEvalSet(set),
      'test_config.json': '{ "criteria": {"response_match_score": 80}, }',
    });
    const error = await loadPlan({ evalSet: join(folder, 'a.test.json'), registry }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      problems: [{ code: 'INVALID_THRESHOLD' }],
      warnings: [{ code: 'NOT_JSON', file: join(folder, 'test_config.json') }],
    });
  });

  it('warns that a look-alike of test_config.json is not used', async () => {
    const folder = folderOf({ 'a.test.json': writeEvalSet(set), 'test-config.json': { criterias: {} } });
    const { warnings, plan } = await loadPlan({ evalSet: join(folder, 'a.test.json'), registry });
    expect(warnings).toEqual([
      {
        code: 'INVALID_CONFIG',
        file: join(folder, 'test-config.json'),
        message: 'this file is not used as a config: it has no "criteria" object',
      },
    ]);
    expect(plan.criteria).toHaveLength(2);
    expect((await loadPlan({ evalSet: join(folder, 'a.test.json'), config: loose, registry })).warnings).toEqual([]);
  });

  it('reports the line number of a case in JSON Lines', async () => {
    const odd = { ...answered('c'), agentCriteria: { response_match_score: { colour: 'red' } } };
    const folder = folderOf({
      'a.jsonl': [answered('a'), answered('b'), odd].map((one) => JSON.stringify(one)).join('\n'),
    });
    const file = join(folder, 'a.jsonl');
    expect(await problemsOf({ evalSet: file, cases: ['c'] })).toContain(
      `${file} line 3 $.agent_criteria.response_match_score.colour: `,
    );
  });
});

describe('eval cases from code', () => {
  it('can be an async iterable', async () => {
    async function* cases() {
      yield answered('a');
      yield answered('b');
    }
    const { plan } = await loadPlan({ evalSet: cases(), evalSetId: 'mine', config: loose, registry });
    expect(plan.evalSet).toMatchObject({ evalSetId: 'mine', evalCases: [{ evalId: 'a' }, { evalId: 'b' }] });
  });

  it('start with the initial session if they have none', async () => {
    const { plan } = await loadPlan({
      evalSet: set,
      config: loose,
      registry,
      initialSession: { appName: 'home', userId: 'me' },
    });
    expect(plan.evalSet.evalCases.map(({ sessionInput }) => sessionInput?.appName)).toEqual(['home', 'home', 'home']);
  });
});

describe('loadPlan in a project', () => {
  const provider = (name: string) => `export const provider = {
    kind: 'model-provider', specVersion: 1, name: '${name}', origin: { package: '${name}', version: '1.0.0' },
    accepts: (model) => model.startsWith('${name}-'), create: (model) => ({ id: model, generate: async () => { throw new Error('never'); } }),
  };`;

  it('provides the plugins, models and judge of the project to every set', async () => {
    const asks = criterionSource('asks').replace("scope: 'turn'", "scope: 'turn', models: () => ['judge', 'fast']");
    const folder = folderOf({
      'agent-criteria.config.json': {
        plugins: ['./asks.mjs', './own.mjs'],
        judgeModel: 'own-2',
        models: { fast: 'own-1' },
      },
      'asks.mjs': asks,
      'own.mjs': provider('own'),
      'sets/a.test.json': set,
      'sets/test_config.json': { criteria: { asks: 1 } },
    });
    const project = await loadProjectConfig(join(folder, 'agent-criteria.config.json'));
    const evalSetFile = join(folder, 'sets', 'a.test.json');
    const { plan } = await loadPlan({ evalSet: evalSetFile, project, registry });
    expect(plan.models('judge')?.id).toBe('own-2');
    expect(plan.models('fast')?.id).toBe('own-1');
    expect(plan.models('own-3')?.id).toBe('own-3');
    const without = { ...project, settings: { models: { fast: 'own-1' } } };
    expect(await problemsOf({ evalSet: evalSetFile, project: without })).toContain('gemini-2.5-flash');
  });

  it("judges sets without a test_config.json by the project's config", async () => {
    const folder = folderOf({
      'agent-criteria.config.json': { config: 'evals/strict.json' },
      'evals/strict.json': { criteria: { response_match_score: 1 } },
      'a.test.json': set,
      'own/b.test.json': set,
      'own/test_config.json': loose,
    });
    const project = await loadProjectConfig(join(folder, 'agent-criteria.config.json'));
    const thresholds = async (options: Partial<LoadPlanOptions>) =>
      (await loadPlan({ evalSet: join(folder, 'a.test.json'), project, registry, ...options })).plan.criteria.map(
        ({ threshold }) => threshold,
      );
    expect(await thresholds({})).toEqual([1]);
    expect(await thresholds({ evalSet: join(folder, 'own', 'b.test.json') })).toEqual([0.5]);
    expect(await thresholds({ config: { criteria: { response_match_score: 0.25 } } })).toEqual([0.25]);
    expect(await thresholds({ evalSet: set })).toEqual([1]);
    expect(await thresholds({ config: null })).toEqual([1, 0.8]);
    const value = { ...project, settings: { config: { criteria: { response_match_score: 0.75 } } } };
    expect(await thresholds({ project: value })).toEqual([0.75]);
  });

  it('proposes criteria with an install line only for packages that are not installed', async () => {
    const led = { evalId: 'led', conversationScenario: { startingPrompt: 'Hi', conversationPlan: 'Be kind.' } };
    const problems = () => problemsOf({ evalSet: evalSet([led]), config: loose });
    expect(await problems()).toContain(
      '(@agent-criteria/criteria-llm-judge is installed: import it, or name it in "plugins")',
    );
    // With `folder`, packages are searched, so that naming a criterion is enough.
    const beside = (await problemsOf({ evalSet: evalSet([led]), config: loose, folder: '.' })).split(
      'These fit this set: ',
    )[1];
    expect(beside).toMatch(
      /^rubric_based_final_response_quality_v1 with rubrics, .*, harmlessness, hallucinations_v1, /,
    );
    expect(beside).not.toContain('npm install');
    without('@agent-criteria/criteria-llm-judge');
    expect(await problems()).toContain('(npm install --save-dev @agent-criteria/criteria-llm-judge)');
  });

  it('explains how to get an unregistered criterion, with an install line only if its package is missing', async () => {
    const config = { criteria: { hallucinations_v1: 1 } };
    const use = 'import it or name it in "plugins"';
    expect(await problemsOf({ evalSet: set, config })).toContain(
      `Its package @agent-criteria/criteria-hallucination is installed: ${use}`,
    );
    without('@agent-criteria/criteria-hallucination');
    const install = 'npm install --save-dev @agent-criteria/criteria-hallucination';
    expect(await problemsOf({ evalSet: set, config })).toContain(`${install}, then ${use}`);
    // With `folder`, packages are searched, so that installing one is enough.
    expect(await problemsOf({ evalSet: set, config, folder: '.' })).toMatch(new RegExp(`${install}$`));
  });
});
