import { join } from 'node:path';
import { CriteriaError, type Plugin } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { type LoadPlanOptions, loadPlan } from '../plan/load-plan.ts';
import { withJudgeModel } from './judge-model.ts';
import { withoutProjectConfig } from './project-config.ts';
import { withSettings } from './settings/with-settings.ts';

const judged = `export const it = {
  kind: 'criterion', specVersion: 3, name: 'polite', origin: { package: 'polite', version: '1.0.0' },
  description: 'x', decides: true, range: { min: 0, max: 1, better: 'higher' }, scope: 'turn', evaluate: () => ({ value: 1 }),
  models: ({ judgeModelOptions = {} }) => [judgeModelOptions.judgeModel ?? 'judge'],
  options: {
    jsonSchema: { type: 'object', properties: { judgeModelOptions: { type: 'object', properties: {
      judgeModel: { type: 'string' }, numSamples: { type: 'integer' } }, additionalProperties: false } } },
    '~standard': { version: 1, vendor: 'x', validate: (value) => ({ value }) },
  },
};`;
const providerOf = (name: string, prefix: string): Plugin => ({
  kind: 'model-provider',
  specVersion: 1,
  name,
  names: `${prefix}…`,
  origin: { package: name, version: '1.0.0' },
  accepts: (model) => model.startsWith(prefix),
  create: (model) => ({ id: model, generate: () => Promise.reject(new Error('never')) }),
});
const registry = createRegistry([providerOf('own', 'own-')]);

const strict = { agent_criteria: { polite: { judgeModelOptions: { judge_model: 'own-case', num_samples: 3 } } } };
const written = (id: string) => ({
  eval_id: id,
  conversation: [{ user_content: { role: 'user', parts: [{ text: 'Hi' }] } }],
});
const files = {
  'a.test.json': { eval_set_id: 'a', eval_cases: [{ ...written('x'), ...strict }, written('y')] },
  'test_config.json': {
    plugins: ['./polite.mjs'],
    criteria: { polite: { threshold: 1, judge_model_options: { judge_model: 'own-config', num_samples: 5 } } },
  },
  'polite.mjs': judged,
};

async function planOf(more: Partial<LoadPlanOptions>, changed: Readonly<Record<string, unknown>> = {}) {
  const folder = folderOf({ ...files, ...changed });
  return loadPlan({ evalSet: join(folder, 'a.test.json'), registry, ...more });
}

async function problemsOf(more: Partial<LoadPlanOptions>, changed: Readonly<Record<string, unknown>> = {}) {
  try {
    await planOf(more, changed);
  } catch (error) {
    if (CriteriaError.is(error)) return error.message;
    throw error;
  }
  throw new Error('there is no problem');
}

