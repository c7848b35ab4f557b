import { contentText, type Invocation, type Json } from '@agent-criteria/core';
import { type CaseResult, meetsThreshold, type TurnResult } from '@agent-criteria/core/host';
import { type AdkStatus, type EvalMetricResult, isObject, stringifyJson } from '@agent-criteria/formats';
import type { RunCase, RunCriterion } from '../run-record.ts';
import { adkLines } from './adk-lines.ts';
import type { RecordedEntry, RecordedResult } from './recorded-result.ts';

/** A score recorded by ADK that differs from ours, and why. Plain JSON. */
export interface ScoreDifference {
  readonly caseId: string;
  /** The repeats that the score covers, zero-based. */
  readonly repeats: readonly number[];
  /** Zero-based, or `null` for the whole case. */
  readonly turn: number | null;
  /** The criterion, or `null` for the verdict on the case over all criteria. */
  readonly criterion: string | null;
  readonly adk: ComparedScore;
  /** Our score, or `null` if it was not judged here. */
  readonly ours: ComparedScore | null;
  readonly why: string;
  /** Whether `why` explains the difference. If not, one side may have a bug. */
  readonly explained: boolean;
}

export interface ComparedScore {
  readonly score: number | null;
  readonly status: AdkStatus;
}

/** The comparison with a recorded result. Plain JSON. */
export interface Comparison {
  /** The number of recorded scores of turns and cases, excluding cases that were not selected. */
  readonly scores: number;
  /** The number of recorded scores that equal ours to the last bit, for a whole case with the same status. */
  readonly equal: number;
  readonly explained: number;
  /** In file order. */
  readonly differences: readonly ScoreDifference[];
}

/** Why a recorded metric is not judged. */
export interface LeftOut {
  readonly why: string;
  readonly explained: boolean;
}

/** Facts that can explain differences. */
export interface ComparisonFacts {
  readonly criteria: readonly RunCriterion[];
  /** Recorded metrics that were not judged, by name. */
  readonly leftOut: ReadonlyMap<string, LeftOut>;
  /** Criteria whose scores come from a model or service. */
  readonly sampled: ReadonlySet<string>;
  /** Whether the given config replaces the one in the result file. */
  readonly otherConfig: boolean;
  /** The same cases scored in compat mode, by case id, without criteria that call a model or service. */
  readonly asAdk: ReadonlyMap<string, CaseResult>;
}

/** Compares recorded scores with those from judging the same cases again. Skips cases that were not judged. */
export function compareRecorded(
  recorded: RecordedResult,
  cases: ReadonlyMap<string, RunCase>,
  facts: ComparisonFacts,
): Comparison {
  const differences: ScoreDifference[] = [];
  let [scores, equal] = [0, 0];
  for (const entry of recorded.entries) {
    const one = cases.get(entry.caseId);
    if (one === undefined) continue;
    const head = { caseId: entry.caseId, repeats: entry.repeats };
    let isOther = false;
    const hold = (metric: EvalMetricResult, turn: number | null, repeats: readonly number[]): void => {
      const adk = { score: metric.score ?? null, status: metric.evalStatus };
      const written = recorded.criteria.find(({ name }) => name === metric.metricName)?.written ?? null;
      const place = { entry, metric, written, turn, repeats, one };
      const ours = scoreHere(place, facts);
      scores += 1;
      // The status of a single turn is ignored, because it does not affect any verdict.
      const isSame = ours !== null && ours.score === adk.score && (turn !== null || ours.status === adk.status);
      if (isSame) {
        equal += 1;
        return;
      }
      if (turn === null) isOther = true;
      const { why, explained } = explain(adk, ours, place, facts);
      differences.push({ ...head, repeats, turn, criterion: metric.metricName, adk, ours, why, explained });
    };
    for (const metric of entry.overall) hold(metric, null, entry.repeats);
    for (const [index, turns] of entry.turns.entries()) {
      const repeat = entry.repeats[index] ?? 0;
      for (const [turn, metrics] of turns.entries()) for (const metric of metrics) hold(metric, turn, [repeat]);
    }
    const verdict = isOther ? null : verdictDifference(entry, one);
    if (verdict !== null) differences.push({ ...head, ...verdict });
  }
  const explained = differences.filter((one) => one.explained).length;
  return { scores, equal, explained, differences };
}

