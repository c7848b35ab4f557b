import { basename } from 'node:path';
import { CriteriaError, type SessionInput } from '@agent-criteria/core';
import { migrateEvalData, readEvalData } from '@agent-criteria/core/adk';
import { isCaseList, type LoadedEvalSet, readEvalCases } from './eval-cases.ts';
import { readJsonFile } from './read-json-file.ts';
import { readJsonLines } from './read-json-lines.ts';

const UNNAMED = 'cases';

/**
 * Reads an eval set file: an eval set; one of the two formats before it, migrated in memory; a list of eval cases; or
 * JSON Lines (`.jsonl`), one eval case a line, maybe after a first line with the set's own fields. A list and JSON Lines
 * without such a line are named after their file.
 *
 * @throws CriteriaError with every mistake, naming file and place.
 */
export async function loadEvalSet(file: string): Promise<LoadedEvalSet> {
  const id = basename(file).replace(/\.(evalset|test)?\.?jsonl?$/i, '');
  if (/\.jsonl$/i.test(file)) return loadJsonLines(file, id);
  const { value, warnings } = await readJsonFile(file);
  const read = readSet(value, { file, id });
  return { ...read, warnings: [...warnings, ...read.warnings] };
}

/**
 * Eval data as a value, of any format that a file may have; also cases one by one, as an iterable or an async iterable.
 *
 * @param id The id of a set that has none of its own. Default `cases`; for old eval data, made from the content.
 * @throws CriteriaError with every mistake. What an iterable throws passes.
 */
export async function evalSetFrom(value: unknown, id?: string): Promise<LoadedEvalSet> {
  if (Array.isArray(value) || !isIterable(value)) return readSet(value, { id });
  const cases: unknown[] = [];
  for await (const evalCase of value) cases.push(evalCase);
  return readEvalCases(cases, { head: { eval_set_id: id ?? UNNAMED }, caseAt: (index) => `$[${index}]` });
}

/**
 * The session that cases start from which name none: a session dump, of which app, user and state are used.
 * @throws CriteriaError when it is no session.
 */
export async function loadInitialSession(file: string): Promise<SessionInput | null> {
  const { value } = await readJsonFile(file);
  try {
    // Read by the rules of old eval data, which is what an initial session belongs to.
    const { evalCases } = migrateEvalData([{ query: '' }], { initialSession: value }).value;
    return evalCases[0]?.sessionInput ?? null;
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    const inFile = error.problems.map(({ path = '', ...rest }) => ({
      ...rest,
      file,
      path: path.replace(/^initialSession/, '$'),
    }));
    throw new CriteriaError(inFile, { cause: error });
  }
}

/** The set with this session where a case has none. */
export function withInitialSession(loaded: LoadedEvalSet, session: SessionInput | null): LoadedEvalSet {
  if (session === null) return loaded;
  const evalCases = loaded.value.evalCases.map((evalCase) =>
    evalCase.sessionInput ? evalCase : { ...evalCase, sessionInput: structuredClone(session) },
  );
  return { ...loaded, value: { ...loaded.value, evalCases } };
}

function readSet(value: unknown, from: { readonly file?: string; readonly id?: string }): LoadedEvalSet {
  const { id, ...where } = from;
  if (isCaseList(value)) {
    return readEvalCases(value, { head: { eval_set_id: id ?? UNNAMED }, caseAt: (index) => `$[${index}]`, ...where });
  }
  try {
    const { value: set, warnings, format } = readEvalData(value, from);
    const list = format === 'new' ? '$.eval_cases' : '$';
    return { value: set, warnings, caseAt: (index) => (format === 'old-test' ? '$' : `${list}[${index}]`) };
  } catch (error) {
    if (CriteriaError.is(error))
      throw new CriteriaError(error.problems.map(({ file = where.file, ...rest }) => ({ file, ...rest })));
    throw error;
  }
}

async function loadJsonLines(file: string, id: string): Promise<LoadedEvalSet> {
  const { lines, warnings } = await readJsonLines(file);
  const [first, ...rest] = lines;
  if (first === undefined) {
    const message = 'the file is empty; write one eval case a line';
    throw new CriteriaError({ code: 'EMPTY', file, message });
  }
  const head = headOf(first.value);
  if (head !== null && ('eval_cases' in head || 'evalCases' in head)) {
    const message = 'the line holds a whole eval set: in JSON Lines every line is one eval case; name the file .json';
    throw new CriteriaError({ code: 'UNKNOWN_FORMAT', file, path: `line ${first.line}`, message });
  }
  const cases = head === null ? lines : rest;
  const read = readEvalCases(
    cases.map((line) => line.value),
    {
      head: head ?? { eval_set_id: id },
      headAt: `line ${first.line}`,
      caseAt: (index) => `line ${cases[index]?.line}`,
      file,
    },
  );
  return { ...read, warnings: [...warnings, ...read.warnings] };
}

/** The set's own fields, where a line holds them and no case. */
function headOf(value: unknown): Record<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const has = (...keys: string[]) => keys.some((key) => Object.hasOwn(value, key));
  return has('eval_set_id', 'evalSetId') && !has('eval_id', 'evalId') ? (value as Record<string, unknown>) : null;
}

function isIterable(value: unknown): value is Iterable<unknown> | AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value);
}
