import type { Content, EvalCase, Inference, Invocation } from '@agent-criteria/core';
import { GROUP_KEY, isInvocationEvents, TAGS_KEY } from '@agent-criteria/formats';
import { CALLS_NOT_STATED_KEYS, HISTORY_KEY } from '@agent-criteria/formats/parse';
import { referenceTurn } from '@agent-criteria/project/editing';
import type { Conversation, Expected } from '../conversation.ts';
import type { CaseCriteria } from '../criteria/case-criteria.ts';

/** Makes the case that a conversation answers: the messages of the user, and what the file says is expected. */
export function caseOfLog(conversation: Conversation, evalId: string): EvalCase {
  const turns = conversation.turns.map(({ userContent }, index): Invocation => {
    const { answer, calls } = conversation.expected.get(index) ?? {};
    return {
      userContent,
      ...(answer === undefined ? {} : { finalResponse: said(answer) }),
      ...(calls === undefined ? {} : { intermediateData: { toolUses: calls } }),
    };
  });
  const open = turns.flatMap((turn, index) => (turn.intermediateData === undefined ? [index] : []));
  return caseWith(conversation, evalId, turns, open);
}

/**
 * Makes a case that is judged by the criteria of its file. The agent's answers are not expected again, except that turns that are
 * history keep it.
 */
export function caseToJudge(conversation: Conversation, evalId: string): EvalCase {
  const { history = 0, turns } = conversation;
  const asked = caseOfLog(conversation, evalId);
  const before = turns.slice(0, history).map((turn) => withExpected(referenceTurn(turn), {}, false));
  return { ...asked, conversation: [...before, ...(asked.conversation ?? []).slice(history)] };
}

/** Returns a case with options and rubrics of criteria. */
export function withCriteria(
  evalCase: EvalCase,
  { options, rubrics }: Pick<CaseCriteria, 'options' | 'rubrics'>,
): EvalCase {
  return {
    ...evalCase,
    ...(rubrics.length === 0 ? {} : { rubrics }),
    ...(options.size === 0 ? {} : { agentCriteria: { ...evalCase.agentCriteria, ...Object.fromEntries(options) } }),
  };
}

/** Makes a case that expects the agent to do again what it did, unless the file says that something else is expected. */
export function caseToRepeat(conversation: Conversation, evalId: string): EvalCase {
  const open: number[] = [];
  const turns = conversation.turns.map((turn, index): Invocation => {
    const expected = conversation.expected.get(index) ?? {};
    // A record without an answer states nothing about the calls either.
    if (isUnanswered(turn) && expected.calls === undefined) open.push(index);
    return withExpected(referenceTurn(turn), expected, open.includes(index));
  });
  return caseWith(conversation, evalId, turns, open);
}

function withExpected(turn: Invocation, { answer, calls }: Expected, isOpen: boolean): Invocation {
  const { intermediateData, invocationId: _, creationTimestamp: __, ...rest } = turn;
  const steps = calls === undefined ? intermediateData : { toolUses: calls };
  return {
    ...rest,
    ...(answer === undefined ? {} : { finalResponse: said(answer) }),
    ...(isOpen || steps === undefined ? {} : { intermediateData: steps }),
  };
}

function isUnanswered({ finalResponse, intermediateData }: Invocation): boolean {
  if (finalResponse) return false;
  return !intermediateData || (isInvocationEvents(intermediateData) && !intermediateData.invocationEvents?.length);
}

/** @param open The turns that do not state which calls are expected. */
function caseWith(
  { group, tags, sessionInput, history }: Conversation,
  evalId: string,
  conversation: readonly Invocation[],
  open: readonly number[],
): EvalCase {
  const keys = {
    ...(tags === undefined ? {} : { [TAGS_KEY]: tags }),
    ...(group === undefined ? {} : { [GROUP_KEY]: group }),
    ...(history === undefined ? {} : { [HISTORY_KEY]: history }),
    ...(open.length === 0 ? {} : { [CALLS_NOT_STATED_KEYS[0]]: open }),
  };
  return {
    evalId,
    conversation,
    ...(sessionInput === undefined ? {} : { sessionInput }),
    ...(Object.keys(keys).length === 0 ? {} : { agentCriteria: keys }),
  };
}

function said(text: string): Content {
  return { role: 'model', parts: [{ text }] };
}

/** Makes the inference that a conversation is. */
export function inferenceOf({ id, turns, sessionInput, finalState, error }: Conversation, evalId: string): Inference {
  return {
    sessionId: id ?? evalId,
    invocations: turns,
    state: { initial: sessionInput?.state ?? null, final: finalState ?? null },
    ending: error === undefined ? { by: 'end-of-case' } : { by: 'error', of: 'agent', error },
  };
}
