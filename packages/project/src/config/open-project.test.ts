// Isolated: it registers a criterion in the default registry.
import { join } from 'node:path';
import { defineCriterion, noOptions, type Plugin, registerPlugin } from '@agent-criteria/core';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { smallProject } from '../__fixtures__/small-project.ts';
import { prepareRun } from '../runs/prepare-run.ts';
import { openProject } from './open-project.ts';
import { loadProjectConfig } from './project-config.ts';
import { settingsOfText } from './settings/setting-texts.ts';
import { settingTypes } from './settings/setting-type.ts';
import { settingOf, settingsFrom } from './settings/setting-values.ts';
import { settingNames, settings } from './settings/settings.ts';

const criterionOf = (name: string): Plugin =>
  defineCriterion({
    name,
    description: 'Anything will do.',
    decides: true,
    origin: { package: name, version: '1.0.0' },
    range: { min: 0, max: 1, better: 'higher' },
    options: noOptions,
    scope: 'turn',
    evaluate: () => ({ value: 1 }),
  });

describe('openProject', () => {
  it('prefers given settings to variables, and variables to the config', async () => {
    const agent = folderOf({ 'agent-criteria.config.json': { runsFolder: 'mine', repeats: 2, turnTimeout: '5s' } });
    const environment = { AGENT_CRITERIA_REPEATS: '3', AGENT_CRITERIA_TURN_TIMEOUT: '6' };
    const { config, given, runsFolder } = await openProject({
      agent,
      environment,
      applyEnvironment: false,
      settings: { repeats: 4 },
    });
    expect(config.settings).toMatchObject({ repeats: 4, turnTimeout: '6000ms' });
    expect(config.origins).toMatchObject({ repeats: 'flag', turnTimeout: 'environment', runsFolder: 'config' });
    expect(given).toEqual({ repeats: 4 });
    expect(runsFolder).toBe(join(agent, 'mine'));
  });

  it('rejects a setting given as an option if and only if it would be invalid in a config', async () => {
    const agent = folderOf({});
    const numbers = [0, -1, 1.5, 1, 10_000, 10_001, 1e9, 2 ** 31, 2 ** 53, 1e300];
    const values = [
      ...numbers,
      '',
      ' ',
      'x',
      'auto:5',
      'auto:99999',
      'replay',
      'adk',
      true,
      false,
      null,
      [],
      [1],
      {},
      { x: 1 },
    ];
    let [refused, accepted] = [0, 0];
    for (const name of settingNames) {
      for (const value of values) {
        const given = settingsFrom([[name, value]]);
        const file = join(folderOf({ 'agent-criteria.config.json': given }), 'agent-criteria.config.json');
        const inConfig = await loadProjectConfig(file, { environment: {} }).then(
          () => true,
          () => false,
        );
        const asOption = await openProject({ agent, settings: given, environment: {}, applyEnvironment: false }).then(
          () => true,
          (error) => {
            expect(error).toMatchObject({
              code: 'USAGE',
              message: expect.stringContaining(name.split('.')[0] as string),
            });
            return false;
          },
        );
        expect([name, value, asOption]).toEqual([name, value, inConfig]);
        if (asOption) accepted += 1;
        else refused += 1;
        // Flags have the same limits. Durations are skipped, because bare numbers in flags are seconds.
        const isText = typeof value === 'string' || typeof value === 'number';
        const { text } = settingTypes[settings[name].type];
        if (!isText || !text || asOption !== true || settings[name].type === 'duration') continue;
        expect([name, settingOf(settingsFrom(settingsOfText(name, String(value)) ?? []), name)]).toEqual([name, value]);
      }
    }
    expect([refused > 200, accepted > 50]).toEqual([true, true]);
    const mistaken = { repeats: 1e9, judgeModle: 'x' } as object;
    await expect(openProject({ agent, settings: mistaken, environment: {} })).rejects.toThrow(
      /settings\.repeats: must be a whole number above 0, at most 10000.*\n.*judgeModle.*did you mean "judgeModel"/,
    );
  });

  it('sets variables from .env files in process.env, unless applyEnvironment is false', async () => {
    const name = 'AGENT_CRITERIA_TEST_OF_PROJECTS';
    const agent = folderOf({ '.env': `${name}=here\n` });
    const { environment } = await openProject({ agent, applyEnvironment: false });
    expect([environment.variables[name], process.env[name]]).toEqual(['here', undefined]);
    await openProject({ agent });
    expect(process.env[name]).toBe('here');
    delete process.env[name];
  });

  it('reports every mistake in a config', async () => {
    const agent = folderOf({ 'agent-criteria.config.json': { repeats: 'many', turnTimeout: 'long' } });
    const opened = openProject({ agent, environment: {} });
    await expect(opened).rejects.toMatchObject({ problems: [{}, {}] });
  });
});

describe('builtIn', () => {
  const criteria = (...names: string[]) => ({ criteria: Object.fromEntries(names.map((name) => [name, 1])) });
  const place = Symbol.for('agent-criteria/project/open-project-test');
  const files = (...names: string[]) => ({
    'test_config.json': criteria(...names),
    'agent-criteria.config.mjs': `export default { plugins: [globalThis[Symbol.for('${Symbol.keyFor(place)}')]] };`,
  });
  Object.assign(globalThis, { [place]: criterionOf('of_the_project') });
  registerPlugin(criterionOf('registered'));

  const criteriaOf = async (names: readonly string[], more: object) => {
    const { folder, options } = smallProject(files(...names));
    const { sets } = await prepareRun({ ...options, agent: folder, ...more });
    return sets.flatMap(({ plan }) => plan.criteria.map(({ name }) => name));
  };

  it('replaces registered plugins, but not those of the project', async () => {
    const builtIn = { plugins: [criterionOf('brought')] };
    expect(await criteriaOf(['brought', 'of_the_project'], { builtIn })).toEqual(['brought', 'of_the_project']);
    await expect(criteriaOf(['registered'], { builtIn })).rejects.toMatchObject({ code: 'UNKNOWN_CRITERION' });
  });

  it('defaults to the plugins that were registered by importing them', async () => {
    const names = ['registered', 'of_the_project'];
    expect(await criteriaOf(names, { builtIn: undefined })).toEqual(names);
  });
});
