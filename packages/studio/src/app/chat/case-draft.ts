import { type Content, contentText, type EvalCase, type Invocation, type State } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import type { CaseDraft } from '../../api.ts';
import { filesIn } from '../../sessions/message-files.ts';
import { changeStep, removeStep, stepsOf } from '../case/steps.ts';

/** Edits to a recorded conversation, by turn and call position. */
export interface CaseEdits {
  readonly messages: Readonly<Record<number, string>>;
  readonly answers: Readonly<Record<number, string>>;
  /** Edited arguments, by `callKey`. */
  readonly args: Readonly<Record<string, State>>;
  /** Calls to leave out of the expected ones, by `callKey`. */
  readonly withoutCalls: ReadonlySet<string>;
  readonly withoutTurns: ReadonlySet<number>;
}

export const NO_EDITS: CaseEdits = {
  messages: {},
  answers: {},
  args: {},
  withoutCalls: new Set(),
  withoutTurns: new Set(),
};

export function callKey(turn: number, call: number): string {
  return `${turn}.${call}`;
}

export function suggestionKey({ tool, path }: CaseDraft['suggestions'][number]): string {
  return JSON.stringify([tool, path]);
}

/** Applies edits to the recorded turns. */
export function editedTurns(turns: readonly Invocation[], edits: CaseEdits): Invocation[] {
  return turns.flatMap((turn, place) => {
    if (edits.withoutTurns.has(place)) return [];
    const { [place]: message } = edits.messages;
    const { [place]: answer } = edits.answers;
    const { finalResponse: _before, ...rest } = withCalls(turn, (call) => {
      const key = callKey(place, call);
      return edits.withoutCalls.has(key) ? null : edits.args[key];
    });
    const finalResponse = answer === undefined ? turn.finalResponse : said(turn.finalResponse, answer, 'model');
    return [
      {
        ...rest,
        userContent:
          message === undefined ? turn.userContent : (said(turn.userContent, message, 'user') ?? turn.userContent),
        ...(finalResponse === undefined || finalResponse === null ? {} : { finalResponse }),
      },
    ];
  });
}

/** Removes the suggested matchers that are not wanted from a case. */
export function withMatchers({ evalCase, bare, suggestions }: CaseDraft, wanted: ReadonlySet<string>): EvalCase {
  const dropped = suggestions.filter((one) => !wanted.has(suggestionKey(one)));
  if (dropped.length === suggestions.length) return bare;
  const criteria = structuredClone(evalCase.agentCriteria ?? {});
  const options = criteria.tool_trajectory_avg_score;
  const matchers = isObject(options) ? options.matchers : undefined;
  if (!isObject(matchers)) return evalCase;
  for (const { tool, path } of dropped) {
    const { [tool]: byPath } = matchers as Record<string, Record<string, unknown>>;
    if (!isObject(byPath)) continue;
    delete (byPath as Record<string, unknown>)[path];
    if (Object.keys(byPath).length === 0) delete (matchers as Record<string, unknown>)[tool];
  }
  return { ...evalCase, agentCriteria: criteria };
}

/** Derives a case id from the first message. */
export function idFrom(turns: readonly Invocation[]): string {
  const message = turns[0]?.userContent;
  const names = filesIn(message).map(({ displayName }) => displayName ?? '');
  const words = (contentText(message) || names.join(' '))
    .normalize('NFKD')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return (words ?? []).slice(0, 5).join('_').slice(0, 60) || 'session';
}

/** @param change Takes the position of a call. `null` removes the call and its response, `undefined` keeps it. */
function withCalls(turn: Invocation, change: (call: number) => State | null | undefined): Invocation {
  const calls = stepsOf(turn).flatMap(({ step, place }) => (step.kind === 'call' ? [{ call: step.call, place }] : []));
  // Starts from the end, because removals shift later positions.
  return calls.reduceRight((left, { call, place }, at) => {
    const args = change(at);
    if (args === undefined) return left;
    if (args !== null) return changeStep(left, place, { kind: 'call', call: { ...call, args } });
    const without = removeStep(left, 'call', place);
    const responses = stepsOf(without).filter(
      ({ step }) => step.kind === 'result' && call.id && step.result.id === call.id,
    );
    return responses.reduceRight((rest, response) => removeStep(rest, 'result', response.place), without);
  }, turn);
}

/** Replaces the text of a message, keeping its other parts. Returns `null` if nothing is left. */
function said(content: Content | null | undefined, text: string, role: string): Content | null {
  const others = (content?.parts ?? []).filter((part) => typeof part.text !== 'string');
  if (text.trim() === '' && others.length === 0) return null;
  return { role, ...content, parts: [...(text.trim() === '' ? [] : [{ text }]), ...others] };
}
