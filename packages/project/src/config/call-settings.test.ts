import { join, resolve } from 'node:path';
import { defineCriterion, noOptions } from '@agent-criteria/core';
import { createRegistry, type Plan } from '@agent-criteria/core/host';
import { evalCase, evalSet, scriptedModel } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import { loadPlan } from '../plan/load-plan.ts';
import { openPolicies } from '../plan/open-policies.ts';
import { makesCalls, plannedModels } from '../plan/planned-models.ts';
import { type CallOptions, callSettings, isReplayOnly } from './call-settings.ts';
import { type LoadedProjectConfig, withoutProjectConfig } from './project-config.ts';
import type { Settings } from './settings/settings-type.ts';

const project = (settings: Settings, folder = '/project'): LoadedProjectConfig => ({
  ...withoutProjectConfig(),
  file: join(folder, 'agent-criteria.config.ts'),
  folder,
  settings,
});

describe('callSettings', () => {
  it("prefers the caller's settings to those of the project", () => {
    const own = project({
      concurrency: { calls: 3, agents: 9 },
      callTimeout: '5ms',
      maxRetries: 2,
      requestsPerMinute: 60,
      tokensPerMinute: 1000,
      maxCalls: 10,
      maxCost: 2,
      prices: { x: { inputTokens: 1 } },
    });
    expect(callSettings(own, { maxRetries: 0, maxCalls: 5, maxTokens: undefined })).toMatchObject({
      concurrency: { calls: 3 },
      callTimeout: '5ms',
      maxRetries: 0,
      requestsPerMinute: 60,
      tokensPerMinute: 1000,
      maxCalls: 5,
      maxTokens: undefined,
      maxCost: 2,
      prices: { x: { inputTokens: 1 } },
      recording: undefined,
    });
  });

  it('caches answers next to the config by default, and not at all without a config', () => {
    expect(callSettings(project({})).cache).toBe(resolve('/project/.agent-criteria/cache'));
    expect(callSettings(project({ cache: '/project/kept' })).cache).toBe(resolve('/project/kept'));
    expect(callSettings(project({ cache: false })).cache).toBe(false);
    expect(callSettings(project({}), { cache: 'here' }).cache).toBe(resolve('here'));
    expect(callSettings(project({}), { cache: false }).cache).toBe(false);
    expect(callSettings(withoutProjectConfig()).cache).toBe(false);
  });

  it('resolves the file of a recording, and isReplayOnly detects a replay', () => {
    const own = project({ recording: { file: '/project/judge.jsonl', label: 'mine' } });
    expect(callSettings(own).recording).toEqual({ file: resolve('/project/judge.jsonl'), mode: 'auto', label: 'mine' });
    expect(callSettings(own, { recording: { file: 'other.jsonl', mode: 'replay' } }).recording).toMatchObject({
      file: resolve('other.jsonl'),
      mode: 'replay',
    });
    expect(callSettings(own, { recording: { mode: 'replay' } }).recording).toMatchObject({
      file: resolve('/project/judge.jsonl'),
      mode: 'replay',
    });
    expect(callSettings(own, { recording: { mode: 'off' } }).recording).toBeUndefined();
    expect([isReplayOnly(own), isReplayOnly(own, { recording: { mode: 'replay' } })]).toEqual([false, true]);
    expect(isReplayOnly(project({ recording: { file: 'x', mode: 'replay' } }))).toBe(true);
    expect(() => callSettings(project({ recording: { mode: 'replay' } }))).toThrow('name the file of the recording');
    const byFlag = { ...project({ recording: { mode: 'replay' } }), origins: { 'recording.mode': 'flag' } } as const;
    expect(() => callSettings(byFlag)).toThrow(/^--recording: name the file of the recording/);
  });

  it.each<[unknown, string]>([
    [{ maxRetrys: 1 }, 'calls.maxRetrys: unknown key "maxRetrys"; did you mean "maxRetries"?'],
    [{ zzz: 1 }, 'calls.zzz: unknown key "zzz"; known are concurrency, callTimeout, '],
    [{ turnTimeout: 1 }, 'calls.turnTimeout: unknown key "turnTimeout"'],
    [{ maxCalls: -1 }, 'calls.maxCalls: must be a whole number from 0 up, not -1'],
    [{ cache: null }, 'calls.cache: must be the path of a folder, or false, not null'],
    [{ cache: true }, 'calls.cache: must be the path of a folder, or false, not true'],
    [{ cache: '' }, 'calls.cache: must be the path of a folder, or false, not ""'],
    [{ concurrency: 4 }, 'calls.concurrency: must be an object with calls, not 4'],
    [{ recording: 'judge.jsonl' }, 'calls.recording: must be an object with file, mode, label, not "judge.jsonl"'],
    [{ recording: { file: 5 } }, 'calls.recording.file: must be the path of a file, not 5'],
    ['cache', 'calls: must be an object with '],
  ])('rejects the invalid options %j', (options, told) => {
    const refused = expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(told) });
    expect(() => callSettings(withoutProjectConfig(), options as CallOptions)).toThrow(refused);
  });

  it('reports every invalid option, even without a plan', async () => {
    const options = { cash: false, recording: { most: 1 } } as CallOptions;
    await expect(openPolicies([], withoutProjectConfig(), options)).rejects.toMatchObject({
      problems: [{ message: expect.stringContaining('"cash"') }, { message: expect.stringContaining('"most"') }],
    });
  });

  it(`passes the kind "call" to redact, and prefers the caller's redact and prices`, () => {
    const kinds: string[] = [];
    const { redact } = callSettings(project({ redact: (_, kind) => kinds.push(kind) }));
    redact?.('x');
    expect(kinds).toEqual(['call']);
    const given = callSettings(project({ prices: {} }), { redact: () => 'other', prices: { x: { inputTokens: 1 } } });
    expect([given.redact?.('x'), given.prices]).toEqual(['other', { x: { inputTokens: 1 } }]);
  });
});

