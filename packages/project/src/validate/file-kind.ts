/** The files that agent-criteria reads: those of ADK, and its own config of a project. */
export type FileKind =
  | 'eval set'
  | 'config'
  | 'result'
  | 'scenarios'
  | 'session input'
  | 'user simulation config'
  | 'project config';

/** Keys that only one kind has, all of them, the most telling first. */
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

/** Whether a file of this name may be one of ours, so that it is worth a look. */
export function mayBeOurs(name: string): boolean {
  return /\.json$/i.test(name) || byName(name) !== null;
}

/** What a file is that is read line by line, or as a module: its name must say it. */
export function kindOfOther(name: string): FileKind | null {
  if (/\.jsonl$/i.test(name)) return 'eval set';
  return byName(name) === 'project config' ? 'project config' : null;
}

/** What a file of this name alone is; `null` where the name does not say. */
function byName(name: string): FileKind | null {
  return NAMES.find(([, pattern]) => pattern.test(name))?.[0] ?? null;
}

/**
 * What a file is, by its content, else by its name; `null` when neither says.
 *
 * @param stranger Nobody has named the file: kinds that other programs' files could look like go by the name alone.
 */
export function kindOfFile(name: string, value: unknown, stranger = false): FileKind | null {
  const named = byName(name);
  const keyed = byKeys(value);
  if (stranger) return named ?? (keyed === 'eval set' || keyed === 'result' || keyed === 'scenarios' ? keyed : null);
  // Eval data of before eval sets are lists; ADK once wrote results as the text of one.
  if (Array.isArray(value)) return 'eval set';
  if (typeof value === 'string') return 'result';
  return keyed ?? named ?? (/config/i.test(name) ? 'config' : null);
}

function byKeys(value: unknown): FileKind | null {
  if (typeof value !== 'object' || value === null) return null;
  const has = (key: string) => Object.hasOwn(value, key) || Object.hasOwn(value, inCamelCase(key));
  return KEYS.find(([, keys]) => keys.every(has))?.[0] ?? null;
}

function inCamelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
