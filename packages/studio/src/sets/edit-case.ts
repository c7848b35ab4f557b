import { readFile } from 'node:fs/promises';
import { CriteriaError, type EvalCase } from '@agent-criteria/core';
import {
  addCases,
  type EvalSetFile,
  findCase,
  insertCase,
  removeCase,
  replaceCase,
} from '@agent-criteria/project/editing';
import { writeWhole } from '@agent-criteria/project/files';
import { refusal } from '../http/refusal.ts';
import { versionOf } from '../http/version.ts';
import type { Studio } from '../studio.ts';
import { type FoundSet, openSetToEdit } from './find-sets.ts';

/** The case to change, with its version. */
export interface CaseEdit {
  readonly caseId: string;
  /** The `If-Match` header, or `undefined` for any version. */
  readonly seen: string | undefined;
}

/**
 * Replaces a case.
 *
 * @param change Receives the current case.
 * @returns the saved case.
 * @throws A refusal with status 404, or 412 with both versions if the case has changed.
 */
export async function editCase(
  { locks }: Studio,
  found: FoundSet,
  { caseId, seen }: CaseEdit,
  change: (before: EvalCase) => EvalCase,
): Promise<EvalCase> {
  return locks.with(found.file, async () => {
    const set = await openSetToEdit(found);
    const before = caseOf(set, caseId);
    const after = change(before);
    if (seen !== undefined && seen !== '*' && seen !== versionOf(before)) {
      const detail = `The case "${caseId}" was changed elsewhere since it was opened; nothing was saved.`;
      throw refusal(412, detail, { version: versionOf(before), theirs: before, yours: after });
    }
    const saved = await replaceCase(set, caseId, after);
    return caseOf(saved, after.evalId);
  });
}

/**
 * Deletes a case.
 * @returns a key for undoing the deletion.
 * @throws A refusal, like `editCase`.
 */
export async function deleteCase(
  studio: Pick<Studio, 'locks' | 'deletions'>,
  found: FoundSet,
  { caseId, seen }: CaseEdit,
): Promise<string> {
  const { locks, deletions } = studio;
  return locks.with(found.file, async () => {
    const set = await openSetToEdit(found);
    const before = caseOf(set, caseId);
    if (seen !== undefined && seen !== '*' && seen !== versionOf(before)) {
      const detail = `The case "${caseId}" was changed elsewhere since it was opened; it was not deleted.`;
      throw refusal(412, detail, { version: versionOf(before), theirs: before });
    }
    const { evalCases } = set.value;
    const place = evalCases.indexOf(before);
    const neighbours = { after: idAt(evalCases, place - 1), before: idAt(evalCases, place + 1) };
    const whole = await readFile(found.file);
    await removeCase(set, caseId);
    const without = await readFile(found.file);
    return deletions.keep(whole.length + without.length, async () => {
      await locks.with(found.file, async () => {
        // Restores the exact file, including comments, if nothing else has changed.
        const isUntouched = without.equals(await readFile(found.file).catch(() => Buffer.alloc(0)));
        if (isUntouched) await writeWhole(found.file, whole, without);
        else await insertCase(await openSetToEdit(found), before, neighbours);
      });
      return { app: found.app.name, set: found.id, case: caseId };
    });
  });
}

function idAt(evalCases: readonly EvalCase[], place: number): string | null {
  return evalCases[place]?.evalId ?? null;
}

/** Appends cases to a set. @throws A 400 refusal if an id already exists. */
export async function addToSet({ locks }: Studio, found: FoundSet, cases: readonly EvalCase[]): Promise<EvalSetFile> {
  return locks.with(found.file, async () => {
    const set = await openSetToEdit(found);
    const taken = cases.find(({ evalId }) => set.value.evalCases.some((one) => one.evalId === evalId));
    if (taken !== undefined) {
      throw refusal(400, `Eval case \`${taken.evalId}\` already exists in \`${found.id}\`; choose another id.`);
    }
    return addCases(set, cases);
  });
}

/** @throws A 404 refusal. */
export function caseOf(set: EvalSetFile, caseId: string): EvalCase {
  try {
    return findCase(set, caseId);
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    throw refusal(404, error.problems.map(({ message }) => message).join('\n'));
  }
}
