export type { Coefficient } from './agreement.ts';
export { analyseRun, type RunAnalysis } from './analyse-run.ts';
export { baselineFile, isBaseline, readBaseline } from './baseline.ts';
export {
  type Calibration,
  type CriterionOfCases,
  calibrate,
  calibrationFile,
  type KindCalibration,
} from './calibrate.ts';
export { type Change, type ComparisonOutcome, MIN_EFFECT, PASS_RATE } from './change.ts';
export { collectStatistics, type StatisticsFacts } from './collect-statistics.ts';
export { compareRuns, type RunComparison } from './compare-runs.ts';
export { type ComparedCase, comparedCases, type ScoreChange } from './compared-cases.ts';
export type { Corrected } from './corrected-rate.ts';
export type { Estimate } from './estimate.ts';
export type { FlippedCase } from './flipped-cases.ts';
export { caseStatus } from './gates/case-pass-rate-gate.ts';
export type { GateResult, Gates } from './gates/gate.ts';
export { gateNames, gatesMovedByStopping } from './gates/gate-kinds.ts';
export { gateResults } from './gates/gate-results.ts';
export { gatesThatCannotHold } from './gates/gates-that-cannot-hold.ts';
export type { CriterionFacts } from './instrument.ts';
export { type Instrument, type Rater, raterOf } from './instrument.ts';
export { type Flip, type JudgeNoise, judgeNoise, noiseFile, type VerdictNoise } from './judge-noise.ts';
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
export { kindToLabel, type LabelKind, labelKinds, thingsToLabel } from './label-kinds.ts';
export type { LabelledAgreement } from './labelled-agreement.ts';
export { type MeasuredFile, measurementsOf, readMeasured } from './measured.ts';
export { askedOf, type CaseOutcome, passedOf } from './outcome.ts';
export { type AnnouncedPower, announcedPower, powerOf } from './power/announced-power.ts';
export { type PowerPlans, powerPlans } from './power/power-plans.ts';
export { questionOf } from './question-of.ts';
export { type MoreFacts, type RunOutcomes, runOutcomes, type Used } from './run-outcomes.ts';
export { type Trend, type TrendPoint, type TrendRun, trendRun, trendsOf } from './trends.ts';
export { type JudgedCase, type RunChanges, verdictChanges } from './verdict-changes.ts';
