import type { Content, FunctionCall, Invocation, Rubric } from '../data/model.ts';

/** What a turn expects of the agent. */
export interface ExpectedReply {
  /** The text of the answer. Default: none, and criteria that compare answers do not apply to the turn. */
  readonly answer?: string | null | undefined;
  /** The tool calls, in order. Default: none are expected. */
  readonly calls?: readonly FunctionCall[] | undefined;
  /** Apply to this turn only. */
  readonly rubrics?: readonly Rubric[] | undefined;
}

/** One turn of a conversation: what the user says, and what is expected of the agent. */
export function turn(user: string, { answer, calls, rubrics }: ExpectedReply = {}): Invocation {
  return {
    userContent: message('user', user),
    ...(answer === undefined ? {} : { finalResponse: answer === null ? null : message('model', answer) }),
    ...(calls === undefined ? {} : { intermediateData: { toolUses: [...calls] } }),
    ...(rubrics === undefined ? {} : { rubrics: [...rubrics] }),
  };
}

/** A message of one text. */
export function message(role: 'user' | 'model', text: string): Content {
  return { role, parts: [{ text }] };
}