describe('judgeModel', () => {
  it('replaces every judge named in the config and in cases, and nothing else', async () => {
    const { plan } = await planOf({ judgeModel: 'own-flag' });
    const [polite] = plan.criteria;
    expect(polite?.options).toEqual({ judgeModelOptions: { judgeModel: 'own-flag', numSamples: 5 } });
    expect(polite?.caseOptions.get('x')).toEqual({ judgeModelOptions: { judgeModel: 'own-flag', numSamples: 3 } });
    expect(polite?.written).toMatchObject({ judge_model_options: { judge_model: 'own-flag', num_samples: 5 } });
    expect(plan.models('judge')?.id).toBe('own-flag');
    expect(plan.models('judge')).toBe(plan.models('own-flag'));
    const before = (await planOf({})).plan.criteria[0];
    expect(before?.options).toEqual({ judgeModelOptions: { judgeModel: 'own-config', numSamples: 5 } });
  });

  it("is looked up among the project's models, and overrides the project's judge", async () => {
    const settings = { judgeModel: 'own-project', models: { mine: 'own-mine' } };
    const project = { ...withoutProjectConfig(), settings };
    const { plan } = await planOf({ judgeModel: 'mine', project, models: () => undefined });
    expect(plan.models('judge')?.id).toBe('own-mine');
    expect(plan.models('mine')?.id).toBe('own-mine');
    expect((await planOf({ project })).plan.models('judge')?.id).toBe('own-project');
  });

  it('replaces every judge if set by a flag or a variable, but only the default judge if set in the config', async () => {
    const settings = { judgeModel: 'own-project', compat: 'adk' } as const;
    for (const source of ['flag', 'environment', 'config'] as const) {
      const { plan } = await planOf({ project: withSettings(withoutProjectConfig(), settings, source) });
      const judge = source === 'config' ? 'own-config' : 'own-project';
      expect(plan.criteria[0]?.options).toMatchObject({ judgeModelOptions: { judgeModel: judge } });
      expect(plan.models('judge')?.id).toBe('own-project');
      expect(plan.compat).toBe('adk');
    }
    const project = withSettings(withoutProjectConfig(), settings, 'environment');
    const { plan } = await planOf({ project, judgeModel: 'own-flag', compat: null });
    expect(plan.criteria[0]?.options).toMatchObject({ judgeModelOptions: { judgeModel: 'own-flag' } });
    expect(plan.compat).toBeNull();
  });

  it('does not modify the config, and leaves its mistakes for resolving to report', async () => {
    const config = {
      criteria: {
        polite: {
          threshold: 7,
          agentCriteria: { judge_model_options: { judgeModel: 'a' } },
          judge_model_options: { judge_model: 5, judgeModel: 'b' },
        },
      },
    };
    const text = JSON.stringify(config);
    expect(withJudgeModel(config, 'c')).toEqual(
      JSON.parse(text.replaceAll(/"judgeModel":"[ab]"/g, '"judgeModel":"c"')),
    );
    expect(JSON.stringify(config)).toBe(text);
    for (const odd of [null, 5, [], { criteria: null }, { criteria: [{}] }, { criteria: { polite: 0.5 } }]) {
      expect(withJudgeModel(odd, 'c')).toEqual(odd);
    }
    const hostile: unknown = JSON.parse('{"criteria": {"__proto__": {"judge_model_options": {"judge_model": "a"}}}}');
    expect(JSON.stringify(withJudgeModel(hostile, 'c'))).toContain(
      '{"__proto__":{"judge_model_options":{"judge_model":"c"}}}',
    );
    const broken = { 'test_config.json': { ...files['test_config.json'], criteria: { polite: { threshold: 7 } } } };
    const told = await problemsOf({ judgeModel: 'own-flag' }, broken);
    expect(told).toMatch(/test_config\.json \$\.criteria\.polite: the threshold 7 is outside/);
  });

  it('is rejected with a list of known models if no provider accepts it', async () => {
    const project = { ...withoutProjectConfig(), settings: { models: { mine: 'own-mine' } } };
    const told = await problemsOf({ judgeModel: 'mind', project });
    const plain = { ...files['test_config.json'], criteria: { polite: { threshold: 1 } } };
    for (const more of [
      { judgeModel: 'mind', project },
      { project: { ...project, settings: { judgeModel: 'mind' } } },
    ]) {
      const same = await problemsOf({ ...more, cases: ['y'] }, { 'test_config.json': plain });
      expect(same).toMatch(/test_config\.json \$\.criteria\.polite: no provider for the model "mind"/);
    }
    expect(told).toMatch(
      /no provider for the model "mind" is registered; did you mean "mine"\? \(there are "mine", [^)]*own-…[^)]*\)/,
    );
    // In this workspace, all provider packages are installed.
    expect(told).not.toContain('can be installed');
  });
});

