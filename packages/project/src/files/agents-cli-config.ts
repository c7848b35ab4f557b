import { basename } from 'node:path';
import { CriteriaError, didYouMean, type Problem, type State } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { fieldOf } from '@agent-criteria/formats/schema';
import { readText } from './read-json-file.ts';
import { shellWord } from './shell-word.ts';

// Configs of Google's agents-cli, eval_config.yaml or .json: https://github.com/google/agents-cli. `metrics_to_run`
// lists the metrics to run: each is an entry in `custom_metrics`, or else a metric of Google's service.

/** The criteria that correspond to metrics of the service. */
const CRITERIA: Readonly<Record<string, string>> = {
  final_response_match: 'final_response_match_v2',
  final_response_quality: 'rubric_based_final_response_quality_v1',
  final_response_reference_free: 'rubric_based_final_response_quality_v1',
  hallucination: 'hallucinations_v1',
  multi_turn_task_success: 'multi_turn_task_success_v1',
  multi_turn_tool_use_quality: 'multi_turn_tool_use_quality_v1',
  multi_turn_trajectory_quality: 'multi_turn_trajectory_quality_v1',
  safety: 'safety_v1',
  tool_use_quality: 'rubric_based_tool_use_quality_v1',
};

/** The threshold in ADK's examples. agents-cli only reports scores and has no thresholds. */
const THRESHOLD = 0.8;

/** An agents-cli config, translated where corresponding criteria exist. */
export interface TranslatedConfig {
  readonly config: { readonly criteria: State };
  /** The metrics that have a criterion, in the order of the config. */
  readonly translated: readonly { readonly metric: string; readonly criterion: string }[];
  /** Notes on the config, including the parts that could not be translated. */
  readonly warnings: readonly Problem[];
}

/** Whether a value is an agents-cli config. ADK's configs name their criteria in an object instead. */
export function isAgentsCliConfig(value: unknown): boolean {
  if (!isObject(value) || fieldOf(value, 'criteria') !== undefined) return false;
  return Array.isArray(fieldOf(value, 'metricsToRun')) || Array.isArray(fieldOf(value, 'customMetrics'));
}

/** Translates an agents-cli config to criteria. Metrics without a criterion become warnings. */
export function translateAgentsCliConfig(value: unknown, file?: string): TranslatedConfig {
  const [names, customs] = [listOf(fieldOf(value, 'metricsToRun')), listOf(fieldOf(value, 'customMetrics'))];
  const warnings: Problem[] = [];
  const warn = (path: string, message: string): void =>
    void warnings.push({ code: 'UNKNOWN_KEY', path, message, file });
  const translated: { metric: string; criterion: string }[] = [];
  for (const [index, name] of names.entries()) {
    const path = `$.metrics_to_run[${index}]`;
    if (typeof name !== 'string') {
      warn(path, 'this is not the name of a metric, and is left out');
      continue;
    }
    const own = customs.find((custom) => fieldOf(custom, 'name') === name);
    const why = own === undefined ? null : whyNoCriterion(own);
    const criterion = Object.hasOwn(CRITERIA, name.toLowerCase()) ? CRITERIA[name.toLowerCase()] : undefined;
    if (why !== null) warn(path, `"${name}" ${why}`);
    else if (criterion === undefined)
      warn(path, `no criterion corresponds to "${name}": it is left out${didYouMean(name, Object.keys(CRITERIA))}`);
    else translated.push({ metric: name, criterion });
  }
  for (const [index, custom] of customs.entries()) {
    const path = `$.custom_metrics[${index}]`;
    const name = fieldOf(custom, 'name');
    if (!names.includes(name))
      warn(path, `"${String(name)}" is not among metrics_to_run, so agents-cli does not run it: it is left out`);
    const group = fieldOf(fieldOf(custom, 'metricSpecParameters'), 'rubricGroupKey');
    if (group !== undefined) {
      warn(
        `${path}.metric_spec_parameters`,
        `the rubrics of a case are judged together, not only those of the group "${String(group)}"`,
      );
    }
    const others = translated.some(({ metric }) => metric === name) ? untranslatedKeys(custom) : [];
    if (others.length > 0) {
      const fate = `which ${others.length === 1 ? 'is' : 'are'} left out`;
      warn(path, `"${String(name)}" also sets ${others.join(' and ')}, ${fate}`);
    }
  }
  for (const key of unknownKeys(value)) warn(`$.${key}`, unknownKeyText(key, ': it is left out'));
  const criteria: State = Object.fromEntries(translated.map(({ criterion }) => [criterion, THRESHOLD]));
  return { config: { criteria }, translated, warnings };
}

/** Lists the keys of a custom metric, and of its parameters, that cannot be translated. */
function untranslatedKeys(custom: unknown): readonly string[] {
  return Object.entries(Object(custom)).flatMap(([key, value]) => {
    if (key === 'name' || value === null) return [];
    if (!/^metric(_spec_p|SpecP)arameters$/.test(key) || !isObject(value)) return [key];
    return Object.keys(value).flatMap((one) => (/^rubric(_group_k|GroupK)ey$/.test(one) ? [] : [`${key}.${one}`]));
  });
}

