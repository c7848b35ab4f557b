import { relative } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { formatProblem } from '@agent-criteria/formats';
import {
  createEvalSet,
  type EvalSetFile,
  removeEvalSet,
  renameEvalSet,
  restoreEvalSet,
  saveSet,
} from '@agent-criteria/project/editing';
import manifest from '../../../package.json' with { type: 'json' };
import type { SetChange, SetSummary } from '../../api.ts';
import { appOf } from '../../apps/app.ts';
import { missing, mistake, refusal } from '../../http/refusal.ts';
import { seenVersion, versionOf } from '../../http/version.ts';
import { type FoundSet, findSets, openSet, openSetToEdit, setOf } from '../../sets/find-sets.ts';
import type { Studio } from '../../studio.ts';
import type { Handlers } from './handlers.ts';

/** Serves apps and their eval sets: list, create, rename, describe, delete and restore. */
export function setRoutes(studio: Studio) {
  const { apps, locks, deletions, notices, sessions } = studio;
  return {
    'GET /studio': () => ({
      version: manifest.version,
      apps: apps.map(({ name, agent }) => ({ name, hasAgent: agent !== null })),
      notices: [...notices, ...sessions.notices()],
    }),
    'GET /apps/:app/sets': async ({ app }) => Promise.all((await findSets(appOf(studio, app), apps)).map(summaryOf)),
    'POST /apps/:app/sets': async ({ app: name, fields }) => {
      const app = appOf(studio, name);
      const field = await fields();
      const id = textOf(field, 'id');
      if (id === undefined) throw missing('id');
      const changes = described(field);
      const created = await createEvalSet({ agent: app.folder, id });
      if (Object.keys(changes).length > 0) await saveSet(created, { ...created.value, ...changes });
      return summaryOf({ app, id, file: created.file });
    },
    'PATCH /apps/:app/sets/:set': async ({ app, set: name, seen, fields }) => {
      const found = await setOf(studio, app, name);
      seenVersion(seen, 'the eval set');
      const field = await fields();
      const id = textOf(field, 'id');
      const changes = described(field);
      const saved = await locks.with(found.file, async () => {
        const set = await openSetToEdit(found);
        checkVersion(seen, set, changes);
        const changed = Object.keys(changes).length > 0 ? await saveSet(set, { ...set.value, ...changes }) : set;
        return id === undefined || id === found.id ? changed : renameEvalSet(changed, id);
      });
      const after = (await findSets(found.app, apps)).find(({ file }) => file === saved.file);
      return summaryOf(after ?? { ...found, file: saved.file });
    },
    'DELETE /apps/:app/sets/:set': async ({ app, set, seen }) => {
      const found = await setOf(studio, app, set);
      const removed = await locks.with(found.file, async () => {
        if (seen !== undefined) checkVersion(seen, await openSet(found), undefined);
        return removeEvalSet(found);
      });
      const undo = deletions.keep(removed.content.length, async () => {
        await locks.with(found.file, () => restoreEvalSet(removed));
        return { app, set, case: null };
      });
      return { undo };
    },
    'POST /deletions/:deletion/undo': async ({ deletion }) => {
      const restore = deletions.find(deletion);
      if (restore === undefined) {
        throw refusal(404, 'This is not kept any more: changes can be undone until the studio ends, and only once.');
      }
      const restored = await restore();
      deletions.drop(deletion);
      return restored;
    },
  } satisfies Partial<Handlers>;
}

type FieldReader = (name: keyof SetChange) => unknown;

/** @throws A 412 refusal with both versions. */
function checkVersion(seen: string | undefined, { value }: EvalSetFile, yours: object | undefined): void {
  const version = versionOf(value);
  if (seen === undefined || seen === '*' || seen === version) return;
  const { name = null, description = null } = value;
  const theirs = { name, description, cases: value.evalCases.length };
  throw refusal(412, 'The eval set was changed elsewhere since it was opened; nothing was saved.', {
    version,
    theirs,
    ...(yours === undefined ? {} : { yours }),
  });
}

async function summaryOf(found: FoundSet): Promise<SetSummary> {
  const { id } = found;
  const file = relative(found.app.folder, found.file);
  const editable = !/(\.jsonl|-dataset\.json)$/i.test(file);
  try {
    const opened = await openSet(found);
    const { evalSetId, name = null, description = null, evalCases } = opened.value;
    const notes = editable ? notesOf(opened) : [];
    const version = versionOf(opened.value);
    return { id, evalSetId, name, description, file, editable, cases: evalCases.length, version, notes };
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    const problem = error.problems.map(formatProblem).join('\n');
    const unread = { evalSetId: null, name: null, description: null, cases: null, version: null, notes: [] };
    return { id, file, editable, ...unread, problem };
  }
}

/** Describes the side effects of an edit on the file. */
function notesOf({ warnings }: EvalSetFile): readonly string[] {
  const hasComments = warnings.some(({ code }) => code === 'NOT_JSON');
  return hasComments ? ['The file has comments or trailing commas. An edit saves it without them.'] : [];
}

/** @throws A 422 refusal. */
function described(field: FieldReader): { readonly name?: string; readonly description?: string } {
  const [name, description] = [textOf(field, 'name'), textOf(field, 'description')];
  return { ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) };
}

function textOf(field: FieldReader, name: keyof SetChange): string | undefined {
  const value = field(name);
  if (value === undefined || typeof value === 'string') return value;
  throw mistake(['body', name], 'This must be a text.', 'string_type');
}
