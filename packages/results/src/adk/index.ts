export { type Comparison, compareRecorded, differenceText, type LeftOut } from './compare-recorded.ts';
export { evalCaseResults, evalSetResult } from './eval-set-result.ts';
export { type RecordedCriterion, type RecordedResult, recordedResult } from './recorded-result.ts';
export { recordedRun } from './recorded-run.ts';
