export {
  type ComparedRuns,
  type HtmlComparisonOptions,
  type HtmlReportOptions,
  htmlComparison,
  htmlReport,
} from '@agent-criteria/viewer';
export { type AdkOptions, adkResultId, adkResults, saveEvalHistory, writeAdkResults } from './adk-results.ts';
export { consoleCalibration, markdownCalibration, placeText } from './calibration.ts';
export { formatScore } from './case-facts.ts';
export { type ComparedNames, consoleComparison, markdownComparison } from './comparison.ts';
export {
  consoleCases,
  consoleFailures,
  consolePlan,
  consoleReport,
  consoleSummary,
  criterionRule,
  formatWarnings,
  timesText,
} from './console.ts';
export { csvReport } from './csv.ts';
export { type EndingCounts, limitNote } from './endings.ts';
export { foldProblems } from './fold-problems.ts';
export { stubLines } from './format-stubs.ts';
export { consoleOutcome, decidedText } from './gates.ts';
export { type JsonOptions, jsonReport } from './json.ts';
export { type JunitOptions, junitReport } from './junit.ts';
export { type LabelRow, labelsCsv, type ReadLabelsOptions, readLabelsCsv } from './label-csv.ts';
export type { ConsoleOptions } from './look.ts';
export { type MarkdownOptions, markdownReport } from './markdown.ts';
export { consoleNoise, markdownNoise } from './noise.ts';
export { onlyFailed } from './only-failed.ts';
export { consolePower } from './power.ts';
export { problemText } from './problem-text.ts';
export { type Format, isFormat, type Reporter, type ReportOptions, reporters, writeReport } from './reporters.ts';
export { type CaseTotals, collectTotals, type RunTotals, totalsOf } from './run-totals.ts';
export { type ScoreText, scoreTexts } from './score-texts.ts';
export { writeAtomically } from './write-atomically.ts';
