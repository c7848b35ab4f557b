import { join } from 'node:path';
import { CriteriaError, type LanguageModel } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { findProjectConfig, loadProjectConfig, withoutProjectConfig } from './project-config.ts';
import { judgeForAll, projectModels } from './project-models.ts';
import type { Settings } from './settings/settings-type.ts';

/** Returns the source of a third-party model provider without dependencies. */
const provider = (name: string) => `export const provider = {
  kind: 'model-provider', specVersion: 1, name: '${name}', origin: { package: '${name}', version: '1.0.0' },
  accepts: (model) => model.startsWith('${name}-'), create: (model) => ({ id: model, generate: async () => { throw new Error('never'); } }),
};`;

async function problemsOf(file: string): Promise<readonly string[]> {
  const error = await loadProjectConfig(file).catch((thrown: unknown) => thrown);
  if (!CriteriaError.is(error)) throw error;
  expect(error.problems.every((problem) => problem.file === file)).toBe(true);
  return error.problems.map(({ path, message }) => `${path} ${message}`);
}

describe('findProjectConfig', () => {
  it('finds the nearest config from the agent upward, preferring TypeScript to JavaScript to JSON', async () => {
    const folder = folderOf({
      'agent-criteria.config.json': {},
      'agents/agent-criteria.config.ts': '',
      'agents/agent-criteria.config.json': {},
      'agents/home/agent.ts': '',
      'agents/home/.git/HEAD': '',
      'other/agent.ts': '',
      'other/agent-criteria.config.mjs/x': '',
    });
    const near = join(folder, 'agents', 'agent-criteria.config.ts');
    expect(await findProjectConfig(join(folder, 'agents', 'home'))).toBe(near);
    expect(await findProjectConfig(join(folder, 'agents', 'home', 'agent.ts'))).toBe(near);
    expect(await findProjectConfig(join(folder, 'agents', 'home', 'none', 'x.ts'))).toBe(near);
    expect(await findProjectConfig(join(folder, 'other'))).toBe(join(folder, 'agent-criteria.config.json'));
  });
});

