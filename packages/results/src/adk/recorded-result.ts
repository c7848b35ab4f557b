import {
  CriteriaError,
  contentText,
  type Ending,
  type EvalCase,
  type EvalSet,
  type Invocation,
  type Json,
  type Problem,
  type State,
} from '@agent-criteria/core';
import {
  type EvalCaseResult,
  type EvalMetricResult,
  type EvalSetResult,
  isObject,
  stringifyJson,
} from '@agent-criteria/formats';
import type { RunInference } from '../run-record.ts';

/** An ADK result file, split into cases, agent behaviour and scores. */
export interface RecordedResult {
  /** ADK's id of the result. */
  readonly id: string;
  /** Milliseconds since the epoch, or `null` if the file does not record it. */
  readonly at: number | null;
  /** The cases, as far as the result records them: messages, expected turns and rubrics. */
  readonly evalSet: EvalSet;
  readonly inferences: readonly RunInference[];
  /** The largest number of repeats of any case. */
  readonly repeats: number;
  /** In file order. */
  readonly criteria: readonly RecordedCriterion[];
  /** One entry per repeat of a case, or one for all its repeats, as newer versions of ADK write them. */
  readonly entries: readonly RecordedEntry[];
  readonly warnings: readonly Problem[];
}

/** A metric as recorded in the file. */
export interface RecordedCriterion {
  readonly name: string;
  /** `null` if it is informational. */
  readonly threshold: number | null;
  /** The equivalent config entry. */
  readonly written: Json;
}

/** The scores of one repeat of a case, or of several that ADK pooled. */
export interface RecordedEntry {
  readonly caseId: string;
  /** The repeats that the entry covers, zero-based. */
  readonly repeats: readonly number[];
  readonly status: EvalCaseResult['finalEvalStatus'];
  /** The scores of the whole case. */
  readonly overall: readonly EvalMetricResult[];
  /** Scores by repeat, then by turn. */
  readonly turns: readonly (readonly (readonly EvalMetricResult[])[])[];
}

const UNRECORDED = '(not recorded)';

/**
 * Reads a result so that it can be judged again without running the agent. A case that ADK ran several times becomes
 * one case with repeats, whether the file has one entry per repeat or one for all of them.
 *
 * @param file The file name to show in problems.
 * @throws CriteriaError EMPTY for a result without cases.
 */
export function recordedResult(result: EvalSetResult, file?: string): RecordedResult {
  const { evalSetResultId: id, evalSetId, evalCaseResults = [], creationTimestamp } = result;
  if (evalCaseResults.length === 0) {
    const message = 'the result has no case, so there is nothing to judge: name another file';
    throw new CriteriaError({ code: 'EMPTY', file, path: '$.eval_case_results', message });
  }
  const cases = new Map<string, { readonly evalCase: EvalCase; readonly text: string; repeats: number }>();
  const inferences: RunInference[] = [];
  const entries: RecordedEntry[] = [];
  const warnings: Problem[] = [];
  for (const [index, one] of evalCaseResults.entries()) {
    const runs = splitPooled(one.evalMetricResultPerInvocation);
    // A failed repeat has no turns, so another repeat of the case supplies the expected ones.
    const whole = runs[0]?.length ? one : (evalCaseResults.find((other) => isSameCase(one, other)) ?? one);
    const turns = splitPooled(whole.evalMetricResultPerInvocation)[0] ?? [];
    const evalCase = caseOf(whole, one.evalId || `case ${index + 1}`, turns);
    const { evalId: named, ...rest } = evalCase;
    const text = stringifyJson(rest);
    const caseId = idFor(named, text, cases);
    const known = cases.get(caseId) ?? { evalCase: { ...evalCase, evalId: caseId }, text, repeats: 0 };
    cases.set(caseId, known);
    const repeats = runs.map((_, offset) => known.repeats + offset);
    known.repeats += runs.length;
    for (const [offset, run] of runs.entries()) {
      const key = { setId: evalSetId, caseId, repeat: repeats[offset] ?? 0 };
      inferences.push({
        key,
        inference: inferenceOf(
          one,
          run.map(({ actualInvocation }) => actualInvocation),
        ),
      });
    }
    entries.push({
      caseId,
      repeats,
      status: one.finalEvalStatus,
      overall: one.overallEvalMetricResults,
      turns: runs.map((run) => run.map(({ evalMetricResults = [] }) => evalMetricResults)),
    });
  }
  return {
    id,
    at: creationTimestamp === undefined ? null : creationTimestamp * 1000,
    evalSet: { evalSetId, evalCases: [...cases.values()].map(({ evalCase }) => evalCase) },
    inferences,
    repeats: Math.max(...[...cases.values()].map(({ repeats }) => repeats)),
    criteria: criteriaOf(evalCaseResults, file, warnings),
    entries,
    warnings,
  };
}

type Turns = EvalCaseResult['evalMetricResultPerInvocation'];

/**
 * Splits pooled turns. Newer versions of ADK list the turns of all repeats one after another, so the same expected
 * turns recur.
 */
function splitPooled(turns: Turns): readonly Turns[] {
  const texts = turns.map(({ expectedInvocation }) =>
    // Without an id, a repeat looks just like a user who says the same thing twice.
    expectedInvocation?.invocationId ? stringifyJson(expectedInvocation) : null,
  );
  const [first] = texts;
  if (first === null || first === undefined) return [turns];
  const next = texts.indexOf(first, 1);
  if (next === -1 || turns.length % next !== 0) return [turns];
  if (texts.some((text, index) => text === null || text !== texts[index % next])) return [turns];
  return Array.from({ length: turns.length / next }, (_, run) => turns.slice(run * next, (run + 1) * next));
}

