import type { Content, FunctionCall, Invocation, Rubric } from '../data/model.ts';
import { CriteriaError } from '../errors.ts';

/** What a turn expects of the agent. */
export interface ExpectedReply {
  /** The text of the answer. Default: none, and criteria that compare answers do not apply to the turn. */
  readonly answer?: string | null | undefined;
  /** The tool calls, in order. Default: none are expected. */
  readonly calls?: readonly FunctionCall[] | undefined;
  /** Apply to this turn only. */
  readonly rubrics?: readonly Rubric[] | undefined;
}

/**
 * One turn of a conversation: the user's message and the reply that is expected of the agent.
 *
 * @throws CriteriaError `UNKNOWN_KEY` for any other key of the reply. Code without types would lose expected calls if it were ignored.
 */
export function turn(user: string, { answer, calls, rubrics, ...others }: ExpectedReply = {}): Invocation {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw new CriteriaError({
      code: 'UNKNOWN_KEY',
      message: `a turn has no key "${unknown}": it has user, answer, calls and rubrics`,
    });
  }
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