/** The keys of a config of agents-cli. */
const KEYS = ['metrics_to_run', 'custom_metrics'] as const;

/** Returns the top-level keys that do not belong in an agents-cli config. */
function unknownKeys(value: unknown): readonly string[] {
  const known: readonly string[] = [...KEYS, 'metricsToRun', 'customMetrics'];
  return Object.keys(Object(value)).filter((key) => !known.includes(key));
}

function unknownKeyText(key: string, fate: string): string {
  // These two differ too much for `didYouMean`, but can mean nothing else.
  const meant = didYouMean(key, KEYS) || (/^(metrics|criteria)$/i.test(key) ? `; did you mean "${KEYS[0]}"?` : '');
  return `unknown key "${key}"${fate}${meant || `; a config of agents-cli has ${KEYS.join(' and ')}`}`;
}

/** Explains why a YAML file cannot be read as a config, and how to fix that. */
export function otherYamlText(file: string, value: unknown): string {
  if (fieldOf(value, 'criteria') !== undefined) {
    return `configs are JSON: write it as ${basename(file).replace(/\.ya?ml$/i, '.json')}`;
  }
  const [key] = unknownKeys(value);
  const unknown = key === undefined ? '' : ` (${unknownKeyText(key, '')})`;
  return `this is not a config of agents-cli: it has no list metrics_to_run${unknown}. With one, ${migrateConfigCommand(file)} translates it; configs of agent-criteria are JSON`;
}

/** Checks that something was translated. @throws CriteriaError for a config in which no metric has a criterion. */
export function checkTranslated({ translated, warnings }: TranslatedConfig, file: string, value: unknown): void {
  if (translated.length > 0) return;
  const message =
    listOf(fieldOf(value, 'metricsToRun')).length === 0
      ? 'this is a config of agents-cli without metrics_to_run, so nothing in it runs: list the names of its metrics there'
      : 'this is a config of agents-cli, and no criterion corresponds to any of its metrics: write a test_config.json';
  throw new CriteriaError([{ code: 'INVALID_CONFIG', file, message }, ...warnings]);
}

/** Notes the threshold used for every criterion of a translated config. */
export function thresholdNote(file: string): Problem {
  const message = `agents-cli has no thresholds, so each criterion has ${THRESHOLD}: change them to what a case must reach`;
  return { code: 'INVALID_CONFIG', file, message };
}

/** Explains what such a config is and how to convert it. */
export function agentsCliConfigText(file: string, value: unknown): string {
  const { translated, warnings } = translateAgentsCliConfig(value);
  const own = 'this is a config of agents-cli, which names metrics of its service: criteria go in test_config.json';
  const others = warnings.filter(({ path = '' }) => !path.startsWith('$.custom_metrics'));
  const not = others.length === 0 ? '' : `; ${others.map(({ message }) => message).join('; ')}`;
  if (translated.length === 0) return `${own}; ${migrateConfigCommand(file)} would have nothing to write${not}`;
  const pairs = translated.map(({ metric, criterion }) => `${metric} as ${criterion}`).join(', ');
  return `${own}; ${migrateConfigCommand(file)} writes ${pairs}${not}`;
}

function migrateConfigCommand(file: string): string {
  return `agent-criteria migrate ${shellWord(file)} ${shellWord(targetOf(file))}`;
}

/** Returns the file to write a translated config to: `test_config.json`, or for YAML, the same name with `.json`. */
function targetOf(file: string): string {
  return /\.json$/i.test(file) ? file.replace(/[^/\\]*$/, 'test_config.json') : file.replace(/\.ya?ml$/i, '.json');
}

/**
 * Explains why a custom metric has no criterion. Returns `null` if it only sets parameters for one of the service's
 * metrics.
 */
function whyNoCriterion(custom: unknown): string | null {
  const has = (name: string) => fieldOf(custom, name) !== undefined;
  if (has('customFunction') || has('customFunctionFile')) {
    return 'is a Python function: write it again in TypeScript, for custom_metrics; it is left out';
  }
  if (has('promptTemplate')) return 'is a prompt of its own: write what it asks as rubrics; it is left out';
  return null;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The size limit of YAML files: 1 MiB, because people write them by hand. */
const MAX_YAML_BYTES = 1024 * 1024;
/** The limit on aliases, because a few lines of YAML can expand to gigabytes. */
const MOST_ALIASES = 50;

/**
 * Reads a YAML 1.2 file as JSON values.
 * @throws CriteriaError as `readJsonFile`; NOT_JSON if it is not YAML, or has too many aliases.
 */
export async function readYamlFile(file: string): Promise<unknown> {
  const text = await readText(file, MAX_YAML_BYTES);
  // Loaded on demand.
  const { parse } = await import('yaml');
  try {
    return parse(text, { schema: 'core', maxAliasCount: MOST_ALIASES, logLevel: 'error' });
  } catch (cause) {
    const why = (cause as Error).message.split('\n')[0];
    throw new CriteriaError({ code: 'NOT_JSON', file, message: `this is not YAML: ${why}` }, { cause });
  }
}

export function isYaml(name: string): boolean {
  return /\.ya?ml$/i.test(name);
}
