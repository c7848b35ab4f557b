import { exactMean, type Origin, type Range, type Score, type ScorePart } from '@agent-criteria/core';
import {
  type CaseResult,
  type CriterionResult,
  type CriterionVerdict,
  caseVerdict,
  endedInError,
  formatScore,
  meetsThreshold,
  summarise,
  type TurnResult,
  type Verdict,
} from '@agent-criteria/core/host';
import type { EvalMetricResult } from '@agent-criteria/formats';
import type { RunCase, RunCriterion, RunRecord } from '../run-record.ts';
import type { RecordedCriterion, RecordedEntry, RecordedResult } from './recorded-result.ts';

interface RecordedRunOptions {
  /** The result file. Default: none. */
  readonly file?: string | undefined;
  /** Looks up a criterion by name. By default all are unknown, and higher scores are assumed to be better. */
  readonly criterion?:
    | ((name: string) => Pick<RunCriterion, 'description' | 'origin' | 'scope' | 'range'> | undefined)
    | undefined;
}

const ORIGIN: Origin = { package: 'google-adk', version: 'unknown' };
const RANGE: Range = { min: 0, max: null, better: 'higher' };

/**
 * Reads a recorded ADK result as a run, with ADK's scores. A case for which ADK has no score is not evaluated, even if
 * ADK recorded a pass.
 */
export function recordedRun(recorded: RecordedResult, options: RecordedRunOptions = {}): RunRecord {
  const { id, at, evalSet, repeats } = recorded;
  const criteria = recorded.criteria.map((one) => runCriterion(one, options));
  const all = evalSet.evalCases.map((evalCase): RunCase => {
    const inferences = recorded.inferences.filter(({ key }) => key.caseId === evalCase.evalId);
    const entries = recorded.entries.filter(({ caseId }) => caseId === evalCase.evalId);
    const result = caseResult(evalSet.evalSetId, evalCase.evalId, { criteria, inferences, entries });
    return { setId: evalSet.evalSetId, evalCase, result, inferences };
  });
  const summary = summarise(all.map(({ result }) => result));
  return {
    info: {
      id,
      scoring: 1,
      startedAt: at ?? 0,
      endedAt: at ?? 0,
      agent: id,
      repeats,
      compat: 'adk',
      units: { total: recorded.inferences.length, finished: recorded.inferences.length },
      packages: {},
    },
    sets: [{ id: evalSet.evalSetId, file: options.file ?? null, configFile: null, criteria, summary }],
    summary,
    warnings: recorded.warnings,
    async *cases(setId) {
      if (setId === undefined || setId === evalSet.evalSetId) yield* all;
    },
    async case({ setId, caseId }) {
      return setId === evalSet.evalSetId ? all.find(({ evalCase }) => evalCase.evalId === caseId) : undefined;
    },
  };
}

function runCriterion({ name, threshold, written }: RecordedCriterion, options: RecordedRunOptions): RunCriterion {
  const known = options.criterion?.(name);
  return {
    name,
    description: known?.description ?? 'As ADK recorded it.',
    origin: known?.origin ?? ORIGIN,
    scope: known?.scope ?? 'turn',
    range: known?.range ?? RANGE,
    decides: threshold !== null,
    threshold,
    minCoverage: 1,
    whenNotApplicable: 'not-evaluated',
    written,
  };
}

interface OfCase {
  readonly criteria: readonly RunCriterion[];
  readonly inferences: RunCase['inferences'];
  readonly entries: readonly RecordedEntry[];
}

function caseResult(setId: string, caseId: string, { criteria, inferences, entries }: OfCase): CaseResult {
  const failed = inferences.find(({ inference }) => endedInError(inference.ending));
  const results = criteria.map((criterion) => criterionResult(criterion, entries));
  const verdicts = results.map(({ verdict }) => verdict);
  const { verdict, denial } = recordedVerdict(caseVerdict(failed !== undefined, verdicts), criteria, entries);
  const reasons = results.flatMap((one) =>
    one.verdict === verdict ? [`${one.name}: ${one.reason ?? one.verdict}`] : [],
  );
  const ending = failed?.inference.ending;
  const reason = ending?.by === 'error' ? ending.error.message : (denial ?? reasons.join('; '));
  return {
    setId,
    caseId,
    verdict,
    ...(verdict === 'passed' || reason === '' ? {} : { reason }),
    criteria: results,
    units: inferences.map(({ key, inference }) => {
      const own = entries.filter(({ repeats }) => repeats.includes(key.repeat));
      const alone = criteria.map((criterion) => criterionResult(criterion, own));
      const isBroken = endedInError(inference.ending);
      return {
        repeat: key.repeat,
        sessionId: inference.sessionId,
        ending: inference.ending,
        verdict: recordedVerdict(
          caseVerdict(
            isBroken,
            alone.map((one) => one.verdict),
          ),
          criteria,
          own,
        ).verdict,
        criteria: isBroken ? [] : alone.map(({ name, verdict: of, score }) => ({ name, verdict: of, score })),
      };
    }),
  };
}

/**
 * Returns the verdict that the scores imply, except that a case does not pass if the file denies it: an entry recorded
 * as failed or not evaluated keeps that verdict even though each of its metrics passed.
 */