describe('loadProjectConfig', () => {
  it('warns of other configs in the same folder, which are not used', async () => {
    const folder = folderOf({ 'agent-criteria.config.mjs': 'export default {};', 'agent-criteria.config.json': {} });
    const { warnings } = await loadProjectConfig(await findProjectConfig(folder));
    expect(warnings).toEqual([
      {
        code: 'INVALID_CONFIG',
        file: join(folder, 'agent-criteria.config.json'),
        message: 'not used, because agent-criteria.config.mjs next to it is the config; keep one of them',
      },
    ]);
  });

  it('returns an empty config if there is none', async () => {
    expect(await loadProjectConfig(undefined)).toMatchObject({ file: null, settings: {}, plugins: [] });
  });

  it.each(['agent-criteria.config.ts', 'agent-criteria.config.mts', 'agent-criteria.config.mjs'])(
    'loads %s with plugins given as values, paths and packages, from its own folder',
    async (name) => {
      const folder = folderOf({
        [name]: `import { provider } from './own.mjs'; export default { plugins: [provider, './path.mjs', 'theirs'], runsFolder: 'runs', concurrency: { agents: 2, scoring: undefined }, turnTimeout: undefined };`,
        'own.mjs': provider('own'),
        'path.mjs': provider('path'),
        'node_modules/theirs/package.json': { name: 'theirs', type: 'module', exports: './index.js' },
        'node_modules/theirs/index.js': provider('theirs'),
      });
      const project = await loadProjectConfig(join(folder, name));
      expect(project.plugins.map((plugin) => plugin.name)).toEqual(['own', 'path', 'theirs']);
      const { plugins, ...others } = project.settings;
      expect(others).toEqual({ runsFolder: join(folder, 'runs'), concurrency: { agents: 2 } });
      expect(project.origins).toEqual({ plugins: 'config', runsFolder: 'config', 'concurrency.agents': 'config' });
    },
  );

  it('reads JSON with comments without a warning', async () => {
    const folder = folderOf({
      'agent-criteria.config.json':
        '{ // mine\n "$schema": "./x.json", "judgeModel": "own-1", "concurrency": { "scoring": 3 }, }',
    });
    const { settings, warnings } = await loadProjectConfig(join(folder, 'agent-criteria.config.json'));
    expect(settings).toEqual({ judgeModel: 'own-1', concurrency: { scoring: 3 } });
    expect(warnings).toEqual([]);
  });

  it('reports every mistake at once, each with its path', async () => {
    const config = {
      plugin: ['a'],
      plugins: ['', 5, { name: 'x' }],
      models: { fast: { id: 'x' }, 'the judge': '' },
      judgeModel: 7,
      concurrency: { agents: 0, scoring: '4', calls: null, scorings: 1 },
      agents: 3,
      turnTimeOut: 5,
      runTimeout: 1.5,
      caseTimeout: 2 ** 31,
      maxRetries: -1,
      callTimeout: 0,
      cache: true,
      recording: { mode: 'play' },
      maxCalls: 1.5,
      maxCost: -1,
      max_tokens: 5,
      prices: { 'own-1': { input: -1 } },
      runsFolder: '',
      redact: 'yes',
      config: 5,
    };
    const file = join(folderOf({ 'agent-criteria.config.json': config }), 'agent-criteria.config.json');
    expect(await problemsOf(file)).toEqual([
      '$.plugin unknown key "plugin"; did you mean "plugins"?',
      expect.stringContaining('$.plugins[0] a plugin is'),
      expect.stringContaining('$.plugins[1] a plugin is'),
      expect.stringContaining('$.plugins[2] a plugin is'),
      expect.stringContaining('$.models.fast a model is'),
      expect.stringContaining('$.models["the judge"] a model is'),
      '$.judgeModel must be a non-empty string, not 7',
      '$.concurrency.agents must be a whole number above 0, not 0',
      '$.concurrency.scoring must be a whole number above 0, not "4"',
      '$.concurrency.calls must be a whole number above 0, not null',
      '$.concurrency.scorings unknown key "scorings"; did you mean "scoring"?',
      '$.agents unknown key "agents"; did you mean "concurrency.agents"?',
      '$.turnTimeOut unknown key "turnTimeOut"; did you mean "turnTimeout"?',
      '$.runTimeout must be a duration such as "300s", "5m" or "500ms", at most 25 days, not 1.5',
      '$.caseTimeout must be a duration such as "300s", "5m" or "500ms", at most 25 days, not 2147483648',
      '$.maxRetries must be a whole number from 0 up, not -1',
      '$.callTimeout must be a duration such as "300s", "5m" or "500ms", at most 25 days, not 0',
      '$.cache must be the path of a folder, or false, not true',
      '$.recording.mode must be one of "off", "auto", "record", "replay", not "play"',
      '$.maxCalls must be a whole number from 0 up, not 1.5',
      '$.maxCost must be a number of 0 or more, not -1',
      '$.max_tokens unknown key "max_tokens"; did you mean "maxTokens"?',
      '$.prices["own-1"].input must be a number of 0 or more, not -1',
      '$.runsFolder must be the path of a folder, not ""',
      '$.redact must be a function, not "yes"',
      '$.config must be a config with "criteria", or the path of one, not 5',
    ]);
  });

  it('overrides individual settings of the file by variables, with paths relative to their source', async () => {
    const config = {
      judgeModel: 'own-1',
      concurrency: { agents: 2, calls: 3 },
      recording: { file: 'a.jsonl', mode: 'replay' },
      runsFolder: 'runs',
    };
    const folder = folderOf({ 'agent-criteria.config.json': config });
    const environment = {
      AGENT_CRITERIA_JUDGE_MODEL: 'own-2',
      AGENT_CRITERIA_CONCURRENCY_CALLS: '1',
      AGENT_CRITERIA_TURN_TIMEOUT: '1.5',
      AGENT_CRITERIA_CACHE: 'false',
      AGENT_CRITERIA_RECORDING_MODE: '',
      AGENT_CRITERIA_RUNS_FOLDER: 'mine',
    };
    const project = await loadProjectConfig(join(folder, 'agent-criteria.config.json'), { environment });
    expect(project.settings).toEqual({
      judgeModel: 'own-2',
      concurrency: { agents: 2, calls: 1 },
      turnTimeout: '1500ms',
      cache: false,
      recording: { file: join(folder, 'a.jsonl'), mode: 'replay' },
      runsFolder: 'mine',
    });
    expect(project.origins).toMatchObject({
      judgeModel: 'environment',
      'concurrency.agents': 'config',
      'concurrency.calls': 'environment',
      'recording.mode': 'config',
    });
    expect(judgeForAll(project)).toBe('own-2');
    const none = await loadProjectConfig(undefined, { environment: { AGENT_CRITERIA_MAX_COST: '0.5' } });
    expect([none.file, none.settings]).toEqual([null, { maxCost: 0.5 }]);
  });

  it('accepts durations with a unit, in a file and from a variable', async () => {
    const folder = folderOf({
      'agent-criteria.config.json': { turnTimeout: '500ms', caseTimeout: '5m', runTimeout: 1000 },
    });
    const file = join(folder, 'agent-criteria.config.json');
    const { settings } = await loadProjectConfig(file, { environment: { AGENT_CRITERIA_CALL_TIMEOUT: '1.5m' } });
    expect(settings).toEqual({ turnTimeout: '500ms', caseTimeout: '5m', runTimeout: 1000, callTimeout: '1.5m' });
  });

  it('rejects a bare number of milliseconds that was probably meant as seconds', async () => {
    const json = folderOf({
      'agent-criteria.config.json': { turnTimeout: 300, runTimeout: '0s', callTimeout: '5 min' },
    });
    expect(await problemsOf(join(json, 'agent-criteria.config.json'))).toEqual([
      '$.turnTimeout needs a unit: a bare number is in milliseconds; write "300s" or "300ms"',
      '$.runTimeout must be a duration such as "300s", "5m" or "500ms", at most 25 days, not "0s"',
      '$.callTimeout must be a duration such as "300s", "5m" or "500ms", at most 25 days, not "5 min"',
    ]);
    const code = folderOf({ 'agent-criteria.config.mjs': 'export default { caseTimeout: 999 };' });
    expect(await problemsOf(join(code, 'agent-criteria.config.mjs'))).toEqual([
      '$.caseTimeout needs a unit: a bare number is in milliseconds; write "999s" or "999ms"',
    ]);
  });

  it('accepts a recording as a string, like its flag', async () => {
    const folder = folderOf({
      'agent-criteria.config.json': { recording: 'a.jsonl:replay' },
      'other/agent-criteria.config.json': { recording: 'C:odd.jsonl' },
      'bad/agent-criteria.config.json': { recording: 'a.jsonl:rewind', cache: 'x', concurrency: 'many' },
    });
    const load = (path: string, environment = {}) =>
      loadProjectConfig(join(folder, path, 'agent-criteria.config.json'), { environment });
    const { settings, origins } = await load('');
    expect(settings).toEqual({ recording: { file: join(folder, 'a.jsonl'), mode: 'replay' } });
    expect(origins).toEqual({ 'recording.file': 'config', 'recording.mode': 'config' });
    expect((await load('', { AGENT_CRITERIA_RECORDING: ':off' })).settings.recording).toEqual({
      file: join(folder, 'a.jsonl'),
      mode: 'off',
    });
    expect((await load('other')).settings.recording).toEqual({ file: join(folder, 'other', 'C:odd.jsonl') });
    expect(await problemsOf(join(folder, 'bad/agent-criteria.config.json'))).toEqual([
      '$.recording must be FILE, FILE:MODE or :MODE, where MODE is auto, record, replay or off, not "a.jsonl:rewind"',
      '$.concurrency must be an object with agents, scoring, calls, not "many"',
    ]);
    const list = folderOf({ 'agent-criteria.config.json': { recording: ['a.jsonl'] } });
    expect(await problemsOf(join(list, 'agent-criteria.config.json'))).toEqual([
      '$.recording must be FILE, FILE:MODE or :MODE, where MODE is auto, record, replay or off, or an object, not a list',
    ]);
  });

  it('reports every invalid variable, and warns of a probable typo', async () => {
    const environment = {
      AGENT_CRITERIA_MAX_CALLS: 'many',
      AGENT_CRITERIA_TURN_TIMEOUT: '0',
      AGENT_CRITERIA_COMPAT: 'python',
    };
    const error = await loadProjectConfig(undefined, { environment }).catch((thrown: unknown) => thrown);
    expect(CriteriaError.is(error) && error.problems.map(({ message }) => message)).toEqual([
      'the variable AGENT_CRITERIA_COMPAT must be "adk", not "python"',
      'the variable AGENT_CRITERIA_TURN_TIMEOUT must be a number of seconds above 0, or a duration such as 5m or 500ms, at most 25 days, not "0"',
      'the variable AGENT_CRITERIA_MAX_CALLS must be a whole number from 0 up, not "many"',
    ]);
    const slip = { AGENT_CRITERIA_JUDGEMODEL: 'x', AGENT_CRITERIA_AGENT_TOKEN: 'y' };
    expect((await loadProjectConfig(undefined, { environment: slip })).warnings.map(({ message }) => message)).toEqual([
      'the variable AGENT_CRITERIA_JUDGEMODEL is not a setting; did you mean "AGENT_CRITERIA_JUDGE_MODEL"?',
    ]);
  });

  it.each([
    [
      'export const config = {};',
      'undefined the config has no default export: write export default defineConfig({ … }) (it exports config)',
    ],
    ['export default [];', '$ must be an object with'],
    ["throw new Error('no key');", 'undefined the config does not load: no key (at '],
    [
      'export default { criteria: {} };',
      '$.criteria unknown key "criteria": this is a project config; write { config: { criteria: { … } } }',
    ],
    ["export default { plugins: ['./none.mjs'] };", '$.plugins[0] the plugin "./none.mjs" does not load'],
    ['export default { constructor: 1, toString: 2 };', '$.constructor unknown key "constructor"; known are'],
  ])('rejects %s', async (source, told) => {
    const file = join(folderOf({ 'agent-criteria.config.mjs': source }), 'agent-criteria.config.mjs');
    expect((await problemsOf(file))[0]).toContain(told);
  });

  it('rejects the key __proto__ in JSON', async () => {
    const file = join(
      folderOf({ 'agent-criteria.config.json': '{"__proto__": {"judgeModel": "x"}}' }),
      'agent-criteria.config.json',
    );
    expect(await problemsOf(file)).toEqual([expect.stringContaining('$.__proto__ unknown key')]);
  });
});

