import { isAgentsCliDataset } from '@agent-criteria/formats/parse';
import { isAgentsCliConfig, isYaml } from '../files/agents-cli-config.ts';
import { isConfig, isMeantAsConfig, mayBeConfig } from '../files/find-eval-config.ts';
import { evalDataText } from '../files/hidden-eval-data.ts';

/** The kinds of files that agent-criteria reads: those of ADK, and its own project config. */
export type FileKind =
  | 'eval set'
  | 'config'
  | 'result'
  | 'scenarios'
  | 'session input'
  | 'user simulation config'
  | 'agents-cli dataset'
  | 'agents-cli config'
  | 'project config';

/** The keys that together identify a kind, with the most specific kinds first. */
const KEYS: readonly (readonly [FileKind, readonly string[]])[] = [
  ['eval set', ['eval_cases']],
  ['result', ['eval_set_result_id']],
  ['scenarios', ['scenarios']],
  ['config', ['criteria']],
  ['user simulation config', ['count', 'model_name']],
  ['session input', ['app_name', 'user_id']],
];

const NAMES: readonly (readonly [FileKind, RegExp])[] = [
  ['eval set', /\.(evalset|test)\.jsonl?$/i],
  ['result', /\.evalset_result\.json$/i],
  ['config', /^test_config\.json$/],
  ['project config', /^agent-criteria\.config\.(ts|mts|js|mjs|json)$/],
];

/** Whether a file with this name is data, which is checked or listed as skipped. */
export function isData(name: string): boolean {
  return /\.(jsonl?|jsonc|json5|ya?ml)$/i.test(name) || byName(name) !== null;
}

/** Explains why a file that the user did not name is skipped because of its name. Returns `null` if it is not. */
export function skippedByName(name: string): string | null {
  if (byName(name) !== null || /\.json$/i.test(name) || (isYaml(name) && isMeantAsConfig(name))) return null;
  if (/\.jsonl$/i.test(name))
    return 'JSON Lines are only read if they are called *.evalset.jsonl or *.test.jsonl, or are named';
  return 'only JSON and JSON Lines are read';
}

/** Returns the kind of a file that is read line by line or imported as a module, judging by its name. */
export function kindOfOther(name: string): FileKind | null {
  if (/\.jsonl$/i.test(name)) return 'eval set';
  return byName(name) === 'project config' ? 'project config' : null;
}

/** Returns the kind of a file by its name, or `null` for other names. */
function byName(name: string): FileKind | null {
  return NAMES.find(([, pattern]) => pattern.test(name))?.[0] ?? null;
}

/**
 * Returns the kind of a file by its content and name, or `null` if it is unknown.
 * @param stranger Whether the user did not name the file. If so, kinds that resemble files of other programs are
 *   recognised by name only.
 */
export function kindOfFile(name: string, value: unknown, stranger = false): FileKind | null {
  const named = byName(name);
  if (isAgentsCliDataset(value)) return 'agents-cli dataset';
  if (isAgentsCliConfig(value) && (!stranger || isMeantAsConfig(name))) return 'agents-cli config';
  const keyed = byKeys(value);
  if (stranger) {
    if (named !== null) return named;
    if (keyed === 'config') return mayBeConfig(name) && isConfig(value) ? keyed : null;
    return keyed === 'eval set' || keyed === 'result' || keyed === 'scenarios' ? keyed : null;
  }
  // Legacy eval data are lists, and old versions of ADK wrote a result as a JSON string.
  if (Array.isArray(value)) return 'eval set';
  if (typeof value === 'string') return 'result';
  return keyed ?? named ?? (/config/i.test(name) ? 'config' : null);
}

/** Explains why a file that the user did not name is skipped because of its content. */
export function skippedByContent(file: string, value: unknown): string {
  if (isYaml(file)) return 'configs are JSON';
  const keyed = byKeys(value);
  const name = 'name it to check it';
  if (keyed === 'config' && !isConfig(value)) return 'its "criteria" is not an object';
  if (keyed !== null) return `it may be a ${keyed}: ${name}`;
  const text = evalDataText(file, value);
  return text ?? 'not a file that agent-criteria reads';
}

function byKeys(value: unknown): FileKind | null {
  if (typeof value !== 'object' || value === null) return null;
  const has = (key: string) => Object.hasOwn(value, key) || Object.hasOwn(value, inCamelCase(key));
  return KEYS.find(([, keys]) => keys.every(has))?.[0] ?? null;
}

function inCamelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