const plain = defineCriterion({
  name: 'plain',
  description: 'Plain.',
  decides: true,
  origin: { package: 'plain', version: '1.0.0' },
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  scope: 'turn',
  evaluate: () => ({ value: 1 }),
});
const asking = defineCriterion({ ...plain, name: 'asking', models: () => ['judge', 'fast', 'nobody'] });
const paying = defineCriterion({ ...plain, name: 'paying', estimate: () => ({ min: 1, max: 1 }) });

async function planOf(...names: string[]): Promise<Plan> {
  const set = evalSet([evalCase('a', [{ user: 'Hi' }])]);
  const models = { judge: scriptedModel([], 'own/judge'), fast: scriptedModel([], 'own/fast'), nobody: undefined };
  const { plan } = await loadPlan({
    evalSet: set,
    config: { criteria: Object.fromEntries(names.map((name) => [name, 1])) },
    registry: createRegistry([plain, asking, paying]),
    models: (name) => models[name as 'judge'] ?? scriptedModel([], name),
  });
  return plan;
}

describe('plannedModels and makesCalls', () => {
  it('plannedModels lists each model that the criteria call, without duplicates', async () => {
    const plans = [await planOf('plain', 'asking'), await planOf('asking')];
    expect(plannedModels(plans).map(({ name, model, askedBy }) => [name, model.id, askedBy])).toEqual([
      ['judge', 'own/judge', ['asking']],
      ['fast', 'own/fast', ['asking']],
      ['nobody', 'nobody', ['asking']],
    ]);
    expect(plannedModels([await planOf('plain', 'paying')])).toEqual([]);
  });

  it('makesCalls is true if any criterion calls a model or a service', async () => {
    expect(makesCalls(await planOf('plain'))).toBe(false);
    expect(makesCalls(await planOf('plain', 'asking'))).toBe(true);
    expect(makesCalls(await planOf('paying'))).toBe(true);
  });
});

describe('openPolicies', () => {
  it('returns undefined if no plan makes a call', async () => {
    expect(await openPolicies([await planOf('plain')], project({ maxCalls: 3 }))).toBeUndefined();
  });

  it('rejects a cost limit if models have no price, and names those models', async () => {
    const plans = [await planOf('asking')];
    await expect(openPolicies(plans, project({}), { cache: false, maxCost: 1 })).rejects.toMatchObject({
      problems: ['own/judge', 'own/fast', 'nobody'].map((id) => ({ message: expect.stringContaining(id) })),
    });
  });
});
