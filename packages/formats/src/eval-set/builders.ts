import { GROUP_KEY, TAGS_KEY } from '../data/case-keys.ts';
import type {
  Content,
  ConversationScenario,
  EvalCase,
  FunctionCall,
  Invocation,
  Rubric,
  ShortTurn,
} from '../data/model.ts';
import { CriteriaError } from '../errors.ts';
import type { EvalSetInput } from './eval-set-source.ts';

/** What a case has besides its conversation. */
export interface CaseDetails extends Omit<EvalCase, 'evalId' | 'conversation' | 'conversationScenario'> {
  /** Names by which a run chooses cases, kept as `agentCriteria.tags`: `agent-criteria eval … --tag smoke`. */
  readonly tags?: readonly string[] | undefined;
  /** What cases have in common that pass and fail together, such as a document; kept as `agentCriteria.group`. Statistics count a group once. */
  readonly group?: string | undefined;
}

/** With tags and group where files have them. */
export function withTags({ tags, group, ...more }: CaseDetails): Omit<CaseDetails, 'tags' | 'group'> {
  if (tags === undefined && group === undefined) return more;
  const agentCriteria = {
    ...more.agentCriteria,
    ...(tags === undefined ? {} : { [TAGS_KEY]: [...tags] }),
    ...(group === undefined ? {} : { [GROUP_KEY]: group }),
  };
  return { ...more, agentCriteria };
}

/** A case with a fixed conversation: `evalCase('kitchen', [turn('How warm is it?', { answer: '21 °C' })])`. */
export function evalCase(evalId: string, turns: readonly (Invocation | ShortTurn)[], more: CaseDetails = {}): EvalCase {
  const conversation = turns.map((one) => ('userContent' in one ? one : fullTurn(one)));
  return { evalId, conversation, ...withTags(more) };
}

function fullTurn({ user, ...reply }: ShortTurn): Invocation {
  return turn(user, reply);
}

/** A case that a simulated user leads: the first message, and what the user wants after that. */
export function scenario(evalId: string, conversationScenario: ConversationScenario, more: CaseDetails = {}): EvalCase {
  return { evalId, conversationScenario, ...withTags(more) };
}

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

/**
 * Returns the eval set as it is: for completion and checks by the compiler.
 *
 * ```ts
 * const evalSet = defineEvalSet({
 *   evalSetId: 'home',
 *   evalCases: [evalCase('kitchen', [turn('How warm is it?', { answer: 'The kitchen is at 21 °C.' })])],
 * });
 * ```
 */
export function defineEvalSet(evalSet: EvalSetInput): EvalSetInput {
  return evalSet;
}
