import type { EvalCase } from '@agent-criteria/core';
import { messageTitle, tagsOf } from '@agent-criteria/formats';
import type { CaseSummary, CaseVersion } from '../../api.ts';
import { mistake } from '../../http/refusal.ts';
import { seenVersion, versionOf } from '../../http/version.ts';
import { addToSet, caseOf, deleteCase, editCase } from '../../sets/edit-case.ts';
import { openSet, setOf } from '../../sets/find-sets.ts';
import { readCase, readCaseText, writeCaseText } from '../../sets/read-case.ts';
import type { Studio } from '../../studio.ts';
import { type Handlers, pageOf } from './handlers.ts';

const LONGEST_OPENING = 200;

/** Serves a set's cases and their text. A case is saved exactly as sent, because the editor has all of its fields. */
export function caseRoutes(studio: Studio) {
  return {
    'GET /apps/:app/sets/:set/cases': async ({ app, set, query }) => {
      const { value } = await openSet(await setOf(studio, app, set));
      const [text = '', tag] = [query.text?.toLowerCase(), query.tag];
      const fitting = value.evalCases.filter(
        (one) => (tag === undefined || tagsOf(one).includes(tag)) && searched(one).includes(text),
      );
      return pageOf(query, fitting, summaryOf);
    },
    'POST /apps/:app/sets/:set/cases': async ({ app, set, body }) => {
      const evalCase = readCase(await body());
      return versioned(caseOf(await addToSet(studio, await setOf(studio, app, set), [evalCase]), evalCase.evalId));
    },
    'GET /apps/:app/sets/:set/cases/:case': async ({ app, set, case: caseId }) =>
      versioned(caseOf(await openSet(await setOf(studio, app, set)), caseId)),
    'PUT /apps/:app/sets/:set/cases/:case': async ({ app, set, case: caseId, seen, body }) => {
      const found = await setOf(studio, app, set);
      seenVersion(seen, 'the case');
      const evalCase = readCase(await body());
      return versioned(await editCase(studio, found, { caseId, seen }, () => evalCase));
    },
    'DELETE /apps/:app/sets/:set/cases/:case': async ({ app, set, case: caseId, seen }) => {
      seenVersion(seen, 'the case');
      return { undo: await deleteCase(studio, await setOf(studio, app, set), { caseId, seen }) };
    },
    'POST /cases/read': async ({ fields }) => {
      const text = (await fields())('text');
      if (typeof text === 'string') return readCaseText(text);
      throw mistake(['body', 'text'], 'Send { "text": "…" }.', 'string_type');
    },
    'POST /cases/write': async ({ body }) => writeCaseText(readCase(await body())),
  } satisfies Partial<Handlers>;
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

/** Returns the name, which is not a field of ADK's cases. */
function nameOf(evalCase: EvalCase): string | null {
  const { name } = evalCase as { readonly name?: unknown };
  return typeof name === 'string' ? name : null;
}

function openingOf({ conversation, conversationScenario }: EvalCase): string {
  return conversationScenario?.startingPrompt ?? messageTitle(conversation?.[0]?.userContent);
}

function searched(evalCase: EvalCase): string {
  return [evalCase.evalId, nameOf(evalCase) ?? '', ...tagsOf(evalCase), openingOf(evalCase)].join('\n').toLowerCase();
}
