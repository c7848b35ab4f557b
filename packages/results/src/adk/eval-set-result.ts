import { exactMean, type Json, type RubricScore, type Score, type ScorePart, type State } from '@agent-criteria/core';
import {
  adkView,
  type CaseResult,
  type CriterionVerdict,
  scoreBounds,
  type TurnResult,
  type UnitResult,
  type Verdict,
} from '@agent-criteria/core/host';
import {
  type AdkStatus,
  type EvalCaseResult,
  type EvalMetricResult,
  type EvalSetResult,
  parseJson,
  stringifyJson,
  type TokenUsageDetails,
} from '@agent-criteria/formats';
import { groupBy } from '../group-by.ts';
import type { RunCase, RunCriterion, RunSet } from '../run-record.ts';
import { tokensOf, tokensOfTurns } from './token-usage-details.ts';

/**
 * Creates ADK's result for one eval set, with one entry per repeat of each case and ADK's four statuses. The real
 * verdict, coverage and reasons are in each entry's `agentCriteria`.
 *
 * @param at Unix seconds. Part of the result's id, as in ADK: `{app}_{set}_{seconds}`.
 */
export function evalSetResult(set: RunSet, cases: readonly RunCase[], at: number, appName: string): EvalSetResult {
  const id = `${appName}_${set.id}_${at}`;
  return {
    evalSetResultId: id,
    evalSetResultName: id.replaceAll('/', '_'),
    evalSetId: set.id,
    evalCaseResults: cases.flatMap((one) => evalCaseResults(set, one)),
    creationTimestamp: at,
  };
}

/**
 * Creates ADK's entries for one case, one per repeat. A case without any records gets one entry, so that it does not
 * disappear.
 */
export function evalCaseResults(set: RunSet, one: RunCase): EvalCaseResult[] {
  const { result } = one;
  if (result.units.length > 0) return result.units.map((unit) => caseEntry(set, one, unit));
  const reason = result.reason ?? 'no inference was recorded';
  return [
    {
      ...head(set, one, ''),
      finalEvalStatus: 3,
      overallEvalMetricResults: [],
      evalMetricResultPerInvocation: [],
      agentCriteria: { verdict: result.verdict, reason },
    },
  ];
}

function head(set: RunSet, { evalCase }: RunCase, sessionId: string) {
  return {
    evalSetFile: set.id,
    evalSetId: set.id,
    evalId: evalCase.evalId,
    evalMetricResults: null,
    sessionId,
    sessionDetails: null,
    userId: evalCase.sessionInput?.userId ?? 'test_user_id',
  };
}

function caseEntry(set: RunSet, one: RunCase, unit: UnitResult): EvalCaseResult {
  const { evalCase, result, inferences } = one;
  const recorded = inferences.find(({ key }) => key.repeat === unit.repeat);
  const invocations = recorded?.inference.invocations ?? [];
  const metric = (
    criterion: RunCriterion,
    score: number | null,
    status: AdkStatus,
    rubrics: readonly RubricScore[] | null,
    tokens: TokenUsageDetails | null,
  ): EvalMetricResult => ({
    metricName: criterion.name,
    threshold: criterion.threshold,
    criterion: criterion.threshold === null ? null : criterionEntry(criterion.written),
    customFunctionPath: null,
    score,
    evalStatus: status,
    details: { rubricScores: rubrics === null ? null : [...rubrics], tokenUsageDetails: tokens },
  });
  const judged = unit.verdict === 'error' ? [] : set.criteria;
  return {
    ...head(set, one, unit.sessionId),
    finalEvalStatus: unitStatus(unit),
    overallEvalMetricResults: judged.map((criterion) => {
      // The verdict on this repeat alone. The verdict over all repeats is in `agentCriteria`.
      const alone = unit.criteria.find(({ name }) => name === criterion.name);
      const scores = turnsOf(criterion, result, unit).map((turn) => turn.score);
      const status = criterionStatus(alone?.verdict ?? 'not-evaluated');
      const tokens = tokensOfTurns(scores.map(tokensOf));
      return metric(criterion, alone?.score ?? null, status, overRubrics(rubricScores(scores)), tokens);
    }),
    evalMetricResultPerInvocation: invocations.map((actual, index) => ({
      actualInvocation: actual,
      expectedInvocation: evalCase.conversation?.[index] ?? null,
      evalMetricResults: judged.map((criterion) => {
        // The score of a whole conversation is the score of its last turn, as in ADK.
        const isLast = index === invocations.length - 1;
        const turn = turnsOf(criterion, result, unit).find(
          (candidate) => candidate.turn === index || (candidate.turn === null && isLast),
        );
        const rubrics = rubricScores(turn ? [turn.score] : []);
        const tokens = turn === undefined ? null : tokensOf(turn.score);
        return metric(criterion, turn?.value ?? null, turnStatus(criterion, turn), rubrics, tokens);
      }),
    })),
    agentCriteria: explanation(result, unit),
  };
}

