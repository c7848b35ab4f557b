import { join } from 'node:path';
import { CriteriaError, type LanguageModel } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../__fixtures__/folder.ts';
import { findProjectConfig, loadProjectConfig } from './project-config.ts';
import { projectModels } from './project-models.ts';
import { projectRunsFolder, projectSettings } from './project-settings.ts';

/** A provider as somebody else would publish it, without a dependency. */
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
  it('is the nearest one from the agent up, in TypeScript before JavaScript before JSON', async () => {
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
  it('is empty where there is none', async () => {
    expect(await loadProjectConfig(undefined)).toMatchObject({ file: null, value: {}, plugins: [] });
  });

  it.each(['agent-criteria.config.ts', 'agent-criteria.config.mts', 'agent-criteria.config.mjs'])(
    'loads %s with plugins as values, paths and packages, from its own folder',
    async (name) => {
      const folder = folderOf({
        [name]: `import { provider } from './own.mjs'; export default { plugins: [provider, './path.mjs', 'theirs'], runsFolder: 'runs', limits: { agents: 2, turnTimeout: undefined } };`,
        'own.mjs': provider('own'),
        'path.mjs': provider('path'),
        'node_modules/theirs/package.json': { name: 'theirs', type: 'module', exports: './index.js' },
        'node_modules/theirs/index.js': provider('theirs'),
      });
      const project = await loadProjectConfig(join(folder, name));
      expect(project.plugins.map((plugin) => plugin.name)).toEqual(['own', 'path', 'theirs']);
      expect(projectRunsFolder(project)).toBe(join(folder, 'runs'));
      expect(projectSettings(project)).toEqual({ concurrency: { agents: 2 } });
    },
  );

  it('reads JSON, comments included and without a word on Python', async () => {
    const folder = folderOf({
      'agent-criteria.config.json': '{ // mine\n "judge": "own-1", "limits": { "scoring": 3 }, }',
    });
    const { value, warnings } = await loadProjectConfig(join(folder, 'agent-criteria.config.json'));
    expect(value).toEqual({ judge: 'own-1', limits: { scoring: 3 } });
    expect(warnings).toEqual([]);
  });

  it('tells every mistake at once, each with its path', async () => {
    const config = {
      plugin: ['a'],
      plugins: ['', 5, { name: 'x' }],
      models: { fast: { id: 'x' }, 'the judge': '' },
      judge: 7,
      limits: { agents: 0, turnTimeOut: 5, runTimeout: 1.5, scoring: '4', maxRetries: -1, callTimeout: 0, calls: null },
      cache: true,
      recording: { mode: 'play' },
      budget: { maxCalls: 1.5, maxCost: -1, max_tokens: 5 },
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
      '$.judge write a text that is not empty',
      '$.limits.agents must be a whole number above 0, not 0',
      '$.limits.turnTimeOut unknown key "turnTimeOut"; did you mean "turnTimeout"?',
      '$.limits.runTimeout must be a whole number above 0, not 1.5',
      '$.limits.scoring must be a whole number above 0, not a string',
      '$.limits.maxRetries must be a whole number from 0 up, not -1',
      '$.limits.callTimeout must be a whole number above 0, not 0',
      '$.limits.calls must be a whole number above 0, not null',
      '$.cache write the path of a folder, or false',
      '$.recording.mode must be one of "off", "auto", "record", "replay"',
      '$.budget.maxCalls must be a whole number from 0 up, not 1.5',
      '$.budget.maxCost must be a number from 0 up, not -1',
      '$.budget.max_tokens unknown key "max_tokens"; did you mean "maxTokens"?',
      '$.prices["own-1"].input must be a number from 0 up, not -1',
      '$.runsFolder write a text that is not empty',
      '$.redact write a function',
      '$.config write a config with "criteria", or the path of one',
    ]);
  });

  it.each([
    [
      'export const config = {};',
      'undefined the config has no default export: write export default defineConfig({ … }) (it exports config)',
    ],
    ['export default [];', '$ write an object with'],
    ["throw new Error('no key');", 'undefined the config does not load: no key (at '],
    [
      'export default { criteria: {} };',
      '$.criteria unknown key "criteria": this is the config of a project; write { config: { criteria: { … } } }',
    ],
    ["export default { plugins: ['./none.mjs'] };", '$.plugins[0] the plugin "./none.mjs" does not load'],
    ['export default { constructor: 1, toString: 2 };', '$.constructor unknown key "constructor"; known are'],
  ])('refuses %s', async (source, told) => {
    const file = join(folderOf({ 'agent-criteria.config.mjs': source }), 'agent-criteria.config.mjs');
    expect((await problemsOf(file))[0]).toContain(told);
  });

  it('refuses a key of the prototype in JSON', async () => {
    const file = join(
      folderOf({ 'agent-criteria.config.json': '{"__proto__": {"judge": "x"}}' }),
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
  const project = (value: object) => ({ file: 'x', folder: '.', value, plugins: [], warnings: [] });

  it('takes a function for a model', async () => {
    const judge = async (prompt: string) => `asked: ${prompt}`;
    const models = projectModels(project({ models: { mine: judge }, judge: 'mine' }), registry);
    const { signal } = new AbortController();
    const request = { messages: [{ role: 'user', parts: [{ text: 'good?' }] }], sample: 0 };
    expect(await models('judge')?.generate(request, signal)).toMatchObject({ text: 'asked: good?', finish: 'stop' });
    expect(models('judge')).toBe(models('mine'));
    expect(models('mine')?.id).toBe('mine');
  });

  it('knows models by the names of the config, as values or as names of a provider', () => {
    const models = projectModels(project({ models: { fast: 'own-1', mine: model('mine') } }), registry);
    expect(models('fast')?.id).toBe('own-1');
    expect(models('fast')).toBe(models('fast'));
    expect(models('mine')?.id).toBe('mine');
    expect(models('toString')).toBeUndefined();
    expect(models('judge')).toBeUndefined();
  });

  it.each([
    [{ judge: 'own-2' }, 'own-2'],
    [{ judge: 'fast', models: { fast: 'own-1' } }, 'own-1'],
    [{ judge: 'fast', models: { fast: model('value') } }, 'value'],
    [{ models: { judge: 'own-3' } }, 'own-3'],
  ])('the judge of %j is %s', (config, id) => {
    expect(projectModels(project(config), registry)('judge')?.id).toBe(id);
  });

  it('replaces a judge that nobody provides by no other', () => {
    for (const config of [{ judge: 'nobody' }, { models: { judge: 'nobody' } }]) {
      const judge = projectModels(project(config), registry)('judge');
      expect(judge?.access?.({}).problems[0]?.message).toContain('nothing provides the model "');
    }
    expect(
      projectModels(project({ judge: 'own-1' }), registry, { judgeModel: 'x' })('judge')?.access?.({}).problems,
    ).toHaveLength(1);
  });

  it('leaves the first word to the caller', () => {
    const given = (name: string) => (name === 'judge' ? model('given') : undefined);
    expect(projectModels(project({ judge: 'own-2' }), registry, { given })('judge')?.id).toBe('given');
  });
});
