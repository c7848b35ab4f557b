export { agentCost } from './agent-cost.ts';
export { type CompactCaseResult, compactCaseResult, expandCaseResult } from './compact-case-result.ts';
export {
  type ComparedScore,
  type Comparison,
  type ComparisonFacts,
  compareRecorded,
  differenceText,
  type LeftOut,
  type ScoreDifference,
} from './compare-recorded.ts';
export { configSource } from './config-source.ts';
export { type ConversationCosts, conversationCosts } from './conversation-costs.ts';
export { costOf, type Prices } from './cost-of.ts';
export { evalCaseResults, evalSetResult } from './eval-set-result.ts';
export {
  currentLabels,
  type Draw,
  isDraw,
  isLabel,
  type Label,
  type Labelled,
  labelledKey,
  labelledOf,
} from './label.ts';
export {
  addMasked,
  addMaskedCases,
  type MaskedCases,
  type MaskedCounts,
  maskedIn,
  maskedNote,
} from './masked-values.ts';
export { namedCriteria } from './named-criteria.ts';
export { readOpinions } from './opinions.ts';
export { confirmedRun } from './outcome/confirmed-run.ts';
export { contradictionIn, type KnownOutcome } from './outcome/known-outcome.ts';
export {
  type BaselineRecord,
  type GateRecord,
  type OutcomeFacts,
  type OutcomeRecord,
  outcomeOf,
  withProblems,
} from './outcome/outcome-record.ts';
export {
  gatesText,
  gateTitle,
  gateWord,
  type RunWithOutcome,
  type ShownOutcome,
  shownOutcome,
} from './outcome/shown-outcome.ts';
export { type RecordedCriterion, type RecordedEntry, type RecordedResult, recordedResult } from './recorded-result.ts';
export { type CriterionFacts, type RecordedRunOptions, recordedRun } from './recorded-run.ts';
export {
  type CaseSelection,
  type RecordedSet,
  type RunCall,
  type RunCase,
  type RunCriterion,
  type RunFacts,
  type RunInference,
  type RunInfo,
  type RunRecord,
  type RunSet,
  type RunVariant,
  runRecord,
  runSet,
} from './run-record.ts';
export { selectionText } from './selection-text.ts';
export { type TokenCounts, tokenCounts } from './token-counts.ts';
export { tokenPrices } from './token-prices.ts';
export {
  addUsage,
  formatCost,
  isUnmade,
  type RunUsage,
  type TotalUsage,
  tokensText,
  totalUsageOf,
  type Usage,
  type UsageRole,
  usageOf,
  usageOfCases,
  usageRoles,
  usageText,
} from './usage.ts';
