export { describeIssues, type Issue } from './describe-issues.ts';
export { closest, didYouMean } from './did-you-mean.ts';
export { formatPath, type PathSegment } from './path.ts';
export { type RespellOptions, type Respelt, respell } from './respell.ts';
