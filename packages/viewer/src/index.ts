export { alignCalls, type CallRow, isSameCall } from './align-calls.ts';
export { alignTexts, type SaidRow, type SaidText } from './align-texts.ts';
export { type RunWithTexts, withCallTexts } from './call-texts.ts';
export { caseRow } from './case-row.ts';
export { type HtmlReportOptions, htmlReport } from './html-report.ts';
export type { PageCase, PageIndex } from './page-data.ts';
export { couldNotJudge, scoreValue } from './score-value.ts';
export { titleOf } from './title-of.ts';
export { compareWords } from './word-diff.ts';
