import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { CriteriaError, type SessionInput } from '@agent-criteria/core';
import { migrateEvalData } from '@agent-criteria/formats/migration';
import { isAgentsCliDataset } from '@agent-criteria/formats/parse';
import { fieldOf } from '@agent-criteria/formats/schema';
import { type LoadedEvalSet, readEvalCases, readEvalSet } from '@agent-criteria/runner';
import { readJsonFile, readJsonLines } from './read-json-file.ts';

/**
 * Reads an eval set file, which may be an eval set; an agents-cli dataset that can be converted without loss; one of
 * the two legacy formats, migrated in memory; a list of eval cases; or JSON Lines (`.jsonl`), with one eval case per
 * line, optionally after a first line with the set's own fields. A list is named after its file, and so is a JSON Lines
 * file without such a first line.
 *
 * @throws CriteriaError with every mistake, naming file and path.
 */
export async function loadEvalSet(file: string): Promise<LoadedEvalSet> {
  const id = basename(file).replace(/\.(evalset|test)?\.?jsonl?$/i, '');
  if (/\.jsonl$/i.test(file)) return loadJsonLines(file, id);
  const { value, warnings } = await readJsonFile(file);
  // Uses the id that `migrate` would give it.
  const own = isAgentsCliDataset(value) ? id.replace(/-dataset$/i, '') : id;
  const read = readEvalSet(value, { file, id: own });
  return { ...read, warnings: [...warnings, ...read.warnings] };
}

/**
 * Reads the session for cases that have none: app, user and state from a session dump.
 * @throws CriteriaError if it is not a session.
 */
export async function loadInitialSession(file: string): Promise<SessionInput | null> {
  const { value } = await readJsonFile(file);
  try {
    // Read by the rules for legacy eval data, which initial sessions belong to.
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

/** Adds a session to the cases that have none. */
export function withInitialSession(loaded: LoadedEvalSet, session: SessionInput | null): LoadedEvalSet {
  if (session === null) return loaded;
  const evalCases = loaded.value.evalCases.map((evalCase) =>
    evalCase.sessionInput ? evalCase : { ...evalCase, sessionInput: structuredClone(session) },
  );
  return { ...loaded, value: { ...loaded.value, evalCases } };
}

async function loadJsonLines(file: string, id: string): Promise<LoadedEvalSet> {
  const { lines, warnings } = await readJsonLines(file);
  const [first, ...rest] = lines;
  if (first === undefined) {
    const message = 'the file is empty; write one eval case per line';
    throw new CriteriaError({ code: 'EMPTY', file, message });
  }
  const head = headOf(first.value);
  if (head !== null && ('eval_cases' in head || 'evalCases' in head)) {
    const message = 'this is a whole eval set, but in JSON Lines every line is one eval case; rename the file to .json';
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

/** Returns the set's own fields if a line contains them and no case. */
function headOf(value: unknown): Record<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const has = (...keys: string[]) => keys.some((key) => Object.hasOwn(value, key));
  return has('eval_set_id', 'evalSetId') && !has('eval_id', 'evalId') ? (value as Record<string, unknown>) : null;
}

/** The size limit for this check, because a file without cases is small. */
const MOST_BYTES = 64 * 1024;

export const EMPTY_SET = 'the set has no case, so nothing of it is evaluated';

/** Whether a file is an eval set without cases, as created by `eval_set create` and ADK's web page. */
export async function isEmptySet(file: string): Promise<boolean> {
  if (!/\.json$/i.test(file)) return false;
  try {
    if ((await stat(file)).size > MOST_BYTES) return false;
    const cases = fieldOf((await readJsonFile(file)).value, 'evalCases');
    return Array.isArray(cases) && cases.length === 0;
  } catch {
    // An unreadable file is reported when its cases are read.
    return false;
  }
}
