export type {
  Agreement,
  Coefficient,
  ConfusionTable,
  Majority,
} from './agreement.ts';
export type { Strength } from './agreement-strength.ts';
export { drawText, kindName, type Rater, raterOf, strengthText } from './agreement-words.ts';
export {
  type AnalysisOptions,
  analyseRun,
  type CriterionAnalysis,
  type RunAnalysis,
} from './analyse-run.ts';
export { type BaselineCase, type BaselineFile, baselineFile, isBaseline, readBaseline } from './baseline.ts';
export { briefStatistics } from './brief-statistics.ts';
export {
  type AmongPeople,
  type CalibrateOptions,
  type Calibration,
  type CriterionOfCases,
  calibrate,
  type Disagreement,
  type KindCalibration,
  type LabelledAgreement,
} from './calibrate.ts';
export type { Change, ChangeVerdict } from './change.ts';
export { type ChangeCells, changeCells } from './change-words.ts';
export { collectStatistics, type StatisticsCollection, type StatisticsFacts } from './collect-statistics.ts';
export {
  type ComparedRun,
  type CompareOptions,
  compareRuns,
  type Outcome,
  type RunComparison,
} from './compare-runs.ts';
export { type CaseChange, type ComparedCase, comparedCases, type ScoreChange } from './compared-cases.ts';
export { comparisonNotes } from './comparison-notes.ts';
export type { Corrected, CorrectedRate } from './corrected-rate.ts';
export type { CriterionFacts } from './criterion-facts.ts';
export type { Estimate } from './estimate.ts';
export { FEWEST_CASES } from './few-cases.ts';
export type { FlippedCase, FlippedSide } from './flipped-cases.ts';
export { gateNames } from './gates/asked-gates.ts';
export { standingOf } from './gates/case-pass-rate-gate.ts';
export type { Baseline, GateResult, Gates } from './gates/gate.ts';
export { type GateOptions, gateResults } from './gates/gate-results.ts';
export { gatesThatCannotHold, type HopelessGate, type RunSize } from './gates/gates-that-cannot-hold.ts';
export { gatesMovedByStopping } from './gates/moved-by-stopping.ts';
export type { Instrument } from './instrument.ts';
export {
  type Flip,
  type JudgedAgain,
  type JudgeNoise,
  judgeNoise,
  noiseFile,
  type RubricNoise,
  type VerdictNoise,
} from './judge-noise.ts';
export { type JudgeDifference, type JudgeStanding, judgeStandings, type NearThreshold } from './judge-standing.ts';
export { judgedAgainOf } from './judged-again.ts';
export {
  exchangeOf,
  type Judged,
  type JudgedOptions,
  type Judgement,
  judgedOf,
  type Kind,
  kindOf,
} from './judgements.ts';
export type { LabelDraw } from './label-draw.ts';
export { kindToLabel, type LabelKind, labelKinds, thingsToLabel } from './label-kinds.ts';
export {
  calibrationFile,
  type MeasuredAgreement,
  type MeasuredFile,
  type MeasuredInstrument,
  type MeasuredNoise,
  type MeasuredNumber,
  measurementsOf,
  readMeasured,
} from './measured.ts';
export { MIN_EFFECT } from './min-effect.ts';
export {
  intervalText,
  isShare,
  percentText,
  plainText,
  pointsText,
  pText,
  valueText,
  writtenPercent,
} from './number-words.ts';
export { type CaseOutcome, type CriterionOutcome, caseOutcome, passedOf, type RepeatOutcome } from './outcome.ts';
export type { CaseName } from './pair-cases.ts';
export type { PairedDifference } from './paired-difference.ts';
export { PASS_RATE } from './pass-rate.ts';
export type { CaseCounts, PassEstimate, PassesOfK } from './passes-of-k.ts';
export {
  type AnnouncedPower,
  announcedPower,
  type DropPower,
  type PowerOptions,
  powerOf,
} from './power/announced-power.ts';
export type { DropShape } from './power/drop.ts';
export { type PowerPlans, powerPlans } from './power/power-plans.ts';
export { powerSentence } from './power/power-words.ts';
export { questionOf } from './question-of.ts';
export {
  type DistinctAnswer,
  distinctAnswers,
  type FlakyCase,
  type RepeatAnalysis,
} from './repeats.ts';
export type { RunDifference } from './run-differences.ts';
export {
  collectOutcomes,
  criteriaOf,
  type MoreFacts,
  type OutcomeCollection,
  type RunOutcomes,
  runOutcomes,
  type Used,
} from './run-outcomes.ts';
export { type StatisticsSection, statisticsSections } from './statistics-lines.ts';
export type { StoppedEarly } from './stopped-early.ts';
export { type Trend, type TrendPoint, type TrendRun, trendRun, trendsOf } from './trends.ts';
export type { UndeclaredGroups } from './undeclared-groups.ts';
