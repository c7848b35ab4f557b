import { isAgentsCliDataset, nameOfKind, otherKind } from '../data/file-kind.ts';
import { fingerprint } from '../data/fingerprint.ts';
import type {
  Content,
  EvalCase,
  EvalSet,
  InitialSession,
  IntermediateData,
  Invocation,
  OldCase,
  OldTurn,
  SessionInput,
} from '../data/model.ts';
import { type ModelName, modelSchema } from '../data/model-schema.ts';
import type { Parsed, ParseOptions } from '../data/parse.ts';
import { CriteriaError, type ErrorCode, type Problem } from '../errors.ts';
import { isObject } from '../json.ts';
import { describeValue } from '../schema/describe.ts';
import { formatPath, shortened } from '../schema/path.ts';
import { respell } from '../schema/respell.ts';
import { keyOf } from '../schema/spelling.ts';
import { readAgentsCliDataset } from './agents-cli-dataset.ts';

export interface MigrateOptions extends ParseOptions {
  /**
   * The id of the set, and of the case of a legacy test file. Default: the name of `file`, except for a dataset of
   * agents-cli, or else derived from the content.
   */
  readonly id?: string | undefined;
  /**
   * The initial session for legacy cases without their own: a session dump, from which app, user and state are used.
   * Default: none.
   */
  readonly initialSession?: unknown;
}

/** The convertible formats: a legacy list of turns, a legacy list of named lists of turns, or an agents-cli dataset. */
export type OldFormat = 'old-test' | 'old-evalset' | 'agents-cli';

/**
 * Converts legacy eval data, or a dataset of agents-cli, to an eval set. The result is deterministic: generated ids
 * depend only on the data and its file name, and timestamps are 0. Fields without an equivalent are left out with a
 * warning, but a likely typo is an error.
 *
 * @throws CriteriaError with the mistakes in the data.
 */
export function migrateEvalData(
  value: unknown,
  options: MigrateOptions = {},
): Parsed<EvalSet> & { readonly format: OldFormat } {
  if (isAgentsCliDataset(value)) {
    refuseSession(options);
    return { ...readAgentsCliDataset(value, options), format: 'agents-cli' };
  }
  const format = oldFormat(value, options);
  const reading: Reading = { options, problems: [], warnings: [] };
  const defaultSession = sessionInput(reading, options.initialSession ?? null, 'initialSession');
  const rows = readOld(reading, value, format === 'old-test' ? 'OldTurns' : 'OldCases', '$');
  if (reading.problems.length > 0) throw new CriteriaError(reading.problems);

  const id = options.id ?? nameOf(options.file) ?? `migrated_${fingerprint(rows)}`;
  const evalCases =
    format === 'old-test'
      ? [newCase(reading, id, rows as OldTurn[], defaultSession, '$')]
      : (rows as OldCase[]).map((row, index) => {
          const own = sessionInput(reading, row.initialSession ?? null, `$[${index}].initial_session`);
          return newCase(reading, row.name, row.data, own ?? defaultSession, `$[${index}].data`);
        });
  checkNames(reading, evalCases);
  if (reading.problems.length > 0) throw new CriteriaError(reading.problems);
  return { value: { evalSetId: id, name: id, evalCases, creationTimestamp: 0 }, warnings: reading.warnings, format };
}

/** Rejects an initial session for a dataset, whose cases have their own state. */
export function refuseSession({ initialSession, file }: MigrateOptions): void {
  if (!isObject(initialSession) || Object.keys(initialSession).length === 0) return;
  const message = 'an initial session is for old eval data only: write it into the cases as "session_input"';
  throw new CriteriaError({ code: 'USAGE', message, file });
}

/** Returns a file's name without its extension, as the migrate command does. */
function nameOf(file: string | undefined): string | undefined {
  const [name = ''] = file?.split(/[/\\]/).slice(-1) ?? [];
  return name.replace(/\.(evalset|test)?\.?jsonl?$/i, '') || undefined;
}

interface Reading {
  readonly options: MigrateOptions;
  readonly problems: Problem[];
  readonly warnings: Problem[];
}

/** Identifies a legacy format by its shape. */
function oldFormat(value: unknown, options: MigrateOptions): 'old-test' | 'old-evalset' {
  const refuse = (code: ErrorCode, message: string): never => {
    throw new CriteriaError({ code, message, path: '$', file: options.file });
  };
  const expected = 'Legacy eval data is a list of turns with "query", or of cases with "name" and "data"';
  if (!Array.isArray(value)) {
    const is = otherKind(value, 'evalSet', options.file);
    const what = is ? `${is.what}: ${is.remedy}` : isObject(value) ? 'not legacy eval data' : 'not eval data';
    return refuse(
      'UNKNOWN_FORMAT',
      `this is ${keyOf(Object(value), 'evalCases') ? `${nameOfKind('evalSet')} already` : what}. ${expected}`,
    );
  }
  if (value.length === 0) return refuse('EMPTY', `an empty list: there is nothing to evaluate. ${expected}`);
  const has = (key: string) => value.some((row) => isObject(row) && keyOf(row, key) !== undefined);
  if (has('data')) return 'old-evalset';
  if (has('query')) return 'old-test';
  if (has('evalId')) {
    return refuse('UNKNOWN_FORMAT', 'a list of eval cases: write them as {"eval_set_id": "…", "eval_cases": […]}');
  }
  return refuse('UNKNOWN_FORMAT', `${whatElse(value)}. ${expected}`);
}

