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

/** A case's fields other than its id and conversation. */
export interface CaseDetails extends Omit<EvalCase, 'evalId' | 'conversation' | 'conversationScenario'> {
  /** Names by which a run selects cases (`agent-criteria eval … --tag smoke`), stored as `agentCriteria.tags`. */
  readonly tags?: readonly string[] | undefined;
  /**
   * A name shared by cases that pass and fail together, such as those about one document, stored as
   * `agentCriteria.group`. Statistics count a group once.
   */
  readonly group?: string | undefined;
}

/** Moves tags and group to `agentCriteria`, as in files. */
export function withTags({ tags, group, ...more }: CaseDetails): Omit<CaseDetails, 'tags' | 'group'> {
  if (tags === undefined && group === undefined) return more;
  const agentCriteria = {
    ...more.agentCriteria,
    ...(tags === undefined ? {} : { [TAGS_KEY]: [...tags] }),
    ...(group === undefined ? {} : { [GROUP_KEY]: group }),
  };
  return { ...more, agentCriteria };
}

/** Creates a case with a fixed conversation: `evalCase('kitchen', [turn('How warm is it?', { answer: '21 °C' })])`. */
export function evalCase(evalId: string, turns: readonly (Invocation | ShortTurn)[], more: CaseDetails = {}): EvalCase {
  const conversation = turns.map((one) => ('userContent' in one ? one : fullTurn(one)));
  return { evalId, conversation, ...withTags(more) };
}

function fullTurn({ user, ...reply }: ShortTurn): Invocation {
  return turn(user, reply);
}

/** Creates a case that a simulated user leads. */
export function scenario(evalId: string, conversationScenario: ConversationScenario, more: CaseDetails = {}): EvalCase {
  return { evalId, conversationScenario, ...withTags(more) };
}

/** The reply that a turn expects from the agent. */
export interface ExpectedReply {
  /** The text of the answer. Default: none, and criteria that compare answers do not apply to the turn. */
  readonly answer?: string | null | undefined;
  /** The tool calls, in order. Default: none are expected. */
  readonly calls?: readonly FunctionCall[] | undefined;
  /** Rubrics for this turn only. Default: none. */
  readonly rubrics?: readonly Rubric[] | undefined;
}

/**
 * Creates a conversation turn: the user's message and the reply expected from the agent.
 *
 * @throws CriteriaError UNKNOWN_KEY for any other key in the reply, because ignoring it would silently lose an
 *   expectation in untyped code.
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

/** Creates a message with a single text part. */
export function message(role: 'user' | 'model', text: string): Content {
  return { role, parts: [{ text }] };
}

/**
 * Returns the eval set unchanged, so that the compiler can complete and check it.
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
