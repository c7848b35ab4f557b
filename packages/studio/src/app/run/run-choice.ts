import { isObject } from '@agent-criteria/formats';
import { fieldOf } from '@agent-criteria/formats/schema';
import type { AskedMetric, CriterionChoice, RunChoices } from '../../api.ts';
import { type Fields, writeKey } from '../spelling.ts';

export interface Choice {
  readonly on: boolean;
  readonly threshold: number | null;
  /** Options, spelt as in the config. */
  readonly options: Fields;
}

/** The chosen criteria and simulated user, for example from a preset or a config. */
export interface Chosen {
  readonly criteria: ReadonlyMap<string, Choice>;
  /** Value of `user_simulator_config`. */
  readonly simulator: Fields;
}

export const NOT_APPLICABLE = 'when_not_applicable';

/** Returns the choices in the set's config, or ADK's defaults. */
export function configChoice(choices: RunChoices): Chosen {
  return {
    criteria: new Map(choices.criteria.map((one) => [one.name, choiceOf(one)])),
    simulator: choices.userSimulator ?? {},
  };
}

/** Chooses exactly these criteria, except those that are not installed or fit no case. */
export function metricsChoice(
  choices: RunChoices,
  metrics: readonly AskedMetric[],
  simulator: Fields = choices.userSimulator ?? {},
): Chosen {
  const criteria = choices.criteria.map((one): [string, Choice] => {
    const asked = metrics.find(({ metricName }) => metricName === one.name);
    const own = choiceOf(one);
    if (asked === undefined || one.fit.cases === 0) return [one.name, { ...own, on: false }];
    const threshold = one.decides ? (asked.threshold ?? own.threshold) : null;
    return [one.name, { on: true, threshold, options: asked.criterion ?? own.options }];
  });
  return { criteria: new Map(criteria), simulator };
}

export interface MetricsOptions {
  /** Calls to each judge per vote. Default: the option of each criterion. */
  readonly samples?: number | undefined;
  /** Whether to include criteria that are not chosen, in order to check their needs. */
  readonly all?: boolean;
}

/**
 * Formats the chosen criteria for a request. Also sets the simulated user's stop signal on the criterion that judges
 * the user.
 */
export function metricsOf(
  choices: RunChoices,
  { criteria, simulator }: Chosen,
  { samples, all = false }: MetricsOptions = {},
): AskedMetric[] {
  return choices.criteria.flatMap((one): AskedMetric[] => {
    const choice = criteria.get(one.name);
    if (choice === undefined || one.fit.cases === 0 || !(choice.on || all)) return [];
    let { options } = choice;
    if (choices.scenarios > 0 && takes(one, 'stopSignal')) {
      options = writeKey(options, 'stop_signal', fieldOf(simulator, 'stop_signal'));
    }
    if (samples !== undefined && takes(one, 'judgeModelOptions')) {
      const judge = fieldOf(options, 'judge_model_options');
      options = writeKey(
        options,
        'judge_model_options',
        writeKey(isObject(judge) ? judge : {}, 'num_samples', samples),
      );
    }
    return [{ metricName: one.name, threshold: one.decides ? choice.threshold : null, criterion: options }];
  });
}

export function takes({ schema }: Pick<CriterionChoice, 'schema'>, key: string): boolean {
  return isObject(schema.properties) && Object.hasOwn(schema.properties, key);
}

function choiceOf({ chosen, default: byDefault, decides, range, fit }: CriterionChoice): Choice {
  const middle = range.max === null ? range.min : range.min + (range.max - range.min) * 0.8;
  const threshold = decides ? (chosen?.threshold ?? byDefault ?? Math.round(middle * 100) / 100) : null;
  return { on: chosen !== null && fit.cases > 0, threshold, options: chosen?.options ?? {} };
}