function isSameCase(one: EvalCaseResult, other: EvalCaseResult): boolean {
  return one.evalId === other.evalId && other.evalMetricResultPerInvocation.length > 0;
}

/** Returns the case's id, or "id (2)" if another case in the file has the same id, as ADK allows. */
function idFor(id: string, text: string, cases: ReadonlyMap<string, { readonly text: string }>): string {
  let free = id;
  for (let count = 2; (cases.get(free)?.text ?? text) !== text; count++) free = `${id} (${count})`;
  return free;
}

function caseOf({ userId, sessionDetails }: EvalCaseResult, evalId: string, turns: Turns): EvalCase {
  const appName = isObject(sessionDetails) ? (sessionDetails.appName ?? sessionDetails.app_name) : undefined;
  const session =
    typeof appName === 'string' && typeof userId === 'string' ? { sessionInput: { appName, userId } } : {};
  const [first] = turns;
  if (first === undefined) {
    return { evalId, conversation: [{ userContent: { role: 'user', parts: [{ text: UNRECORDED }] } }], ...session };
  }
  // A conversation with a simulated user has no expected turns, and results do not record its scenario.
  if (turns.every(({ expectedInvocation }) => !expectedInvocation)) {
    const startingPrompt = contentText(first.actualInvocation.userContent);
    return { evalId, conversationScenario: { startingPrompt, conversationPlan: UNRECORDED }, ...session };
  }
  return { evalId, conversation: turns.map(expectedTurn), ...session };
}

/**
 * ADK merges the rubrics of the case and of the expected turn into the actual turn. A case's rubrics are recorded
 * nowhere else.
 */
function expectedTurn({ actualInvocation, expectedInvocation }: Turns[number]): Invocation {
  const { rubrics } = actualInvocation;
  const expected = expectedInvocation ?? { userContent: actualInvocation.userContent };
  return rubrics && rubrics.length > 0 ? { ...expected, rubrics } : expected;
}

function inferenceOf(one: EvalCaseResult, invocations: readonly Invocation[]): RunInference['inference'] {
  const { sessionId, sessionDetails } = one;
  const state = isObject(sessionDetails) && isObject(sessionDetails.state) ? (sessionDetails.state as State) : null;
  return { sessionId, invocations, state: { initial: null, final: state }, ending: endingOf(one, invocations) };
}

function endingOf({ agentCriteria, finalEvalStatus }: EvalCaseResult, invocations: readonly Invocation[]): Ending {
  const own = agentCriteria?.ending;
  // Written by this project, so the original ending is known.
  if (isObject(own) && typeof own.by === 'string' && own.by !== 'error') {
    return { by: own.by as 'end-of-case', ...(typeof own.reason === 'string' ? { reason: own.reason } : {}) };
  }
  if (invocations.length > 0 && own === undefined) return { by: 'end-of-case' };
  const { message } = isObject(own) && isObject(own.error) ? own.error : {};
  const unknown =
    finalEvalStatus === 2
      ? 'ADK recorded that the agent failed, and the result does not say why'
      : 'the result has no turn of this case';
  return {
    by: 'error',
    of: 'agent',
    error: { code: 'AGENT_FAILED', message: typeof message === 'string' ? message : unknown },
  };
}

/** Lists each metric in the file once, as configured in its first entry. */
function criteriaOf(
  all: readonly EvalCaseResult[],
  file: string | undefined,
  warnings: Problem[],
): readonly RecordedCriterion[] {
  const found = new Map<string, RecordedCriterion>();
  for (const [index, { overallEvalMetricResults }] of all.entries()) {
    for (const { metricName: name, threshold, criterion, evalStatus } of overallEvalMetricResults) {
      const own = thresholdOf(threshold, criterion);
      // Informational metrics never decide, so ignore any threshold in the file.
      const decides = evalStatus === 4 ? null : own;
      const one: RecordedCriterion = { name, threshold: decides, written: entryOf(criterion, decides) };
      const known = found.get(name);
      if (known === undefined) found.set(name, one);
      else if (known.threshold !== one.threshold) {
        const message = `${name} has the threshold ${one.threshold} here and ${known.threshold} before: it is judged by ${known.threshold}`;
        const path = `$.eval_case_results[${index}].overall_eval_metric_results`;
        warnings.push({ code: 'INVALID_DATA', file, path, message });
      }
    }
  }
  return [...found.values()];
}

function thresholdOf(threshold: number | null | undefined, criterion: unknown): number | null {
  if (typeof threshold === 'number') return threshold;
  return isObject(criterion) && typeof criterion.threshold === 'number' ? criterion.threshold : null;
}

/** ADK writes unset options as null. */
function entryOf(criterion: unknown, threshold: number | null): Json {
  const { threshold: _, ...options } = isObject(criterion) ? withoutNulls(criterion as State) : {};
  if (threshold === null) return options;
  return Object.keys(options).length === 0 ? threshold : { threshold, ...options };
}

function withoutNulls(value: State): State {
  const kept = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return Object.fromEntries(kept.map(([key, item]) => [key, isObject(item) ? withoutNulls(item as State) : item]));
}
