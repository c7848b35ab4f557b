import { relative } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { formatProblem } from '@agent-criteria/formats';
import { fieldOf } from '@agent-criteria/formats/schema';
import {
  createEvalSet,
  type EvalSetFile,
  removeEvalSet,
  renameEvalSet,
  restoreEvalSet,
  saveSet,
} from '@agent-criteria/project/editing';
import { type Context, Hono } from 'hono';
import type { Deleted, SetSummary } from '../../api.ts';
import type { App } from '../../apps/app.ts';
import { appOf } from '../../apps/app-of.ts';
import { readBody } from '../../http/read-body.ts';
import { refusal } from '../../http/refusal.ts';
import { seenVersion } from '../../http/seen-version.ts';
import { versionOf } from '../../sets/case-version.ts';
import { type FoundSet, findSets } from '../../sets/find-sets.ts';
import { openSet, openSetToEdit } from '../../sets/open-set.ts';
import { setOf } from '../../sets/set-of.ts';
import type { Studio } from '../../studio.ts';

/** Eval sets with their names: listed, created, renamed, described, deleted and brought back. */
export function setRoutes(studio: Studio): Hono {
  const named = (c: Context) => setOf(studio, appOf(studio, c), c.req.param('set') ?? '');
  return new Hono()
    .get('/apps/:app/sets', async (c) => {
      const app = appOf(studio, c);
      const sets = await findSets(app, studio.apps);
      return c.json(await Promise.all(sets.map((found) => summaryOf(app, found))));
    })
    .post('/apps/:app/sets', async (c) => {
      const app = appOf(studio, c);
      const body = await readBody(c);
      const id = textOf(body, 'id');
      if (id === undefined) throw refusal(422, [{ type: 'missing', loc: ['body', 'id'], msg: 'Field required' }]);
      const changes = described(body);
      const created = await createEvalSet({ agent: app.folder, id });
      if (Object.keys(changes).length > 0) await saveSet(created, { ...created.value, ...changes });
      return c.json(await summaryOf(app, { id, file: created.file }));
    })
    .patch('/apps/:app/sets/:set', async (c) => {
      const app = appOf(studio, c);
      const found = await named(c);
      seenVersion(c, 'the eval set');
      const body = await readBody(c);
      const id = textOf(body, 'id');
      const changes = described(body);
      const saved = await studio.locks.with(found.file, async () => {
        const set = await openSetToEdit(found);
        checkVersion(c, set, changes);
        const changed = Object.keys(changes).length > 0 ? await saveSet(set, { ...set.value, ...changes }) : set;
        return id === undefined || id === found.id ? changed : renameEvalSet(changed, id);
      });
      const after = (await findSets(app, studio.apps)).find(({ file }) => file === saved.file);
      return c.json(await summaryOf(app, after ?? { id: found.id, file: saved.file }));
    })
    .delete('/apps/:app/sets/:set', async (c) => {
      const found = await named(c);
      const app = appOf(studio, c).name;
      const { locks, deletions } = studio;
      const removed = await locks.with(found.file, async () => {
        if (c.req.header('if-match') !== undefined) checkVersion(c, await openSet(found), undefined);
        return removeEvalSet(found);
      });
      const undo = deletions.keep(removed.content.length, async () => {
        await locks.with(found.file, () => restoreEvalSet(removed));
        return { app, set: found.id, case: null };
      });
      return c.json({ undo } satisfies Deleted);
    })
    .post('/deletions/:deletion/undo', async (c) => {
      const id = c.req.param('deletion');
      const restore = studio.deletions.find(id);
      if (restore === undefined) {
        throw refusal(404, 'This is not kept any more: changes can be undone until the studio ends, and only once.');
      }
      const restored = await restore();
      studio.deletions.drop(id);
      return c.json(restored);
    });
}

/** @throws A refusal, 412, with both versions. */
function checkVersion(c: Context, { value }: EvalSetFile, yours: object | undefined): void {
  const seen = c.req.header('if-match');
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

async function summaryOf({ folder }: App, found: FoundSet): Promise<SetSummary> {
  const { id } = found;
  const file = relative(folder, found.file);
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

/** What an edit does to the file besides what it says. */
function notesOf({ warnings }: EvalSetFile): readonly string[] {
  const hasComments = warnings.some(({ code }) => code === 'NOT_JSON');
  return hasComments ? ['The file has comments or trailing commas. An edit saves it without them.'] : [];
}

/** @throws A refusal, 422. */
function described(body: unknown): { readonly name?: string; readonly description?: string } {
  const [name, description] = [textOf(body, 'name'), textOf(body, 'description')];
  return { ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) };
}

function textOf(body: unknown, name: string): string | undefined {
  const value = fieldOf(body, name);
  if (value === undefined || typeof value === 'string') return value;
  throw refusal(422, [{ type: 'string_type', loc: ['body', name], msg: 'This must be a text.' }]);
}
