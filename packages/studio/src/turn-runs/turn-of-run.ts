import { isDeepStrictEqual } from 'node:util';
import { contentText, type Invocation } from '@agent-criteria/core';
import { historyLength } from '@agent-criteria/formats/parse';
import { maskedIn } from '@agent-criteria/results';
import type { TurnPlace } from '../api.ts';
import { appOfAgent } from '../apps/app.ts';
import { refusal } from '../http/refusal.ts';
import { prepareRunAgain } from '../runs/run-again.ts';
import { openedRun } from '../runs/run-folder.ts';
import type { Studio } from '../studio.ts';
import type { Before } from './head-start.ts';
import { endingWith, type SourceTurn } from './source-turn.ts';

/** Finds a turn of a conversation that a run has recorded. */
export async function turnOfRun(studio: Studio, of: Extract<TurnPlace, { readonly run: string }>): Promise<SourceTurn> {
  const { run } = await openedRun(studio, of.run);
  const { set: setId, case: caseId, variant, repeat, turn } = of;
  const one = await run.case({ setId, caseId, variant });
  if (one === undefined) throw refusal(404, `The run has no case "${caseId}" in the set "${setId}".`);
  const recorded = one.inferences.find(({ key }) => key.repeat === repeat)?.inference;
  if (recorded === undefined) throw refusal(404, `The run has no conversation of repeat ${repeat + 1} of this case.`);
  const { invocations, ending, trace = [] } = recorded;
  const reference = one.evalCase.conversation?.[turn];
  const actual = invocations[turn];
  const message = actual?.userContent ?? (turn === invocations.length ? reference?.userContent : undefined);
  if (message === undefined) throw refusal(404, `Turn ${turn + 1} of this conversation did not take place.`);
  const { prepared } = await prepareRunAgain(studio, of.run, { only: { set: setId, case: caseId }, repeats: 1 });
  const agent = (prepared.agents.find((each) => each.variant === variant) ?? prepared.agents[0])?.agent;
  const app = appOfAgent(studio.apps, agent?.file ?? '');
  if (app === null) throw refusal(400, 'The agent of this run is not one of this studio.');
  // A reference for another message, which a simulated user or an edit led to, would be misleading.
  const isExpected = reference !== undefined && contentText(reference.userContent) === contentText(message);
  const asked: Invocation = isExpected ? { ...reference, userContent: message } : { userContent: message };
  const { finalSessionState, ...rest } = one.evalCase;
  const isLast = turn === (one.evalCase.conversation?.length ?? invocations.length) - 1;
  const evalCase = isLast && finalSessionState !== undefined ? { ...rest, finalSessionState } : rest;
  const before = beforeTurn(recorded, turn, historyLength(one.evalCase));
  const hasFailed = ending.by === 'error' && turn >= invocations.length - 1;
  return {
    of,
    app,
    setId,
    evalCase: endingWith(evalCase, [...invocations.slice(0, turn), asked]),
    turn,
    original: actual ?? { userContent: message },
    problem: actual === undefined || (hasFailed && !actual.finalResponse) ? problemOf(ending) : null,
    recorded: { invocations: invocations.slice(0, turn + 1), trace: trace.filter((span) => span.turn <= turn) },
    before,
    unknown:
      before === null
        ? 'A run does not record the state between turns, and this conversation changes its state.'
        : null,
    changes: new Map(),
    isExpected,
    prepared,
    variant,
    notes:
      Object.keys(maskedIn(one)).length === 0
        ? []
        : ['The run masks secrets in this conversation, so the agent gets “[masked: …]” in their place.'],
  };
}

/** Returns the state before a turn, or `null` if the conversation may have changed it on the way there. */
function beforeTurn(
  {
    state: { initial, final },
  }: { readonly state: { readonly initial: Before['state'] | null; readonly final: unknown } },
  turn: number,
  history: number,
): Before | null {
  if (turn === 0 || turn <= history) return { state: initial ?? {} };
  return initial !== null && isDeepStrictEqual(initial, final) ? { state: initial } : null;
}

function problemOf(ending: { readonly by: string; readonly error?: { readonly message: string } | undefined }): string {
  return ending.error?.message ?? 'The agent gave no answer.';
}
