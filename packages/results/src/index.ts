export { type CompactCaseResult, compactCaseResult, expandCaseResult } from './compact-case-result.ts';
export { costOf, type Prices } from './cost-of.ts';
export { evalCaseResults, evalSetResult } from './eval-set-result.ts';
export { addMasked, type MaskedCounts, maskedIn, maskedInCases, maskedNote } from './masked-values.ts';
export { namedCriteria } from './named-criteria.ts';
export { readOpinions } from './opinions.ts';
export {
  type RecordedSet,
  type RunCall,
  type RunCase,
  type RunCriterion,
  type RunFacts,
  type RunInference,
  type RunInfo,
  type RunRecord,
  type RunSet,
  runRecord,
  runSet,
} from './run-record.ts';
export { type TokenCounts, tokenCounts } from './token-counts.ts';
export {
  addUsage,
  formatCost,
  isUnmade,
  type RunUsage,
  tokensText,
  type Usage,
  type UsageRole,
  usageOf,
  usageOfCases,
  usageRoles,
  usageText,
} from './usage.ts';
