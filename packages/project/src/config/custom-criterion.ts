import {
  type ConversationScenario,
  type Criterion,
  defineCriterion,
  type Evidence,
  exactMean,
  type Invocation,
  type Json,
  type JsonSchema,
  type Origin,
  optionsSchema,
  type Range,
  type Score,
  type Transcript,
} from '@agent-criteria/core';
import { meetsThreshold, type OverallScore, sumMean } from '@agent-criteria/core/host';
import type { CustomMetricConfig } from '@agent-criteria/formats';

/** ADK's numeric statuses. */
const PASSED = 1;
const FAILED = 2;
const NOT_EVALUATED = 3;
const INFORMATIONAL = 4;
const STATUSES: Readonly<Record<string, number>> = {
  passed: PASSED,
  failed: FAILED,
  not_evaluated: NOT_EVALUATED,
  informational: INFORMATIONAL,
};

/** The first argument of a custom metric's function: its entry in the config. */
export interface CustomEvalMetric {
  readonly metricName: string;
  /** Always `null`, as in ADK: read `criterion.threshold`. */
  readonly threshold: null;
  readonly criterion: { readonly threshold: number | null; readonly [option: string]: unknown };
}

/** The result of the function for one turn. Keys may also be in snake_case. */
export interface CustomTurnResult {
  readonly score?: number | null | undefined;
  /**
   * The function's own status, as a name or as ADK's number. It is checked against our verdict but never replaces it,
   * unless it is "not evaluated".
   */
  readonly evalStatus?: number | string | null | undefined;
  readonly rubricScores?: readonly Json[] | null | undefined;
  /** A sentence for readers of the report. */
  readonly reason?: string | null | undefined;
}

/** The result of the function. Keys may also be in snake_case. */
export interface CustomMetricResult {
  readonly perInvocationResults: readonly CustomTurnResult[];
  /** The score of the conversation, as in ADK, or `null` if it could not be judged. Default: the mean of the turns. */
  readonly overallScore?: number | null | undefined;
  readonly overallEvalStatus?: number | string | null | undefined;
}

/** The function of a custom metric, which takes ADK's four arguments, all of them copies. */
export type CustomMetricFunction = (
  evalMetric: CustomEvalMetric,
  actualInvocations: Invocation[],
  /** The expected turns, or `null` if a simulated user leads the conversation. */
  expectedInvocations: Invocation[] | null,
  conversationScenario: ConversationScenario | null,
) => CustomMetricResult | Promise<CustomMetricResult>;

export interface CustomCriterionOptions {
  readonly name: string;
  readonly metric: CustomMetricConfig;
  /** The threshold for its scores, or `null` if they are only measured. */
  readonly threshold: number | null;
  readonly origin: Origin;
}

/** Accepts any options besides core's keys, as ADK does. */
const anyOptions: JsonSchema = { type: 'object', properties: {}, additionalProperties: true };

/**
 * Creates a criterion from the function of a custom metric. The function is called once per conversation. It returns a
 * score per turn and, optionally, one for the conversation, which then replaces the mean. A turn counts as not judged
 * if its score is not a number or the function marks it as not evaluated. A conversation counts as not judged if any of
 * its turns does, or if its overall score is not a number within the range. A score also counts as not judged if its
 * status contradicts its number and the threshold.
 */
export function customCriterion(run: CustomMetricFunction, options: CustomCriterionOptions): Criterion {
  const { name, metric, threshold, origin } = options;
  const range = rangeOf(metric);
  // The criterion is called with the same transcript object for every turn of a conversation.
  const results = new WeakMap<Transcript, Promise<readonly Score[]>>();
  return defineCriterion({
    name,
    origin,
    description:
      metric.description || metric.metricInfo?.description || `Scored by the function ${metric.codeConfig.name}.`,
    decides: true,
    range,
    options: optionsSchema(
      {
        '~standard': {
          version: 1 as const,
          vendor: 'agent-criteria',
          validate: (value: unknown) => ({ value: value as Readonly<Record<string, unknown>> }),
        },
      },
      anyOptions,
    ),
    scope: 'turn',
    async evaluate(turn, { options: own, tools, transcript }) {
      let scores = results.get(transcript);
      if (scores === undefined) {
        const evalMetric: CustomEvalMetric = { metricName: name, threshold: null, criterion: { ...own, threshold } };
        const mean = tools.compat === 'adk' ? sumMean : exactMean;
        const judge: Judge = (value) =>
          threshold === null ? null : meetsThreshold(value, threshold, range, tools.compat);
        scores = call(run, evalMetric, transcript).then((result) =>
          readResult(result, transcript, { range, threshold, mean, judge }),
        );
        results.set(transcript, scores);
      }
      return (await scores)[turn.index] as Score;
    },
  });
}

/** Whether a number passes, or `null` if there is no threshold. */
type Judge = (value: number) => boolean | null;

interface Rule {
  readonly range: Range;
  readonly threshold: number | null;
  readonly mean: (values: readonly number[]) => number;
  readonly judge: Judge;
}

async function call(run: CustomMetricFunction, metric: CustomEvalMetric, transcript: Transcript): Promise<unknown> {
  const { inference, unit } = transcript;
  const { conversation, conversationScenario } = unit.case;
  const copy = structuredClone({
    actual: [...inference.invocations],
    expected: conversation ? [...conversation] : null,
    scenario: conversationScenario ?? null,
  });
  return run(structuredClone(metric), copy.actual, copy.expected, copy.scenario);
}

