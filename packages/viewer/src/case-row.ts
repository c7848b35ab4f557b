import { contentText } from '@agent-criteria/core';
import type { CaseResult } from '@agent-criteria/core/host';
import { messageTitle, tagsOf } from '@agent-criteria/formats';
import { maskedIn, type RunCase, usageOf } from '@agent-criteria/results';
import { distinctAnswers } from './distinct-answers.ts';
import type { CaseRow } from './page-data.ts';

const REASON_SHOWN = 300;
const ASKED_SHOWN = 160;
const ANSWERED_SHOWN = 160;

export function caseRow(one: RunCase, setPlace: number, variantPlace?: number): CaseRow {
  const { result } = one;
  const masked = maskedIn(one);
  const agent = usageOf(one).agent;
  const tags = tagsOf(one.evalCase);
  const answered = lastWords(one);
  return {
    set: setPlace,
    id: result.caseId,
    ...(variantPlace !== undefined && { variant: variantPlace }),
    ...resultRow(result),
    asked: cut(firstWords(one), ASKED_SHOWN),
    ...(answered !== undefined && { answered: cut(answered, ANSWERED_SHOWN) }),
    time: caseDuration(one),
    ...(agent?.tokens && { tokens: agent.tokens.inputTokens + agent.tokens.outputTokens }),
    ...(agent?.tokens && agent.callsWithoutUsage > 0 && { moreTokens: true }),
    ...(result.units.length > 1 && { answers: distinctAnswers(one).length }),
    ...(tags.length > 0 && { tags }),
    ...(Object.keys(masked).length > 0 && { masked }),
  };
}

/** The part of a row that is known from a case's result alone. */
export type ResultRow = Pick<CaseRow, 'verdict' | 'reason' | 'cells' | 'repeats' | 'limited' | 'warned'>;

export function resultRow({ verdict, reason, criteria, units }: CaseResult): ResultRow {
  return {
    verdict,
    reason: reason === undefined ? undefined : cut(reason, REASON_SHOWN),
    cells: criteria.map((one) => [one.verdict, one.score, one.coverage]),
    repeats: { passed: units.filter((unit) => unit.verdict === 'passed').length, total: units.length },
    limited: units.filter(({ ending }) => ending.by === 'turn-limit').length,
    warned: criteria.some(({ warnings }) => warnings.length > 0),
  };
}

function firstWords({ evalCase, inferences }: RunCase): string {
  const turn = evalCase.conversation?.[0] ?? inferences[0]?.inference.invocations[0];
  return messageTitle(turn?.userContent) || (evalCase.conversationScenario?.startingPrompt ?? '');
}

function lastWords({ inferences }: RunCase): string | undefined {
  const answers = inferences.map(({ inference }) => contentText(inference.invocations.at(-1)?.finalResponse));
  return answers.find((answer) => answer !== '');
}

/**
 * Returns the agent's total time over all repeats, in milliseconds. For a repeat that was not timed, the durations of
 * its turns are counted. Returns `null` if nothing was measured.
 */
export function caseDuration({ inferences }: Pick<RunCase, 'inferences'>): number | null {
  const times = inferences.flatMap(({ startedAt, endedAt, inference }) => {
    if (startedAt !== undefined && endedAt !== undefined) return [endedAt - startedAt];
    return inference.invocations.flatMap(({ duration }) => (typeof duration === 'number' ? [duration * 1000] : []));
  });
  return times.length === 0 ? null : times.reduce((sum, time) => sum + Math.max(time, 0), 0);
}

/** Truncates a string without splitting a surrogate pair. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
