import { isObject } from '../json.ts';
import { toolCalls } from './accessors.ts';
import type { EvalCase, Invocation } from './model.ts';

/** The key of tags under `agent_criteria` of a case. */
export const TAGS_KEY = 'tags';

/** The tags of a case, by which a run chooses cases: the texts of its `agent_criteria.tags`. */
export function tagsOf({ agentCriteria }: Pick<EvalCase, 'agentCriteria'>): readonly string[] {
  const tags: unknown = isObject(agentCriteria) ? agentCriteria[TAGS_KEY] : undefined;
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
}

/** What is wrong with the tags of a case; `null`: nothing, or it has none. */
export function mistakeInTags(agentCriteria: unknown): string | null {
  const tags = isObject(agentCriteria) ? agentCriteria[TAGS_KEY] : undefined;
  if (tags === undefined) return null;
  if (Array.isArray(tags) && tags.every((tag) => typeof tag === 'string' && tag.trim() !== '')) return null;
  return 'the tags of a case must be a list of non-empty strings, as ["smoke", "slow"]';
}

/** The key of the group under `agent_criteria` of a case. */
export const GROUP_KEY = 'group';

/**
 * The group of a case: cases about one document, user or scenario, which pass and fail together. Statistics count a group
 * once. `null`: it is in none.
 */
export function groupOf({ agentCriteria }: Pick<EvalCase, 'agentCriteria'>): string | null {
  const group: unknown = isObject(agentCriteria) ? agentCriteria[GROUP_KEY] : undefined;
  return typeof group === 'string' && group !== '' ? group : null;
}

/** What is wrong with the group of a case; `null`: nothing, or it has none. */
export function mistakeInGroup(agentCriteria: unknown): string | null {
  const group = isObject(agentCriteria) ? agentCriteria[GROUP_KEY] : undefined;
  if (group === undefined || (typeof group === 'string' && group.trim() !== '')) return null;
  return 'the group of a case must be a non-empty string, as "refunds": cases of one group count as one in statistics';
}

/** The key under `agent_criteria` of a case: how many of its first turns are history. */
export const HISTORY_KEY = 'history';
/** The key, in both spellings, under `agent_criteria` of a case: the turns that do not state which calls are expected. */
export const CALLS_NOT_STATED_KEYS = ['calls_not_stated', 'callsNotStated'] as const;

type Marked = Pick<EvalCase, 'agentCriteria' | 'conversation'>;

/**
 * How many of a case's first turns are history: what was said and done before the case begins. They are given to the agent, and
 * never judged. Default 0.
 */
export function historyLength({ agentCriteria, conversation }: Marked): number {
  const length: unknown = isObject(agentCriteria) ? agentCriteria[HISTORY_KEY] : undefined;
  const turns = conversation?.length ?? 0;
  return typeof length === 'number' && Number.isInteger(length) && length > 0 ? Math.min(length, turns) : 0;
}

/** The turns, from 0, that say nothing about calls. Without the mark, a turn that lists none expects none. Default: none of them. */
export function turnsWithoutStatedCalls({ agentCriteria }: Pick<EvalCase, 'agentCriteria'>): ReadonlySet<number> {
  const listed = notStated(agentCriteria)?.listed;
  return new Set(Array.isArray(listed) ? listed.filter((turn) => Number.isInteger(turn)) : []);
}

/** Whether the turns to be judged all say nothing about calls, so that no call of theirs can be wrong. */
export function statesNoCalls(evalCase: Marked): boolean {
  const marked = turnsWithoutStatedCalls(evalCase);
  const turns = evalCase.conversation?.length ?? 0;
  const first = historyLength(evalCase);
  return (
    turns > first && Array.from({ length: turns - first }, (_, index) => first + index).every((at) => marked.has(at))
  );
}

/** The mistakes in these keys of a case, by the key. */
export function mistakesInTurnMarks({ agentCriteria, conversation }: Marked): readonly (readonly [string, string])[] {
  if (!isObject(agentCriteria)) return [];
  const found: [string, string][] = [];
  const turns = conversation?.length ?? 0;
  const history: unknown = agentCriteria[HISTORY_KEY];
  if (history !== undefined && !(isCount(history) && history < turns)) {
    const range = turns === 0 ? 'and only a case with a conversation has one' : `from 0 to ${turns - 1}`;
    found.push([HISTORY_KEY, `history must be how many of the case's first turns are history, ${range}`]);
  }
  const stated = notStated(agentCriteria);
  if (stated === null) return found;
  const { key, listed } = stated;
  if (!Array.isArray(listed) || !listed.every((turn) => isCount(turn) && turn < turns)) {
    const range = turns === 0 ? '' : `, from 0 to ${turns - 1}`;
    found.push([key, `${key} must be a list of the case's turns${range}, as [0]`]);
    return found;
  }
  const contrary = listed.find((turn: number) => listsCalls(conversation?.[turn]));
  if (contrary !== undefined) {
    found.push([key, `turn ${contrary} lists expected calls, so remove it from ${key}, or remove its calls`]);
  }
  return found;
}

function notStated(agentCriteria: unknown): { readonly key: string; readonly listed: unknown } | null {
  if (!isObject(agentCriteria)) return null;
  const key = CALLS_NOT_STATED_KEYS.find((one) => agentCriteria[one] !== undefined);
  return key === undefined ? null : { key, listed: agentCriteria[key] };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function listsCalls(turn: Invocation | undefined): boolean {
  return turn !== undefined && toolCalls(turn).length > 0;
}
