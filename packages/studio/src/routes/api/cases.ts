import { contentText, type EvalCase } from '@agent-criteria/core';
import { tagsOf } from '@agent-criteria/formats';
import { type Context, Hono } from 'hono';
import type { CaseSummary, CaseVersion, Deleted } from '../../api.ts';
import { appOf } from '../../apps/app-of.ts';
import { pageOf } from '../../http/page-of.ts';
import { readBody } from '../../http/read-body.ts';
import { seenVersion } from '../../http/seen-version.ts';
import { versionOf } from '../../sets/case-version.ts';
import { addToSet, caseOf, deleteCase, editCase } from '../../sets/edit-case.ts';
import { openSet } from '../../sets/open-set.ts';
import { readCase } from '../../sets/read-case.ts';
import { setOf } from '../../sets/set-of.ts';
import type { Studio } from '../../studio.ts';

const LONGEST_OPENING = 200;

/** Cases with their names and tags. A saved case is what was sent, with nothing kept from before: the editor has all of it. */
export function caseRoutes(studio: Studio): Hono {
  const set = (c: Context) => setOf(studio, appOf(studio, c), c.req.param('set') ?? '');
  const edit = (c: Context) => ({ caseId: c.req.param('case') ?? '', seen: c.req.header('if-match') });
  return new Hono()
    .get('/apps/:app/sets/:set/cases', async (c) => {
      const { value } = await openSet(await set(c));
      const [text = '', tag] = [c.req.query('text')?.toLowerCase(), c.req.query('tag')];
      const fitting = value.evalCases.filter(
        (one) => (tag === undefined || tagsOf(one).includes(tag)) && searched(one).includes(text),
      );
      return c.json(pageOf(c, fitting, summaryOf));
    })
    .post('/apps/:app/sets/:set/cases', async (c) => {
      const evalCase = readCase(await readBody(c));
      return c.json(versioned(caseOf(await addToSet(studio, await set(c), [evalCase]), evalCase.evalId)));
    })
    .get('/apps/:app/sets/:set/cases/:case', async (c) =>
      c.json(versioned(caseOf(await openSet(await set(c)), edit(c).caseId))),
    )
    .put('/apps/:app/sets/:set/cases/:case', async (c) => {
      const found = await set(c);
      seenVersion(c, 'the case');
      const evalCase = readCase(await readBody(c));
      return c.json(versioned(await editCase(studio, found, edit(c), () => evalCase)));
    })
    .delete('/apps/:app/sets/:set/cases/:case', async (c) => {
      seenVersion(c, 'the case');
      const undo = await deleteCase(studio, appOf(studio, c), await set(c), edit(c));
      return c.json({ undo } satisfies Deleted);
    });
}

function versioned(evalCase: EvalCase): CaseVersion {
  return { evalCase, version: versionOf(evalCase) };
}

function summaryOf(evalCase: EvalCase): CaseSummary {
  const { evalId: id, conversation } = evalCase;
  return {
    id,
    name: nameOf(evalCase),
    tags: tagsOf(evalCase),
    turns: conversation?.length ?? null,
    opening: openingOf(evalCase).slice(0, LONGEST_OPENING),
    version: versionOf(evalCase),
  };
}

/** Not a field of ADK's cases: it is kept there as any other. */
function nameOf(evalCase: EvalCase): string | null {
  const { name } = evalCase as { readonly name?: unknown };
  return typeof name === 'string' ? name : null;
}

function openingOf({ conversation, conversationScenario }: EvalCase): string {
  return conversationScenario?.startingPrompt ?? contentText(conversation?.[0]?.userContent);
}

function searched(evalCase: EvalCase): string {
  return [evalCase.evalId, nameOf(evalCase) ?? '', ...tagsOf(evalCase), openingOf(evalCase)].join('\n').toLowerCase();
}
