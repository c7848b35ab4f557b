import { isObject } from '@agent-criteria/formats';
import type { AskedMetric, CriterionChoice, RunChoices } from '../../api.ts';
import { type Fields, readKey, writeKey } from '../spelling.ts';

/** What is chosen of one criterion. */
export interface Choice {
  readonly on: boolean;
  readonly threshold: number | null;
  /** As the config spells them. */
  readonly options: Fields;
}

/** What is chosen of a run: what a preset or a config brings. */
export interface Chosen {
  readonly criteria: ReadonlyMap<string, Choice>;
  /** `user_simulator_config`. */
  readonly simulator: Fields;
}

export const NOT_APPLICABLE = 'when_not_applicable';

/** As the config of the set has it, or ADK's defaults. */
export function configChoice(choices: RunChoices): Chosen {
  return {
    criteria: new Map(choices.criteria.map((one) => [one.name, choiceOf(one)])),
    simulator: choices.userSimulator ?? {},
  };
}

/** These criteria and no others; what is not installed is left out. */
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
  /** How often each judge is asked; `undefined`: as each criterion says. */
  readonly samples?: number | undefined;
  /** Those that are not chosen, too: to see what they would need. */
  readonly all?: boolean;
}

/** What is chosen as a request says it. The stop signal of the simulated user holds for the criterion that judges the user, too. */
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
      options = writeKey(options, 'stop_signal', readKey(simulator, 'stop_signal'));
    }
    if (samples !== undefined && takes(one, 'judgeModelOptions')) {
      const judge = readKey(options, 'judge_model_options');
      options = writeKey(
        options,
        'judge_model_options',
        writeKey(isObject(judge) ? judge : {}, 'num_samples', samples),
      );
    }
    return [{ metricName: one.name, threshold: one.decides ? choice.threshold : null, criterion: options }];
  });
}

/** Whether a criterion has an option. */
export function takes({ schema }: Pick<CriterionChoice, 'schema'>, key: string): boolean {
  return isObject(schema.properties) && Object.hasOwn(schema.properties, key);
}

function choiceOf({ chosen, default: byDefault, decides, range, fit }: CriterionChoice): Choice {
  const middle = range.max === null ? range.min : range.min + (range.max - range.min) * 0.8;
  const threshold = decides ? (chosen?.threshold ?? byDefault ?? Math.round(middle * 100) / 100) : null;
  return { on: chosen !== null && fit.cases > 0, threshold, options: chosen?.options ?? {} };
}