interface Place {
  readonly entry: RecordedEntry;
  readonly metric: EvalMetricResult;
  /** The metric's entry in the recorded config. */
  readonly written: Json;
  readonly turn: number | null;
  readonly repeats: readonly number[];
  readonly one: RunCase;
}

function scoreHere(place: Place, { criteria }: ComparisonFacts): ComparedScore | null {
  const criterion = criteria.find(({ name }) => name === place.metric.metricName);
  return criterion === undefined ? null : scoreIn(place.one.result, criterion, place, false);
}

/** @param raw Whether to derive the status from the number, as ADK does, instead of from our verdict. */
function scoreIn(result: CaseResult, criterion: RunCriterion, place: Place, raw: boolean): ComparedScore | null {
  const { turn, repeats } = place;
  const found = result.criteria.find(({ name }) => name === criterion.name);
  if (turn !== null) {
    const own = found?.turns.filter(({ repeat }) => repeats.includes(repeat)) ?? [];
    const value = turnOf(own, turn, place)?.value ?? null;
    return { score: value, status: statusOf(value, criterion) };
  }
  const alone = result.units.find(({ repeat }) => repeat === repeats[0]);
  const one = repeats.length > 1 ? found : alone?.criteria.find(({ name }) => name === criterion.name);
  if (one === undefined) return { score: null, status: 3 };
  if (raw) return { score: one.score, status: statusOf(one.score, criterion) };
  return { score: one.score, status: ofVerdict[one.verdict] };
}

/** The score of a whole conversation is the score of its last turn, as in ADK. */
function turnOf(turns: readonly TurnResult[], turn: number, { entry, repeats }: Place): TurnResult | undefined {
  const last = (entry.turns[entry.repeats.indexOf(repeats[0] ?? 0)]?.length ?? 0) - 1;
  return turns.find((one) => one.turn === turn || (one.turn === null && turn === last));
}

const ofVerdict = { passed: 1, failed: 2, 'not-evaluated': 3, error: 3, skipped: 3, informational: 4 } as const;

function statusOf(score: number | null, { threshold, range }: RunCriterion): AdkStatus {
  if (threshold === null) return 4;
  if (score === null) return 3;
  return meetsThreshold(score, threshold, range, 'adk') ? 1 : 2;
}

function explain(adk: ComparedScore, ours: ComparedScore | null, place: Place, facts: ComparisonFacts): LeftOut {
  const { one } = place;
  const name = place.metric.metricName;
  const criterion = facts.criteria.find((candidate) => candidate.name === name);
  if (ours === null || criterion === undefined) {
    return facts.leftOut.get(name) ?? { why: 'it was not judged here', explained: false };
  }
  const { ending } = one.inferences.find(({ key }) => place.repeats.includes(key.repeat))?.inference ?? {};
  if (ending?.by === 'error') return { why: `it is not scored here: ${ending.error.message}`, explained: true };
  if (ours.score === adk.score) return explainStatus(adk, ours, { place, criterion, facts });
  const result = facts.asAdk.get(place.entry.caseId);
  const asAdk = result === undefined ? null : scoreIn(result, criterion, place, true);
  if (asAdk !== null && asAdk.score === adk.score) {
    return { why: `with --compat adk it is the same: ${listA(criterion)}`, explained: true };
  }
  if (facts.otherConfig && optionsOf(place.written) !== optionsOf(criterion.written)) {
    return { why: 'the given config judges it by other options', explained: true };
  }
  if (adk.score === null) return { why: NOT_EVALUATED, explained: true };
  if (ours.score === null) return { why: `it could not be judged here: ${reasonIn(one, name)}`, explained: false };
  if (facts.sampled.has(name)) return { why: SAMPLED, explained: true };
  return { why: unexplained(name, place), explained: false };
}

const SAMPLED = 'a model or service gave it: it may answer differently each time';
const NOT_EVALUATED = 'ADK did not evaluate it, and the file does not say why: see the log of that run';

interface OfStatus {
  readonly place: Place;
  readonly criterion: RunCriterion;
  readonly facts: ComparisonFacts;
}