describe('model providers', () => {
  const manifest = (name: string, ...entries: string[]) => ({
    name,
    type: 'module',
    exports: Object.fromEntries(entries.map((entry) => [entry, `${entry}.js`])),
  });
  const source = (name: string, prefix: string) => `import { writeFileSync } from 'node:fs';
    writeFileSync(new URL('imported', import.meta.url), '');
    export const provider = { kind: 'model-provider', specVersion: 1, name: '${name}', origin: { package: '@agent-criteria/${name}', version: '0.1.0' },
      accepts: (model) => model.startsWith('${prefix}'), create: (model) => ({ id: 'made ' + model, generate: async () => { throw new Error('never'); } }) };`;
  const gemini = 'node_modules/@agent-criteria/model-gemini';
  const models = 'node_modules/@agent-criteria/models';
  const installed = {
    [`${gemini}/package.json`]: manifest('@agent-criteria/model-gemini', './pure'),
    [`${gemini}/pure.js`]: source('model-gemini', 'gemini-'),
    [`${models}/package.json`]: manifest('@agent-criteria/models', './openai-compatible'),
    [`${models}/openai-compatible.js`]: source('models', 'ollama/'),
  };
  const named = (model: string) => ({
    'test_config.json': {
      plugins: ['./polite.mjs'],
      criteria: { polite: { threshold: 1, judge_model_options: { judge_model: model } } },
    },
  });

  it('are loaded from installed packages if a criterion calls a model', async () => {
    const { plan } = await planOf({}, { ...installed, ...named('ollama/qwen3') });
    expect(plan.models('ollama/qwen3')?.id).toBe('made ollama/qwen3');
    expect(plan.models('judge')?.id).toBe('made gemini-2.5-flash');
    expect(plan.models('judge')).toBe(plan.models('gemini-2.5-flash'));
  });

  it('are not imported if no criterion calls a model', async () => {
    const folder = folderOf({
      ...files,
      ...installed,
      'test_config.json': { plugins: ['./plain.mjs'], criteria: { polite: 1 } },
      'plain.mjs': judged.replace(/models: .*/, ''),
    });
    await loadPlan({ evalSet: join(folder, 'a.test.json'), registry });
    await loadPlan({
      evalSet: join(folder, 'a.test.json'),
      config: { ...files['test_config.json'] },
      only: 'inferences',
      registry: createRegistry([]),
    }).catch(() => undefined);
    const { existsSync } = await import('node:fs');
    expect(existsSync(join(folder, gemini, 'imported'))).toBe(false);
    expect(existsSync(join(folder, models, 'imported'))).toBe(false);
  });

  it('are tried in this order: those in the registry, in installed packages, from the caller', async () => {
    const mine = createRegistry([providerOf('own', 'own-'), providerOf('model-gemini', 'gemini-')]);
    const { plan } = await planOf({ registry: mine }, { ...installed, ...named('gemini-2.5-flash') });
    expect(plan.models('judge')?.id).toBe('gemini-2.5-flash');
    const providers = async () => [providerOf('models', 'ollama/'), providerOf('other', 'other/')];
    const both = await planOf({ providers }, { ...installed, ...named('other/x') });
    expect(both.plan.models('ollama/a')?.id).toBe('made ollama/a');
    expect(both.plan.models('other/x')?.id).toBe('other/x');
  });

  it('are not needed if answers are recorded', async () => {
    const project = { ...withoutProjectConfig(), settings: { models: { mine: 'elsewhere/7' } } };
    const { plan } = await planOf({ modelsRecorded: true, judgeModel: 'mine', project, registry: createRegistry() });
    const model = plan.models('judge');
    expect(model?.id).toBe('elsewhere/7');
    await expect(model?.generate({ messages: [], sample: 0 }, AbortSignal.timeout(1000))).rejects.toMatchObject({
      code: 'RECORDING_MISSING',
    });
    const byDefault = await planOf({ modelsRecorded: true, registry: createRegistry() }, named('gone-1'));
    expect(byDefault.plan.models('judge')?.id).toBe('gemini-2.5-flash');
    expect(byDefault.plan.models('gone-1')?.id).toBe('gone-1');
  });
});