function turnsOf(criterion: RunCriterion, result: CaseResult, unit: UnitResult): readonly TurnResult[] {
  const found = result.criteria.find((one) => one.name === criterion.name);
  const turns = found?.turns.filter((turn) => turn.repeat === unit.repeat) ?? [];
  // `adkStatus` is only set in compat mode.
  return found?.adkStatus === undefined ? turns : turns.map((turn) => ({ ...turn, score: adkView(turn.score) }));
}

/** Wraps a bare threshold, because ADK requires `threshold` inside `criterion`. Informational criteria have none. */
function criterionEntry(written: Json): Json {
  return typeof written === 'number' ? { threshold: written } : written;
}

function unitStatus(unit: UnitResult): AdkStatus {
  if (unit.verdict === 'error') return unit.ending.by === 'error' && unit.ending.of === 'agent' ? 2 : 3;
  return criterionStatus(unit.verdict);
}

function criterionStatus(verdict: CriterionVerdict | Verdict): AdkStatus {
  if (verdict === 'passed') return 1;
  if (verdict === 'failed') return 2;
  return verdict === 'informational' ? 4 : 3;
}

function turnStatus(criterion: RunCriterion, turn: TurnResult | undefined): AdkStatus {
  if (!criterion.decides) return 4;
  if (turn === undefined || turn.reached === null) return 3;
  return turn.reached ? 1 : 2;
}

function rubricScores(scores: readonly Score[]): RubricScore[] | null {
  const rubrics = scores.flatMap((score) =>
    'parts' in score ? score.parts.filter((part) => part.kind === 'rubric') : [],
  );
  return rubrics.length === 0 ? null : rubrics.map(rubricScore);
}

/** Averages each rubric over the turns that scored it, in order of first appearance, as ADK does. */
function overRubrics(scores: readonly RubricScore[] | null): readonly RubricScore[] | null {
  if (scores === null) return null;
  return [...groupBy(scores, (score) => score.rubricId)].map(([rubricId, found]) => {
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    const values = found.flatMap(({ score }) => (typeof score === 'number' ? [score] : []));
    const rationale = 'The mean over all turns; each turn has its own rationale.';
    return { rubricId, rationale, score: values.length === 0 ? null : exactMean(values) };
  });
}

function rubricScore(part: ScorePart): RubricScore {
  // The range only affects missing parts, and a missing rubric gets no score here.
  const shown = scoreBounds(part, { min: 0, max: null, better: 'higher' })?.shown ?? null;
  return { rubricId: part.id, rationale: part.reason ?? null, score: shown };
}

function explanation(result: CaseResult, unit: UnitResult): State {
  return {
    verdict: unit.verdict,
    case_verdict: result.verdict,
    reason: result.reason,
    repeat: unit.repeat,
    ending: parseJson(stringifyJson(unit.ending)) as Json,
    criteria: Object.fromEntries(
      result.criteria.map((criterion) => [
        criterion.name,
        {
          verdict: criterion.verdict,
          coverage: criterion.coverage,
          scored: criterion.counts.scored,
          could_not_judge: criterion.counts.couldNotJudge,
          not_applicable: criterion.counts.notApplicable,
          reason: criterion.reason,
          adk_status: criterion.adkStatus,
        },
      ]),
    ),
  };
}
