import { commandWord } from '../command-word.ts';
import { isObject } from '../json.ts';
import { fieldOf, keyOf } from '../schema/spelling.ts';

interface Kind {
  readonly what: string;
  /** The keys that identify this kind. All must be present. */
  readonly keys: readonly string[];
  readonly remedy: string;
}

/** The kinds of files that users confuse, those with the most specific keys first. */
const kinds = {
  evalSet: {
    what: 'an eval set',
    keys: ['evalCases'],
    remedy: 'give it where an eval set is expected (agent-criteria eval AGENT FILE)',
  },
  result: { what: 'an eval set result', keys: ['evalSetResultId'], remedy: 'name the eval set that it was made from' },
  config: { what: 'an eval config', keys: ['criteria'], remedy: 'give it as the config (--config-file-path FILE)' },
  scenarios: { what: 'a scenarios file', keys: ['scenarios'], remedy: 'make each scenario a case of an eval set' },
  session: {
    what: 'a session dump',
    keys: ['events'],
    remedy:
      'it contains no eval data, but can be the initial session of legacy eval data: migrateEvalData(data, { initialSession })',
  },
  evalCase: { what: 'an eval case', keys: ['evalId'], remedy: 'put it into "eval_cases" of an eval set' },
  sessionInput: {
    what: 'a session input',
    keys: ['appName', 'userId'],
    remedy: 'put it into a case as "session_input"',
  },
  generation: {
    what: 'a user simulation config',
    keys: ['count', 'modelName'],
    remedy: 'it is a request to write scenarios and contains none',
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;

export function nameOfKind(kind: KindName): string {
  return kinds[kind].what;
}

/**
 * Identifies a value of a different kind from the expected one, and gives advice. Returns `null` if it has the expected
 * kind, or an unknown one.
 */
export function otherKind(
  value: unknown,
  wanted: KindName,
  file?: string,
): { readonly what: string; readonly remedy: string } | null {
  if (!isObject(value)) return null;
  if (isAgentsCliDataset(value)) {
    const remedy = `${migrateCommand(file)} converts it to an eval set`;
    return { what: 'a dataset of agents-cli', remedy };
  }
  const is = (kind: Kind) => kind.keys.every((key) => keyOf(value, key) !== undefined);
  const found = is(kinds[wanted]) ? undefined : Object.values<Kind>(kinds).find(is);
  return found ?? null;
}

/**
 * Writes the command that converts a dataset to an eval set. It has placeholders if there is no file, or its name
 * cannot be quoted for every shell.
 */
export function migrateCommand(file: string | undefined): string {
  const from = file === undefined ? null : commandWord(file);
  const to = file === undefined ? null : commandWord(file.replace(/(?:-dataset)?(?:\.json)?$/i, '.evalset.json'));
  return `agent-criteria migrate ${from === null || to === null ? 'FILE NEW.evalset.json' : `${from} ${to}`}`;
}

const KEYS_OF_DATASET = ['evalCaseId', 'prompt', 'agentData', 'conversationHistory', 'userScenario'];

/**
 * Whether a value is a dataset from Google's agents-cli: its `eval_cases` have different keys from those of an eval
 * set, and it has no id.
 */
export function isAgentsCliDataset(value: unknown): boolean {
  const cases = fieldOf(value, 'evalCases');
  if (!isObject(value) || !Array.isArray(cases) || keyOf(value, 'evalSetId') !== undefined) return false;
  const has = (row: unknown, ...names: readonly string[]) => names.some((name) => fieldOf(row, name) !== undefined);
  return cases.some((row) => !has(row, 'conversation', 'conversationScenario') && has(row, ...KEYS_OF_DATASET));
}
