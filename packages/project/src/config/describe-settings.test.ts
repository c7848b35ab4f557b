import { expect, it } from 'vitest';
import { describeSettings } from './describe-settings.ts';
import { loadProjectConfig, withoutProjectConfig } from './project-config.ts';
import { settingNames } from './settings/settings.ts';
import { withSettings } from './settings/with-settings.ts';

it('describeSettings gives each value with its source: flag, variable, config or default', async () => {
  const environment = { AGENT_CRITERIA_JUDGE_MODEL: 'ours', AGENT_CRITERIA_MAX_CALLS: '5' };
  const before = { ...(await loadProjectConfig(undefined, { environment })), file: '/a/agent-criteria.config.ts' };
  const models = { fast: { id: 'fast', key: 'secret', generate: () => Promise.reject(new Error('never')) } };
  const written = withSettings(withoutProjectConfig(), { models, redact: (value) => value, maxCalls: 1 }, 'config');
  const merged = { ...before, origins: { ...written.origins, ...before.origins } };
  const settings = { ...written.settings, ...before.settings };
  const all = describeSettings(withSettings({ ...merged, settings }, { concurrency: { calls: 2 } }, 'flag'));
  expect(all.map(({ name }) => name)).toEqual(settingNames);
  const of = (name: string) => all.find((one) => one.name === name);
  expect(of('concurrency.calls')).toEqual({
    name: 'concurrency.calls',
    value: 2,
    source: 'flag',
    from: '--concurrency-calls',
  });
  expect(of('judgeModel')).toMatchObject({ value: 'ours', from: 'AGENT_CRITERIA_JUDGE_MODEL' });
  expect(of('maxCalls')).toMatchObject({ value: 5, source: 'environment' });
  expect(of('redact')).toMatchObject({ value: 'a function', source: 'config', from: '/a/agent-criteria.config.ts' });
  expect(of('models')).toMatchObject({ value: 'fast' });
  expect(of('turnTimeout')).toEqual({ name: 'turnTimeout', value: 300_000, source: 'default', from: null });
  expect(of('caseTimeout')).toMatchObject({ value: null, source: 'default' });
  expect(JSON.stringify(all)).not.toContain('secret');
});
