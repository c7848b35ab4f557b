import { CriteriaError } from '@agent-criteria/core';
import { describe, expect, it } from 'vitest';
import { settingsOfFlags } from './flag-settings.ts';
import { settingFlags } from './setting-flags.ts';
import { environmentSettings } from './settings/environment-settings.ts';

describe('settingFlags', () => {
  it("derives flags from setting names, and adds ADK's names and shorthands", () => {
    const flags = settingFlags('repeats', 'concurrency.agents', 'turnTimeout', 'cache', 'recording.file');
    expect(Object.keys(flags)).toEqual([
      'repeats',
      'num_runs',
      'concurrency_agents',
      'turn_timeout',
      'cache',
      'no_cache',
      'recording',
    ]);
    expect(flags.concurrency_agents).toEqual({
      type: 'string',
      value: 'N',
      help: 'how many sessions are open at once (default 4)',
    });
    expect(flags.turn_timeout).toMatchObject({
      value: 'DURATION',
      help: 'how long one turn may take, in seconds or with a unit, such as 5m (default 300s)',
    });
  });
});

describe('settingsOfFlags', () => {
  const problemsOf = (flags: Readonly<Record<string, unknown>>) => {
    try {
      settingsOfFlags(flags);
    } catch (error) {
      if (CriteriaError.is(error)) return error.problems.map(({ code, message }) => `${code} ${message}`);
      throw error;
    }
    throw new Error('there is no problem');
  };

  it('converts seconds to milliseconds and expands shorthands', () => {
    expect(settingsOfFlags({ turn_timeout: '0.0005', call_timeout: '2', run_timeout: '1h', num_runs: '3' })).toEqual({
      turnTimeout: '1ms',
      callTimeout: '2000ms',
      runTimeout: '1h',
      repeats: 3,
    });
    expect(
      settingsOfFlags({ max_retries: '0', concurrency_calls: '2', no_cache: true, recording: 'a.jsonl:replay' }),
    ).toEqual({
      maxRetries: 0,
      concurrency: { calls: 2 },
      cache: false,
      recording: { file: 'a.jsonl', mode: 'replay' },
    });
    expect(settingsOfFlags({ repeats: '2', num_runs: '2', cache: 'false', no_cache: true })).toEqual({
      repeats: 2,
      cache: false,
    });
    expect(settingsOfFlags({})).toEqual({});
  });

  it('reports every mistake at once', () => {
    expect(
      problemsOf({ num_runs: '0', turn_timeout: 'soon', max_cost: '-1', judge_model: ' ', recording: ':' }),
    ).toEqual([
      'USAGE --judge-model must be a non-empty string, not " "',
      'USAGE --num-runs must be a whole number above 0, at most 10000, or auto:MAX, such as auto:60, not "0"',
      'USAGE --turn-timeout must be a number of seconds above 0, or a duration such as 5m or 500ms, at most 25 days, not "soon"',
      'USAGE --max-cost must be a number of 0 or more, not "-1"',
      'USAGE --recording must be FILE, FILE:MODE or :MODE, where MODE is auto, record, replay or off, not ":"',
    ]);
  });

  it.each([
    ['judge.jsonl', { file: 'judge.jsonl' }],
    ['judge.jsonl:record', { file: 'judge.jsonl', mode: 'record' }],
    ['C:\\answers\\record', { file: 'C:\\answers\\record' }],
    ['C:\\judge.jsonl:auto', { file: 'C:\\judge.jsonl', mode: 'auto' }],
    ['odd:name', { file: 'odd:name' }],
    ['replay', { file: 'replay' }],
    [':off', { mode: 'off' }],
  ])('splits the recording %j into file and mode at the last colon if the mode is known', (recording, set) => {
    expect(settingsOfFlags({ recording })).toEqual({ recording: set });
    expect(environmentSettings({ AGENT_CRITERIA_RECORDING: recording }).settings).toEqual({ recording: set });
  });

  it.each(['judge.jsonl:rewind', ':rewind', 'judge.jsonl:Replay'])(
    'rejects the unknown mode in the recording %j',
    (recording) => {
      expect(problemsOf({ recording })).toEqual([
        `USAGE --recording must be FILE, FILE:MODE or :MODE, where MODE is auto, record, replay or off, not ${JSON.stringify(recording)}`,
      ]);
    },
  );

  it.each(['1.5', 'many', '', ' ', '1e400', 'NaN', '9007199254740993'])('rejects the count %j', (written) => {
    expect(problemsOf({ concurrency_agents: written })).toHaveLength(1);
  });

  it('rejects more repeats than a run may have', () => {
    expect(settingsOfFlags({ repeats: '10000' })).toEqual({ repeats: 10_000 });
    expect(problemsOf({ repeats: '1000000' })).toEqual([
      'USAGE --repeats must be a whole number above 0, at most 10000, or auto:MAX, such as auto:60, not "1000000"',
    ]);
  });

  it('rejects flags that contradict each other', () => {
    expect(problemsOf({ repeats: '1', num_runs: '2' })).toEqual([
      'USAGE --repeats and --num-runs contradict each other: use only one of them',
    ]);
    expect(problemsOf({ cache: 'here', no_cache: true })).toHaveLength(1);
  });
});