/** Reads the scores of all turns. @throws Error if the value is not a result. */
function readResult(result: unknown, transcript: Transcript, rule: Rule): readonly Score[] {
  const turns = field(result, 'perInvocationResults', 'per_invocation_results');
  const count = transcript.turns.length;
  if (!Array.isArray(turns)) throw new Error('the function returned no perInvocationResults');
  if (turns.length !== count) {
    throw new Error(`the function returned ${turns.length} perInvocationResults, but the agent had ${count} turns`);
  }
  const scores = turns.map((turn) => readTurn(turn, rule));
  const status = statusOf(field(result, 'overallEvalStatus', 'overall_eval_status'));
  const value = field(result, 'overallScore', 'overall_score');
  if (value !== undefined) {
    const overall = readOverall(value, status, rule);
    return scores.map((score) => ({ ...score, overall }));
  }
  const values = scores.flatMap((score) => ('value' in score && isIn(rule.range, score.value) ? [score.value] : []));
  const mean = values.length === 0 ? null : rule.mean(values);
  const found =
    status === NOT_EVALUATED
      ? UNEVALUATED
      : mean === null
        ? null
        : contradicts(status, mean, rule, 'the mean of its scores');
  if (found === null) return scores;
  return scores.map((score) => ({ evidence: score.evidence, value: null, missing: 'could-not-judge', reason: found }));
}

const UNEVALUATED = 'the function marked the conversation as not evaluated';

/** Reads the overall score. Core explains what is wrong with a number outside the range. */
function readOverall(value: unknown, status: number | null, rule: Rule): OverallScore {
  const lost = (reason: string): OverallScore => ({ value: null, missing: 'could-not-judge', reason });
  if (status === NOT_EVALUATED) return lost(UNEVALUATED);
  if (value === null) return lost('the function returned null as its overall score');
  const isScore = typeof value === 'number' && isIn(rule.range, value);
  const found = isScore ? contradicts(status, value, rule, 'its overall score') : null;
  return found === null ? { value: value as number } : lost(found);
}

function readTurn(turn: unknown, rule: Rule): Score {
  const value = field(turn, 'score');
  const status = statusOf(field(turn, 'evalStatus', 'eval_status'));
  const reason = field(turn, 'reason');
  const rubrics = field(turn, 'rubricScores', 'rubric_scores');
  const evidence: Evidence[] =
    Array.isArray(rubrics) && rubrics.length > 0
      ? [{ kind: 'json', value: rubrics as Json, label: 'rubric scores' }]
      : [];
  const own = { ...(typeof reason === 'string' ? { reason } : {}), ...(evidence.length > 0 ? { evidence } : {}) };
  const lost = (why: string): Score => {
    const because = own.reason === undefined ? why : `${why}: ${own.reason}`;
    return { ...own, value: null, missing: 'could-not-judge', reason: because };
  };
  if (status === NOT_EVALUATED) return lost('the function marked this turn as not evaluated');
  if (value === null || value === undefined) return lost('the function returned no score for this turn');
  // Core explains what is wrong with a value that is not a number.
  if (typeof value !== 'number' || !Number.isFinite(value)) return { ...own, value: value as number };
  const contradiction = contradicts(status, value, rule, 'its score');
  return contradiction === null ? { ...own, value } : lost(contradiction);
}

/** Describes how the function's status contradicts the verdict on its score, or returns `null` if it does not. */
function contradicts(status: number | null, value: number, rule: Rule, what: string): string | null {
  const ours = rule.judge(value);
  if (ours === null || (status !== PASSED && status !== FAILED) || (status === PASSED) === ours) return null;
  const side = ours ? 'reaches' : 'does not reach';
  return `the function says ${status === PASSED ? 'passed' : 'failed'}, but ${what} ${value} ${side} the threshold ${rule.threshold}`;
}

/** Whether core accepts a value as a score. */
function isIn(range: Range, value: number | null): value is number {
  return value !== null && Number.isFinite(value) && value >= range.min && (range.max === null || value <= range.max);
}

/** Reads a status. @throws Error for a status that ADK does not have. */
function statusOf(status: unknown): number | null {
  if (status === undefined || status === null) return null;
  const name = typeof status === 'string' ? status.toLowerCase().replaceAll(/[-\s]/g, '_') : '';
  const value = Object.hasOwn(STATUSES, name) ? STATUSES[name] : status;
  if (Object.values(STATUSES).includes(value as number)) return value as number;
  throw new Error(
    `the function returned the status ${JSON.stringify(status)}; ADK has PASSED, FAILED, NOT_EVALUATED and INFORMATIONAL`,
  );
}

function field(value: unknown, ...names: string[]): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const name = names.find((candidate) => candidate in value);
  return name === undefined ? undefined : (value as Record<string, unknown>)[name];
}

/** Returns the range of scores. In ADK's intervals, higher is always better. Defaults to 0 to 1, as in ADK. */
function rangeOf(metric: CustomMetricConfig): Range {
  const interval = metric.metricInfo?.metricValueInfo?.interval;
  return { min: interval?.minValue ?? 0, max: interval?.maxValue ?? 1, better: 'higher' };
}
