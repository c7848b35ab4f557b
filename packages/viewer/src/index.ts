export { alignCalls, type CallRow, isSameCall } from './align-calls.ts';
export { alignTexts, type SaidRow, type SaidText } from './align-texts.ts';
export type { RunWithTexts } from './call-texts.ts';
export { type HtmlReportOptions, htmlReport } from './html-report.ts';
export { couldNotJudge, scoreValue } from './score-value.ts';
export { compareWords } from './word-diff.ts';
