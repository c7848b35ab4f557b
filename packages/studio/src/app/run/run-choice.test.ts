import { expect, it } from 'vitest';
import type { CriterionChoice, RunChoices } from '../../api.ts';
import { configChoice, metricsChoice, metricsOf } from './run-choice.ts';

const criterion = (name: string, more: Partial<CriterionChoice> = {}): CriterionChoice => ({
  name,
  description: '',
  package: 'x',
  range: { min: 0, max: 1, better: 'higher' },
  decides: true,
  judged: false,
  schema: { properties: {} },
  default: null,
  chosen: null,
  fit: { cases: 2, reason: null },
  ...more,
});

const judge = { properties: { judgeModelOptions: {}, stopSignal: {} } };
const choices: RunChoices = {
  cases: 2,
  scenarios: 1,
  config: 'test_config.json',
  version: '"1"',
  notes: [],
  judgeModel: null,
  criteria: [
    criterion('words', { chosen: { threshold: 0.5, options: { language: 'de' } } }),
    criterion('calls', { default: 1, fit: { cases: 0, reason: 'no calls' }, chosen: { threshold: 1, options: {} } }),
    criterion('user', { schema: judge, judged: true }),
    criterion('seconds', { decides: false }),
  ],
  presets: [],
  simulators: [],
  userSimulator: { stop_signal: 'Bye', model: 'm' },
  settings: {
    repeats: { description: '', value: 1, most: null },
    concurrency: { description: '', value: 4, most: null },
  },
  variants: [],
};

it("configChoice() takes the config's criteria that fit a case", () => {
  expect(metricsOf(choices, configChoice(choices))).toEqual([
    { metricName: 'words', threshold: 0.5, criterion: { language: 'de' } },
  ]);
});

it('metricsChoice() takes the criteria of a preset, including informational ones', () => {
  const chosen = metricsChoice(choices, [
    { metricName: 'user', threshold: 0.9 },
    { metricName: 'seconds', threshold: null },
    { metricName: 'calls', threshold: 1 },
    { metricName: 'elsewhere', threshold: 1 },
  ]);
  expect(metricsOf(choices, chosen)).toEqual([
    { metricName: 'user', threshold: 0.9, criterion: { stop_signal: 'Bye' } },
    { metricName: 'seconds', threshold: null, criterion: {} },
  ]);
});

it('metricsOf() copies the stop signal, or its absence, to the criterion that judges the user', () => {
  const chosen = metricsChoice(choices, [{ metricName: 'user', threshold: 1, criterion: { stopSignal: 'Old' } }]);
  expect(metricsOf(choices, chosen)[0]?.criterion).toEqual({ stopSignal: 'Bye' });
  expect(metricsOf(choices, { ...chosen, simulator: {} })[0]?.criterion).toEqual({});
});

it('metricsOf() sets the number of samples for every judge and keeps its other options', () => {
  const options = { judge_model_options: { judge_model: 'j', num_samples: 5 } };
  const chosen = metricsChoice(choices, [{ metricName: 'user', threshold: 1, criterion: options }], {});
  expect(metricsOf(choices, chosen)[0]?.criterion).toEqual(options);
  expect(metricsOf(choices, chosen, { samples: 3 })[0]?.criterion).toEqual({
    judge_model_options: { judge_model: 'j', num_samples: 3 },
  });
});

it('metricsOf() includes criteria that are not chosen if all are requested', () => {
  const names = metricsOf(choices, configChoice(choices), { all: true }).map(({ metricName }) => metricName);
  expect(names).toEqual(['words', 'user', 'seconds']);
});
