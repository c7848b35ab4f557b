import { CriteriaError, didYouMean, type EvalCase, type EvalSet, type Json, type Problem } from '@agent-criteria/core';
import { shortTurns } from '@agent-criteria/formats';
import { readEvalData } from '@agent-criteria/formats/migration';
import { isAgentsCliDataset, parseEvalSet, writeEvalSet } from '@agent-criteria/formats/parse';
import { fieldOf } from '@agent-criteria/formats/schema';
import { readJsonFile } from '../files/read-json-file.ts';
import { bytesOf, jsonText, writeWhole } from '../files/write-file.ts';

/** An eval set and the file from which it was read. */
export interface EvalSetFile {
  readonly file: string;
  /** The eval set, including fields that agent-criteria does not know. */
  readonly value: EvalSet;
  readonly warnings: readonly Problem[];
  /** The `legacyId` with which it was read. */
  readonly legacyId?: string | undefined;
  /** Whether it is an agents-cli dataset, which can be shown and run, but not saved. Default `false`. */
  readonly isDataset?: boolean | undefined;
}

/**
 * Reads an eval set to show or edit it. The set may be empty. To evaluate a set, use `loadEvalSet`.
 *
 * @param legacyId Also accepts legacy formats, with this id for those that have none. An edit saves them as an eval
 *   set. Default: eval sets only.
 * @throws CriteriaError if the file does not exist, or with every mistake in it.
 */
export async function readEvalSetFile(
  file: string,
  { legacyId }: Pick<EvalSetFile, 'legacyId'> = {},
): Promise<EvalSetFile> {
  const { value, warnings } = await readJsonFile(file);
  const parsed = parseSet(value, { file, legacyId });
  const isDataset = isAgentsCliDataset(value) ? { isDataset: true } : {};
  return { file, value: parsed.value, warnings: [...warnings, ...parsed.warnings], legacyId, ...isDataset };
}

function parseSet(value: unknown, { file, legacyId }: Pick<EvalSetFile, 'file' | 'legacyId'>) {
  if (legacyId === undefined) return parseEvalSet(value, { file, allowEmpty: true });
  return readEvalData(value, { file, id: legacyId, allowEmpty: true });
}

/**
 * Finds a case in a set.
 * @throws CriteriaError UNKNOWN_CASE with a similar id or the ids in the set.
 */
export function findCase({ file, value }: EvalSetFile, caseId: string): EvalCase {
  const found = value.evalCases.find(({ evalId }) => evalId === caseId);
  if (found !== undefined) return found;
  const ids = value.evalCases.map(({ evalId }) => evalId);
  const shown = ids.slice(0, 20).join(', ') + (ids.length > 20 ? `, and ${ids.length - 20} more` : '');
  const hint = didYouMean(caseId, ids) || `; it has: ${shown}`;
  throw new CriteriaError({ code: 'UNKNOWN_CASE', file, message: `the eval set has no case "${caseId}"${hint}` });
}

/**
 * Appends cases to a set and writes it.
 *
 * @returns The saved set.
 * @throws CriteriaError DUPLICATE_ID if the set already has a case with the same id, and as `replaceCase` does.
 */
export async function addCases(set: EvalSetFile, added: readonly EvalCase[]): Promise<EvalSetFile> {
  if (added.length === 0) return set;
  const taken = new Set(set.value.evalCases.map(({ evalId }) => evalId));
  const problems = added.flatMap(({ evalId }): Problem[] => {
    const isTaken = taken.has(evalId);
    taken.add(evalId);
    const message = `the eval set already has a case "${evalId}", which was not changed; name the new case with --eval-id`;
    return isTaken ? [{ code: 'DUPLICATE_ID', file: set.file, message }] : [];
  });
  if (problems.length > 0) throw new CriteriaError(problems);
  return save(set, [...set.value.evalCases, ...added]);
}

/** The ids of the cases before and after a case, or `null` if it was the first or the last. */
export interface CaseNeighbours {
  readonly after: string | null;
  readonly before: string | null;
}

/**
 * Inserts a case between two others and writes the set. If one of them has been removed, the other determines the
 * position; if both have, the case goes last.
 *
 * @returns The saved set.
 * @throws CriteriaError DUPLICATE_ID if the set already has a case with the same id, and as `replaceCase` does.
 */