describe('projectModels', () => {
  const model = (id: string): LanguageModel => ({ id, generate: () => Promise.reject(new Error('never')) });
  const registry = createRegistry([
    {
      kind: 'model-provider',
      specVersion: 1,
      name: 'own',
      origin: { package: 'own', version: '1.0.0' },
      accepts: (name) => name.startsWith('own-'),
      create: model,
    },
  ]);
  const project = (settings: Settings) => ({ ...withoutProjectConfig(), settings });

  it('accepts a function as a model', async () => {
    const judge = async (prompt: string) => `asked: ${prompt}`;
    const models = projectModels(project({ models: { mine: judge }, judgeModel: 'mine' }), registry);
    const { signal } = new AbortController();
    const request = { messages: [{ role: 'user', parts: [{ text: 'good?' }] }], sample: 0 };
    expect(await models('judge')?.generate(request, signal)).toMatchObject({ text: 'asked: good?', finish: 'stop' });
    expect(models('judge')).toBe(models('mine'));
    expect(models('mine')?.id).toBe('mine');
  });

  it('resolves models by their names in the config, given as values or as names known to a provider', () => {
    const models = projectModels(project({ models: { fast: 'own-1', mine: model('mine') } }), registry);
    expect(models('fast')?.id).toBe('own-1');
    expect(models('fast')).toBe(models('fast'));
    expect(models('mine')?.id).toBe('mine');
    expect(models('toString')).toBeUndefined();
    expect(models('judge')).toBeUndefined();
  });

  it.each([
    [{ judgeModel: 'own-2' }, 'own-2'],
    [{ judgeModel: 'fast', models: { fast: 'own-1' } }, 'own-1'],
    [{ judgeModel: 'fast', models: { fast: model('value') } }, 'value'],
    [{ models: { judge: 'own-3' } }, 'own-3'],
  ])('resolves the judge of %j to %s', (config, id) => {
    expect(projectModels(project(config), registry)('judge')?.id).toBe(id);
  });

  it('reports a judge without a provider instead of using a different one', () => {
    for (const config of [{ judgeModel: 'nobody' }, { models: { judge: 'nobody' } }]) {
      const judge = projectModels(project(config), registry)('judge');
      expect(judge?.access?.({}).problems[0]?.message).toContain('no provider for the model "');
    }
    expect(
      projectModels(project({ judgeModel: 'own-1' }), registry, { judgeModel: 'x' })('judge')?.access?.({}).problems,
    ).toHaveLength(1);
  });

  it("prefers the caller's models", () => {
    const given = (name: string) => (name === 'judge' ? model('given') : undefined);
    expect(projectModels(project({ judgeModel: 'own-2' }), registry, { given })('judge')?.id).toBe('given');
  });
});