function recordedVerdict(
  verdict: Verdict,
  criteria: readonly RunCriterion[],
  entries: readonly RecordedEntry[],
): { readonly verdict: Verdict; readonly denial: string | null } {
  const denied = entries.flatMap((entry): ('failed' | 'not-evaluated')[] => {
    const recorded = entry.status === 2 ? 'failed' : entry.status === 3 ? 'not-evaluated' : null;
    const alone = criteria.map((criterion) => criterionResult(criterion, [entry]).verdict);
    return recorded !== null && caseVerdict(false, alone) === 'passed' ? [recorded] : [];
  });
  const [first] = denied;
  if (verdict !== 'passed' || first === undefined) return { verdict, denial: null };
  const recorded = denied.includes('failed') ? 'failed' : first;
  const words = recorded === 'failed' ? 'failed' : 'not evaluated';
  return { verdict: recorded, denial: `the file records the case as ${words}, although each of its scores passes` };
}

const NO_REASON = 'ADK did not evaluate it, and the result does not say why';

function criterionResult(criterion: RunCriterion, entries: readonly RecordedEntry[]): CriterionResult {
  const { name, threshold } = criterion;
  const turns = entries.flatMap((entry) => turnResults(criterion, entry));
  const overall = entries.flatMap((entry) => entry.overall.filter(({ metricName }) => metricName === name));
  const scores = overall.flatMap(({ score }) => (typeof score === 'number' ? [score] : []));
  const values = turns.flatMap(({ value }) => (value === null ? [] : [value]));
  const [only] = scores;
  // A single entry keeps ADK's own number. Several get the mean over all turns, because newer versions of ADK pool
  // them.
  const many = values.length > 0 ? values : scores;
  const score = scores.length <= 1 ? (only ?? null) : exactMean(many);
  const missing = turns.length - values.length;
  const isWhole = entries.every((entry) =>
    entry.overall.some(({ metricName, score: own }) => metricName === name && typeof own === 'number'),
  );
  const reached = verdictOf(criterion, score, isWhole && overall.every(({ evalStatus }) => evalStatus !== 3));
  // A repeat that failed on its own score does not contradict the file, because the mean over all repeats may still
  // pass.
  const denied = overall.find(
    ({ score: own, evalStatus }) => evalStatus === 2 && verdictOf(criterion, own ?? null, true) === 'passed',
  );
  const isDenied = reached === 'passed' && denied !== undefined;
  const verdict = isDenied ? 'failed' : reached;
  const reason = isDenied
    ? `the file records it as failed, although its score ${shown(denied.score ?? null, threshold)} passes the threshold ${threshold}`
    : reasonOf(verdict, shown(score, threshold), criterion);
  return {
    name,
    verdict,
    score,
    threshold,
    coverage: turns.length === 0 ? null : values.length / turns.length,
    counts: { scored: values.length, couldNotJudge: missing, notApplicable: 0 },
    ...(reason === null ? {} : { reason }),
    turns,
    warnings: [],
  };
}

function reasonOf(verdict: CriterionVerdict, score: string, { threshold, range }: RunCriterion): string | null {
  const side = range.better === 'higher' ? 'below' : 'above';
  if (verdict === 'failed') return `${score} is ${side} the threshold ${threshold}`;
  return verdict === 'not-evaluated' ? NO_REASON : null;
}

function shown(score: number | null, threshold: number | null): string {
  return score === null ? 'none' : formatScore(score, threshold);
}

function verdictOf({ threshold, range }: RunCriterion, score: number | null, isWhole: boolean): CriterionVerdict {
  if (threshold === null) return 'informational';
  if (score === null) return 'not-evaluated';
  if (!meetsThreshold(score, threshold, range, 'adk')) return 'failed';
  return isWhole ? 'passed' : 'not-evaluated';
}

/** Returns the score of each turn. The score of a whole conversation is attached to its last turn. */
function turnResults({ name, scope, threshold, range }: RunCriterion, entry: RecordedEntry): readonly TurnResult[] {
  return entry.repeats.flatMap((repeat, index) => {
    const metrics = (entry.turns[index] ?? []).map((turn) => turn.find(({ metricName }) => metricName === name));
    const own = scope === 'conversation' ? metrics.slice(-1) : metrics;
    return own.map((metric, turn): TurnResult => {
      const value = metric?.score ?? null;
      return {
        repeat,
        turn: scope === 'conversation' ? null : turn,
        value,
        reached: value === null || threshold === null ? null : meetsThreshold(value, threshold, range, 'adk'),
        score: scoreOf(metric, value),
      };
    });
  });
}

function scoreOf(metric: EvalMetricResult | undefined, value: number | null): Score {
  if (value === null) return { value: null, missing: 'could-not-judge', reason: NO_REASON };
  const parts = (metric?.details?.rubricScores ?? []).map(({ rubricId, rationale, score }): ScorePart => {
    const reason = rationale === null || rationale === undefined ? {} : { reason: rationale };
    const head = { id: rubricId, kind: 'rubric', ...reason } as const;
    return typeof score === 'number' ? { ...head, value: score } : { ...head, value: null, missing: 'could-not-judge' };
  });
  // A score has either parts or a number of its own, never both.
  const known = parts.flatMap((part) => ('value' in part && part.value !== null ? [part.value] : []));
  return known.length > 0 && exactMean(known) === value ? { parts } : { value };
}
