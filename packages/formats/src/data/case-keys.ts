import { isObject } from '../json.ts';
import { toolCalls } from './accessors.ts';
import type { EvalCase, Invocation } from './model.ts';

/** The key for tags under a case's `agent_criteria`. */
export const TAGS_KEY = 'tags';

/** Returns a case's tags, which select cases for a run: the strings in `agent_criteria.tags`. */
export function tagsOf({ agentCriteria }: Pick<EvalCase, 'agentCriteria'>): readonly string[] {
  const tags: unknown = isObject(agentCriteria) ? agentCriteria[TAGS_KEY] : undefined;
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
}

/** Describes a mistake in a case's tags, or returns `null` if there is none. */
export function mistakeInTags(agentCriteria: unknown): string | null {
  const tags = isObject(agentCriteria) ? agentCriteria[TAGS_KEY] : undefined;
  if (tags === undefined) return null;
  if (Array.isArray(tags) && tags.every((tag) => typeof tag === 'string' && tag.trim() !== '')) return null;
  return 'the tags of a case must be a list of non-empty strings, as ["smoke", "slow"]';
}

/** The key for the group under a case's `agent_criteria`. */
export const GROUP_KEY = 'group';

/**
 * Returns a case's group, or `null`. Cases in one group, such as those about one document, pass and fail together, so
 * statistics count a group once.
 */
export function groupOf({ agentCriteria }: Pick<EvalCase, 'agentCriteria'>): string | null {
  const group: unknown = isObject(agentCriteria) ? agentCriteria[GROUP_KEY] : undefined;
  return typeof group === 'string' && group !== '' ? group : null;
}

/** Describes a mistake in a case's group, or returns `null` if there is none. */
export function mistakeInGroup(agentCriteria: unknown): string | null {
  const group = isObject(agentCriteria) ? agentCriteria[GROUP_KEY] : undefined;
  if (group === undefined || (typeof group === 'string' && group.trim() !== '')) return null;
  return 'the group of a case must be a non-empty string, as "refunds": cases of one group count as one in statistics';
}

/** The key under a case's `agent_criteria` for the number of initial turns that are history. */
export const HISTORY_KEY = 'history';
/** The key, in both spellings, under a case's `agent_criteria` for the turns that do not state the expected calls. */
export const CALLS_NOT_STATED_KEYS = ['calls_not_stated', 'callsNotStated'] as const;

type Marked = Pick<EvalCase, 'agentCriteria' | 'conversation'>;

/**
 * Returns the number of initial turns in a case that are history, which is given to the agent and never judged. Default
 * 0.
 */
export function historyLength({ agentCriteria, conversation }: Marked): number {
  const length: unknown = isObject(agentCriteria) ? agentCriteria[HISTORY_KEY] : undefined;
  const turns = conversation?.length ?? 0;
  return typeof length === 'number' && Number.isInteger(length) && length > 0 ? Math.min(length, turns) : 0;
}

/**
 * Returns the indexes, from 0, of the turns that do not state the expected calls. Any other turn without calls expects
 * none. Default: none.
 */
export function turnsWithoutStatedCalls({ agentCriteria }: Pick<EvalCase, 'agentCriteria'>): ReadonlySet<number> {
  const listed = notStated(agentCriteria)?.listed;
  return new Set(Array.isArray(listed) ? listed.filter((turn) => Number.isInteger(turn)) : []);
}

/** Whether no turn after the history states the expected calls, so that no call can be wrong. */
export function statesNoCalls(evalCase: Marked): boolean {
  const marked = turnsWithoutStatedCalls(evalCase);
  const turns = evalCase.conversation?.length ?? 0;
  const first = historyLength(evalCase);
  return (
    turns > first && Array.from({ length: turns - first }, (_, index) => first + index).every((at) => marked.has(at))
  );
}

/** Lists the mistakes in a case's `history` and `calls_not_stated`, as pairs of key and message. */
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