export async function insertCase(
  set: EvalSetFile,
  evalCase: EvalCase,
  { after, before }: CaseNeighbours,
): Promise<EvalSetFile> {
  const { evalCases } = set.value;
  const placeOf = (id: string | null) => (id === null ? -1 : evalCases.findIndex(({ evalId }) => evalId === id));
  if (placeOf(evalCase.evalId) >= 0) {
    const message = `the eval set has another case "${evalCase.evalId}" by now, which was not changed`;
    throw new CriteriaError({ code: 'DUPLICATE_ID', file: set.file, message });
  }
  const [next, last] = [placeOf(before), placeOf(after)];
  const behind = last >= 0 || after === null ? last + 1 : evalCases.length;
  return save(set, evalCases.toSpliced(next >= 0 ? next : behind, 0, evalCase));
}

/**
 * Replaces a case in a set and writes the set atomically.
 *
 * @param caseId The id of the old case; the new one may have a different id.
 * @returns The saved set.
 * @throws CriteriaError UNKNOWN_CASE, DUPLICATE_ID, or WRITE_FAILED, which includes a file that has changed since it
 *   was read, so that no other editor's change is lost.
 */
export async function replaceCase(set: EvalSetFile, caseId: string, evalCase: EvalCase): Promise<EvalSetFile> {
  const before = findCase(set, caseId);
  const { evalId } = evalCase;
  if (evalId !== caseId && set.value.evalCases.some((one) => one.evalId === evalId)) {
    const message = `the eval set has another case "${evalId}"; give this one its own id`;
    throw new CriteriaError({ code: 'DUPLICATE_ID', file: set.file, message });
  }
  return save(
    set,
    set.value.evalCases.map((one) => (one === before ? evalCase : one)),
  );
}

/**
 * Removes a case from a set and writes it.
 * @throws CriteriaError as `replaceCase` does.
 */
export async function removeCase(set: EvalSetFile, caseId: string): Promise<EvalSetFile> {
  const removed = findCase(set, caseId);
  return save(
    set,
    set.value.evalCases.filter((one) => one !== removed),
  );
}

function save(set: EvalSetFile, evalCases: EvalCase[]): Promise<EvalSetFile> {
  return saveSet(set, { ...set.value, evalCases });
}

/**
 * Replaces a set and writes it atomically.
 * @throws CriteriaError UNKNOWN_FORMAT for an agents-cli dataset; WRITE_FAILED if the file has changed since it was
 *   read; and with every mistake in the new set.
 */
export async function saveSet(
  { file, value, legacyId }: Omit<EvalSetFile, 'warnings'>,
  changed: EvalSet,
): Promise<EvalSetFile> {
  const before = await bytesOf(file);
  const { value: written } = await readJsonFile(file);
  if (isAgentsCliDataset(written)) throw new CriteriaError({ code: 'UNKNOWN_FORMAT', file, message: NOT_EDITED });
  const today = parseSet(written, { file, legacyId });
  if (textOf(today.value) !== textOf(value)) {
    const message = 'the file has changed since it was read, so nothing was saved: read it again';
    throw new CriteriaError({ code: 'WRITE_FAILED', file, message });
  }
  const whole = writeEvalSet(changed);
  const isOld = legacyId !== undefined;
  const text = jsonText(isOld ? whole : keepShortTurns(whole, changed.evalCases, { written, value }));
  // A set that could not be read back must not be written.
  const { value: saved, warnings } = parseEvalSet(JSON.parse(text), { file, allowEmpty: true });
  await writeWhole(file, text, before);
  return { file, value: saved, warnings };
}

/** The message for edits to an agents-cli dataset, which agents-cli could not read after an edit was saved. */
const NOT_EDITED =
  'a dataset of agents-cli can be shown and run, but not edited: edit the file, or make an eval set of it with agent-criteria migrate';

/** Preserves the short turns of unchanged cases; changed cases are written in ADK's form. */
function keepShortTurns(
  json: Json,
  evalCases: readonly EvalCase[],
  before: { readonly written: unknown; readonly value: EvalSet },
): Json {
  if (shortTurns(before.written).length === 0) return json;
  const written = fieldOf(before.written, 'evalCases') as readonly Json[];
  const short = new Map(
    before.value.evalCases.flatMap((one, index): [EvalCase, Json][] => {
      const as = written[index] ?? null;
      return shortTurns({ evalCases: [as] }).length === 0 ? [] : [[one, as]];
    }),
  );
  const set = json as { readonly eval_cases: readonly Json[] };
  return { ...set, eval_cases: set.eval_cases.map((one, index) => short.get(evalCases[index]!) ?? one) };
}

function textOf(set: EvalSet): string {
  return jsonText(writeEvalSet(set));
}
