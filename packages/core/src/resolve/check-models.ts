import { CriteriaError, type Problem, type State } from '@agent-criteria/formats';
import type { LanguageModel } from '../contracts/language-model.ts';
import type { Origin } from '../contracts/registered.ts';
import { secretSettings } from '../kept-settings.ts';
import type { PlannedCriterion } from './plan.ts';
import { explainUnknown } from './plugin-advice.ts';
import { ask, type BareContext, type Context, placed, problem } from './resolve-context.ts';

/**
 * Checks a criterion's models, settings and environment, both for the config's options and for each case's own options.
 */
export function checkCollaborators(context: Context, planned: PlannedCriterion, path: string): void {
  const { criterion } = planned;
  if (context.options.inferencesOnly === true) return;
  const { simulator: led } = context;
  const simulator = led === null ? null : { name: led.simulator.name, options: led.options };
  for (const options of new Set([planned.options, ...planned.caseOptions.values()])) {
    checkModels(context, criterion, options, path);
    const found = ask(
      context,
      path,
      `check of ${criterion.name} (${criterion.origin.package})`,
      () => criterion.check?.(options, context.environment, { simulator }) ?? [],
      (problems) =>
        Array.isArray(problems) && problems.every((one) => typeof one === 'string' || typeof one?.message === 'string'),
    );
    for (const one of found ?? []) {
      const own: Problem = typeof one === 'string' ? { code: 'INVALID_OPTION', message: one } : one;
      if (counts(context, own)) context.problems.push(placed(own, path, context.options.file));
    }
    if (context.options.modelsRecorded === true) continue;
    const access = ask(
      context,
      path,
      `access of ${criterion.name} (${criterion.origin.package})`,
      () => criterion.access?.(options, context.environment).problems ?? [],
      (problems) => Array.isArray(problems) && problems.every((one) => typeof one?.message === 'string'),
    );
    const missing = (access ?? []).filter((one) => counts(context, one));
    context.problems.push(...missing.map((one) => placed(one, path, context.options.file)));
  }
}

/** Ignores missing keys if nothing will be called. */
function counts({ options }: BareContext, { code }: Problem): boolean {
  return options.estimateOnly !== true || code !== 'MISSING_ENVIRONMENT';
}

/** A plugin that calls models. */
interface ModelCaller<Options> {
  readonly name: string;
  readonly origin: Origin;
  models?(options: Options): readonly string[];
  modelSettings?(options: Options): State;
}

/** Checks that all models named in the options exist, accept their settings and lack nothing, such as a key. */
export function checkModels<Options>(
  context: BareContext,
  plugin: ModelCaller<Options>,
  options: Options,
  path: string,
): void {
  const names = ask(
    context,
    path,
    `models of ${plugin.name} (${plugin.origin.package})`,
    () => plugin.models?.(options) ?? [],
    (answer) => Array.isArray(answer) && answer.every((name) => typeof name === 'string'),
  );
  for (const name of names ?? []) {
    const before = context.problems.length;
    const model = ask(
      context,
      path,
      `the provider of the model "${name}"`,
      () => context.models(name),
      () => true,
    );
    if (context.problems.length > before) continue;
    if (model === undefined) {
      const configured = context.options.modelNames ?? [];
      const why = explainUnknown({ kind: 'model', name, configured }, context.registry, context.options.advice);
      // The path of a criterion contains its name.
      const message = path.endsWith(plugin.name) ? why : `${plugin.name}: ${why}`;
      context.problems.push(problem(context, 'UNKNOWN_MODEL', message, path));
      continue;
    }
    checkSettings(context, plugin, model, options, path);
    if (context.options.modelsRecorded === true) continue;
    const access = ask(
      context,
      path,
      `access of the model "${model.id}"`,
      () => model.access?.(context.environment).problems ?? [],
      (problems) => Array.isArray(problems) && problems.every((one) => typeof one?.message === 'string'),
    );
    const missing = (access ?? []).filter((one) => counts(context, one));
    context.problems.push(...missing.map((one) => placed(one, path, context.options.file)));
  }
}

const KEPT =
  'a config is saved with every run and shown in reports; set it on the model itself, in agent-criteria.config';

/** Checks the settings that every call will pass to a model. */
function checkSettings<Options>(
  context: BareContext,
  plugin: ModelCaller<Options>,
  model: LanguageModel,
  options: Options,
  path: string,
): void {
  if (plugin.modelSettings === undefined) return;
  const report = (message: string): void => {
    context.problems.push(problem(context, 'INVALID_OPTION', `the model "${model.id}": ${message}`, path));
  };
  try {
    const settings = plugin.modelSettings(options);
    for (const place of secretSettings(settings)) report(`the setting "${place}" holds a secret, and ${KEPT}`);
    model.checkSettings?.(settings);
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    for (const { message } of error.problems) report(message);
  }
}