/** Field names that other tools use in lists, and their equivalents in a legacy turn. */
const NEAR = [
  [['input', 'prompt', 'question', 'user', 'message', 'user_input'], 'query'],
  [['expected', 'expected_output', 'answer', 'output', 'expected_response', 'ground_truth'], 'reference'],
  [['expected_tools', 'tools', 'expected_tool_calls', 'tool_calls'], 'expected_tool_use'],
] as const;

/**
 * Describes an unrecognised list by the keys of its first object, and gives the names of these fields in the nearest
 * format.
 */
function whatElse(rows: readonly unknown[]): string {
  const first = rows.find(isObject);
  if (first === undefined) return `a list of something else: its first item is ${describeValue(rows[0])}`;
  const keys = Object.keys(first);
  const shown = keys.slice(0, 8).map((key) => `"${shortened(key)}"`);
  const more = keys.length > shown.length ? ` and ${keys.length - shown.length} more` : '';
  const near = NEAR.flatMap(([others, name]) => {
    const key = others.find((other) => keyOf(first, other) !== undefined);
    return key === undefined ? [] : [`"${key}" "${name}"`];
  });
  const advice = near.length === 0 ? '' : `. The nearest format is a list of turns: call ${near.join(', ')}`;
  return `a list of something else, with the keys ${shown.join(', ')}${more}${advice}`;
}

function readOld(reading: Reading, value: unknown, model: ModelName, path: string): unknown {
  const read = respell(value, modelSchema(model), { unknownKeys: 'drop', path, file: reading.options.file });
  reading.problems.push(...read.problems);
  reading.warnings.push(...read.warnings);
  return read.value;
}

function newCase(
  reading: Reading,
  evalId: string,
  turns: readonly OldTurn[],
  session: SessionInput | null,
  path: string,
): EvalCase {
  if (turns.length === 0) report(reading, 'EMPTY', path, 'the case has no turn, so nothing would be judged; add one');
  return {
    evalId,
    conversation: turns.map(newInvocation),
    ...(session === null ? {} : { sessionInput: session }),
    creationTimestamp: 0,
  };
}

function newInvocation(turn: OldTurn, index: number): Invocation {
  return {
    // The number distinguishes equal turns of a case.
    invocationId: `turn_${fingerprint(turn)}_${index + 1}`,
    userContent: content('user', turn.query),
    finalResponse: content('model', turn.reference === undefined ? '' : turn.reference),
    ...(saysNothing(turn) ? {} : { intermediateData: expectedSteps(turn) }),
    creationTimestamp: 0,
  };
}

/**
 * Whether a turn has only a question. Unlike an empty list of calls, this does not state that no calls are expected.
 */
function saysNothing({ reference, expectedToolUse, expectedIntermediateAgentResponses }: OldTurn): boolean {
  return !reference && expectedToolUse === undefined && expectedIntermediateAgentResponses === undefined;
}

function expectedSteps(turn: OldTurn): IntermediateData {
  return {
    toolUses: (turn.expectedToolUse ?? []).map(({ toolName, toolInput }) => ({ name: toolName, args: toolInput })),
    intermediateResponses: (turn.expectedIntermediateAgentResponses ?? []).map(({ author, text }) => [
      author,
      [{ text }],
    ]),
  };
}

function content(role: string, text: string | null): Content {
  return { role, parts: [{ text }] };
}

/** Reads an initial session as ADK does: `{}` counts as none, and only app, user and state are used. */
function sessionInput(reading: Reading, session: unknown, path: string): SessionInput | null {
  if (session === null || (isObject(session) && Object.keys(session).length === 0)) return null;
  const read = readOld(reading, session, 'InitialSession', path) as InitialSession & { readonly events?: unknown };
  if (Array.isArray(read.events) && read.events.length > 0) {
    const message = `the ${read.events.length} earlier events of the session are left out: only app, user and state are used`;
    reading.warnings.push({ code: 'UNKNOWN_KEY', message, path: `${path}.events`, file: reading.options.file });
  }
  return { appName: read.appName ?? '', userId: read.userId ?? '', state: read.state ?? {} };
}

function checkNames(reading: Reading, cases: readonly EvalCase[]): void {
  const first = new Map<string, number>();
  for (const [index, { evalId }] of cases.entries()) {
    const before = first.get(evalId);
    if (before === undefined) first.set(evalId, index);
    else {
      const message = `"${shortened(evalId)}" is already the name of ${formatPath([before])}; give each case its own id`;
      report(reading, 'DUPLICATE_ID', formatPath([index, 'name']), message);
    }
  }
}

function report(reading: Reading, code: ErrorCode, path: string, message: string): void {
  reading.problems.push({ code, message, path, file: reading.options.file });
}