function explainStatus(adk: ComparedScore, ours: ComparedScore, { place, criterion, facts }: OfStatus): LeftOut {
  const { metric, one } = place;
  const { threshold } = criterion;
  if (facts.otherConfig && (metric.threshold ?? null) !== threshold) {
    return { why: `the threshold is ${threshold} here, and was ${metric.threshold} there`, explained: true };
  }
  if (ours.status === 3) {
    const why = `${listB('criterion-not-evaluated', 'coverage')}: ${reasonIn(one, criterion.name)}`;
    return { why, explained: true };
  }
  if (statusOf(ours.score, criterion) === adk.status) return { why: listB('tolerance', 'list A'), explained: true };
  return { why: unexplained(criterion.name, place), explained: false };
}

function verdictDifference({ status, repeats }: RecordedEntry, { result }: RunCase) {
  const unit = repeats.length > 1 ? result : result.units.find(({ repeat }) => repeat === repeats[0]);
  const verdict = unit?.verdict ?? 'error';
  const isBroken = verdict === 'error' && status === 2;
  const ours: AdkStatus = isBroken ? 2 : ofVerdict[verdict];
  // ADK gives informational metrics no verdict.
  if (ours === status || (verdict === 'informational' && status === 3)) return null;
  const expectsNothing = ours === 3 && result.expectsNothing === true;
  const explained = expectsNothing || (status === 1 && ours === 3);
  const line = expectsNothing ? 'nothing-expected' : 'criterion-not-evaluated';
  const why = explained ? listB(line) : 'ADK decided otherwise on equal scores';
  const adk = { score: null, status };
  return { turn: null, criterion: null, adk, ours: { score: null, status: ours }, why, explained };
}

/** Returns the options in a config entry, leaving out the threshold and a default that ADK writes into every result. */
function optionsOf(written: Json): string {
  const {
    threshold: _,
    include_intermediate_responses_in_final: includes,
    ...options
  } = isObject(written) ? written : {};
  return stringifyJson([includes === true, options]);
}

function reasonIn({ result }: RunCase, name: string): string {
  return result.criteria.find((one) => one.name === name)?.reason ?? result.reason ?? 'no reason is known';
}

function listA({ origin }: RunCriterion): string {
  const lines = [...(adkLines[origin.package] ?? []), ...(adkLines['@agent-criteria/core'] ?? [])];
  return `docs/adk-parity.md, list A: ${lines.join(', ')}`;
}

function listB(...lines: readonly string[]): string {
  return `docs/adk-parity.md: ${lines.join(', ')}`;
}

function unexplained(name: string, { one }: Place): string {
  const turns = one.inferences.flatMap(({ inference }) => inference.invocations);
  const old = name === 'response_match_score' && [...turns, ...(one.evalCase.conversation ?? [])].some(isBeyondAscii);
  return old ? 'not explained, unless ADK was older than 2.6: it left out letters beyond ASCII' : 'not explained';
}

function isBeyondAscii({ finalResponse }: Invocation): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole ASCII range is intended.
  return /[^\u0000-\u007f]/.test(contentText(finalResponse));
}

const NAMES = { 1: 'passed', 2: 'failed', 3: 'not evaluated', 4: 'informational' } as const;

/** Describes a difference on one line: `rooms, turn 2, response_match_score: ADK 0.8, here 1: because …`. */
export function differenceText({ caseId, repeats, turn, criterion, adk, ours, why }: ScoreDifference): string {
  const [repeat = 0] = repeats;
  const place = [
    caseId,
    ...(repeat > 0 && repeats.length === 1 ? [`repeat ${repeat + 1}`] : []),
    ...(turn === null ? [] : [`turn ${turn + 1}`]),
    criterion ?? 'verdict',
  ];
  // If the numbers are equal, the difference is in the status.
  const byStatus = criterion === null || (ours !== null && ours.score === adk.score);
  const here = ours === null ? 'not judged' : sideText(ours, byStatus);
  return `${place.join(', ')}: ADK ${sideText(adk, byStatus)}, here ${here}: ${why}`;
}

function sideText({ score, status }: ComparedScore, byStatus: boolean): string {
  if (score === null) return NAMES[status];
  // Show all digits, because only the last one may differ.
  return byStatus ? `${score}, ${NAMES[status]}` : String(score);
}
