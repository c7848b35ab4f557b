import { DURATION_PATTERN, LONGEST_TIMER } from '@agent-criteria/calls';
import { DEFAULT_JUDGE_MODEL } from '@agent-criteria/core/host';
import { RUNS_FOLDER, type RunOptions } from '@agent-criteria/runner';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { EvaluateOptions } from '../../runs/evaluate.ts';
import { mistakesOf } from './check-setting.ts';
import { settingsOfText } from './setting-texts.ts';
import { settingTypes } from './setting-type.ts';
import { overlaySettings, settingOf, settingsFrom } from './setting-values.ts';
import { settingNames, settings } from './settings.ts';
import type { Settings } from './settings-type.ts';
import { flagOf, variableOf } from './text-names.ts';

describe('settings', () => {
  it('derive their flag and variable from their name, without duplicate flags', () => {
    expect([flagOf('concurrency.agents'), variableOf('concurrency.agents')]).toEqual([
      'concurrency_agents',
      'AGENT_CRITERIA_CONCURRENCY_AGENTS',
    ]);
    expect([flagOf('judgeModel'), variableOf('judgeModel')]).toEqual(['judge_model', 'AGENT_CRITERIA_JUDGE_MODEL']);
    const extra = settingNames.flatMap((name) => [
      ...(settings[name].adkFlag === undefined ? [] : [settings[name].adkFlag]),
      ...Object.keys(settings[name].shorthands ?? {}),
    ]);
    // The mode of a recording is part of the text for its file, so it has no flag.
    const own = settingNames.filter((name) => settings[name].type !== 'recordingMode');
    const flags = [...own.map(flagOf), ...extra];
    expect(new Set(flags).size).toBe(flags.length);
  });

  it('have either a valid default or a description of the behaviour without one', () => {
    for (const name of settingNames) {
      const { default: value, without } = settings[name];
      expect([name, value === undefined], 'one of the two').toEqual([name, without !== undefined]);
      if (value !== undefined) expect(mistakesOf(settings[name], value, name)).toEqual([]);
    }
  });

  it('have the same defaults and limits as the code that uses them', () => {
    expect(settings.judgeModel.default).toBe(DEFAULT_JUDGE_MODEL);
    expect(settingTypes.duration.schema?.(settings.runTimeout)).toMatchObject({
      anyOf: [{ pattern: DURATION_PATTERN }, { maximum: LONGEST_TIMER }],
    });
    expect(String(settings.runsFolder.default).split('/')).toEqual(RUNS_FOLDER.split(/[\\/]/));
  });

  it('reject more repeats than a run may have', () => {
    expect(mistakesOf(settings.repeats, 1_000_000, 'repeats')).toEqual([
      ['repeats', 'must be a whole number above 0, at most 10000, or auto:MAX, such as auto:60, not 1000000'],
    ]);
  });

  it('accept their own values as text', () => {
    for (const name of settingNames) {
      const setting = settings[name];
      const { text } = settingTypes[setting.type];
      const sample = setting.default ?? setting.choices?.[0] ?? 7;
      if (text === undefined) continue;
      const [[, value] = []] = settingsOfText(name, String(sample)) ?? [];
      expect(mistakesOf(setting, value, name)).toEqual([]);
    }
  });

  it('have the same names and types as the options of a run', () => {
    type Shared =
      | 'turnTimeout'
      | 'caseTimeout'
      | 'runTimeout'
      | 'criterionTimeout'
      | 'prices'
      | 'maskSecrets'
      | 'redact';
    expectTypeOf<Pick<RunOptions, Shared>>().toEqualTypeOf<Pick<Settings, Shared>>();
    // `auto` is translated: the runner gets the maximum number of repeats and a function that decides when to stop.
    expectTypeOf<RunOptions['repeats']>().toEqualTypeOf<Exclude<Settings['repeats'], string>>();
    type Concurrency = NonNullable<Settings['concurrency']>;
    expectTypeOf<NonNullable<RunOptions['concurrency']>>().toEqualTypeOf<Pick<Concurrency, 'agents' | 'scoring'>>();
    expectTypeOf<NonNullable<EvaluateOptions['judgeModel']>>().toEqualTypeOf<NonNullable<Settings['judgeModel']>>();
    expectTypeOf<NonNullable<Settings['compat']>>().toEqualTypeOf<NonNullable<EvaluateOptions['compat']>>();
  });
});

describe('overlaySettings', () => {
  it('overrides each setting individually', () => {
    const below = {
      concurrency: { agents: 1, calls: 2 },
      cache: 'kept',
      recording: { file: 'a', label: 'x' },
    } as const;
    const over = { concurrency: { calls: 3, agents: undefined }, cache: false, recording: { mode: 'off' } } as const;
    expect(overlaySettings(below, over)).toEqual({
      concurrency: { agents: 1, calls: 3 },
      cache: false,
      recording: { file: 'a', label: 'x', mode: 'off' },
    });
    expect(settingOf(below, 'concurrency.calls')).toBe(2);
    expect(settingOf({}, 'recording.file')).toBeUndefined();
    expect(settingsFrom([['recording.mode', undefined]])).toEqual({});
  });
});
