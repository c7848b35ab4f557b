import { contentText, type EvalCase, type Invocation, isObject, toolCalls } from '@agent-criteria/formats';
import { historyLength, statesNoCalls } from '@agent-criteria/formats/parse';
import type { Criterion, Needs } from '../contracts/criterion.ts';
import type { Registry } from '../registry/registry.ts';
import { expectsNothing } from '../scoring/expects-nothing.ts';
import { judgedRubrics } from '../scoring/transcript.ts';
import type { PluginAdvice } from './plugin-advice.ts';

/** Returns why a criterion cannot apply to a case, or `null` if it can. Needs no inference. */
export function unmetNeed(
  criterion: Criterion,
  options: unknown,
  evalCase: EvalCase,
  compat: 'adk' | null,
): string | null {
  const { needs = {} } = criterion;
  const turns = (evalCase.conversation ?? []).slice(historyLength(evalCase));
  if (needs.scenario === true && !evalCase.conversationScenario) {
    return 'it judges simulated conversations, and the case has a fixed one';
  }
  if (needs.reference !== undefined) {
    if (!evalCase.conversation) return 'it compares with a reference, and a simulated conversation has none';
    if (needs.reference === 'tools' && statesNoCalls(evalCase) && !forbidsTools(options)) {
      return 'no turn of the case states which calls are expected';
    }
    // In ADK, every fixed conversation is a reference, even if it expects nothing.
    if (compat !== 'adk' && !turns.some((turn) => hasReference(turn, needs.reference))) {
      return needs.reference === 'response'
        ? 'no turn of the case expects an answer'
        : 'no turn of the case expects an answer or a tool call';
    }
  }
  if (needs.finalState === true && (evalCase.finalSessionState ?? null) === null) {
    return 'the case has no final_session_state to compare with';
  }
  if (needs.rubrics !== undefined) {
    const { type } = needs.rubrics;
    const found = judgedRubrics(criterion, options, evalCase).some((rubrics) => rubrics.length > 0);
    if (!found) return `neither the criterion nor the case has rubrics of the type ${type}`;
  }
  return criterion.unmetNeed?.(evalCase, options) ?? null;
}

/**
 * Whether the options forbid tools. A forbidden tool is wrong in any turn, even if the expected calls are not stated.
 */
function forbidsTools(options: unknown): boolean {
  return isObject(options) && Array.isArray(options.forbiddenTools) && options.forbiddenTools.length > 0;
}

/**
 * Whether an expected turn is a reference of this kind. For tools, every turn is one: without calls, it expects none.
 */
export function hasReference(turn: Invocation, kind: 'response' | 'tools' | 'either' | undefined): boolean {
  // ADK migrates legacy eval data without a reference to an expected answer of "".
  const response = contentText(turn.finalResponse).trim() !== '';
  if (kind === 'response') return response;
  if (kind === 'tools') return true;
  return response || toolCalls(turn).length > 0;
}

/** The maximum number of criteria in a suggestion. */
const MOST_NAMED = 6;
/** The maximum number of suggested criteria that check nothing without options. */
const MOST_CHECKS = 2;

/** The order of suggestions: first those that judge the agent and need no options. */
const Rank = { PLAIN: 0, RUBRICS: 1, INSTALLED: 2, CHECK: 3, OF_THE_USER: 4 } as const;

function rankOf({ asks, needs, hasRubrics }: { asks: boolean; needs: Needs; hasRubrics: boolean }): number {
  if (asks) return Rank.CHECK;
  if (needs.scenario === true) return Rank.OF_THE_USER;
  return hasRubrics ? Rank.RUBRICS : Rank.PLAIN;
}

/**
 * Suggests criteria that apply to at least one of these cases, in a sentence: registered and installed ones, or else
 * those that could be installed. Missing rubrics and options do not rule a criterion out, because users can add them.
 *
 * @param installed As `PluginAdvice.installedCriteria` returns them.
 * @param installable As `PluginAdvice.installableCriteria` returns them.
 * @param wouldScore As in `PluginAdvice`.
 */
export function fittingCriteria(
  registry: Registry,
  cases: readonly EvalCase[],
  compat: 'adk' | null,
  { installed, installable }: { readonly installed: readonly string[]; readonly installable: readonly string[] },
  wouldScore: PluginAdvice['wouldScore'] = () => true,
): string {
  const there = registry.list('criterion').flatMap((criterion) => {
    if (criterion.measuredByDefault === true) return [];
    const { rubrics, ...needs } = criterion.needs ?? {};
    // With options, the result of `unmetNeed` may depend on the options, which users can change.
    const hasOptions = Object.keys(Object(criterion.options.jsonSchema.properties)).length > 0;
    const asked = hasOptions ? { ...criterion, needs, unmetNeed: undefined } : { ...criterion, needs };
    // A case that expects nothing is not evaluated if every criterion compares with a reference.
    const judges = (evalCase: EvalCase) =>
      compat === 'adk' || needs.reference === undefined || !expectsNothing(evalCase);
    const fitting = cases.filter(
      (evalCase) =>
        unmetNeed(asked, {}, evalCase, compat) === null && judges(evalCase) && wouldScore(criterion.name, evalCase),
    );
    if (fitting.length === 0) return [];
    const asks = fitting.every((evalCase) => (criterion.unmetNeed?.(evalCase, {}) ?? null) !== null);
    const rank = rankOf({ asks: asks || criterion.range.better === 'lower', needs, hasRubrics: rubrics !== undefined });
    return [{ rank, text: rubrics === undefined ? criterion.name : `${criterion.name} with rubrics` }];
  });
  const all = [...there, ...installed.map((text) => ({ rank: Rank.INSTALLED, text }))].sort((a, b) => a.rank - b.rank);
  if (all.length > 0) {
    const checks = all.filter(({ rank }) => rank === Rank.CHECK);
    const named = all.filter((one) => !checks.slice(MOST_CHECKS).includes(one)).slice(0, MOST_NAMED);
    const more = all.length > named.length || installable.length > 0 ? '; agent-criteria criteria lists all' : '';
    return `These fit this set: ${named.map(({ text }) => text).join(', ')}${more}`;
  }
  const [first] = installable;
  if (first === undefined) return 'No registered criterion fits';
  const more = installable.length > 1 ? '; agent-criteria criteria lists all' : '';
  return `No registered criterion fits, but with its package: ${first}${more}`;
}
