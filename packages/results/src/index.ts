export { agentCost } from './agent-cost.ts';
export { type CompactCaseResult, compactCaseResult, expandCaseResult } from './compact-case-result.ts';
export { type ConversationCosts, conversationCosts } from './conversation-costs.ts';
export { costOf, type Prices, tokenPrices } from './cost-of.ts';
export { type EvaluationResult, evaluationAttributes } from './evaluation-attributes.ts';
export { groupBy } from './group-by.ts';
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
export { addMasked, addMaskedCases, type MaskedCases, type MaskedCounts, maskedIn } from './masked-values.ts';
export { namedCriteria } from './named-criteria.ts';
export { readOpinions } from './opinions.ts';
export { contradictionIn, type KnownOutcome } from './outcome/known-outcome.ts';
export {
  type BaselineRecord,
  confirmedRun,
  type GateRecord,
  type OutcomeRecord,
  outcomeOf,
  withProblems,
} from './outcome/outcome-record.ts';
export {
  type CaseKey,
  type CaseSelection,
  type RecordedSet,
  type RunCall,
  type RunCase,
  type RunCommit,
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
export { addSimulated, type SimulatedCounts, simulatedIn } from './simulated-calls.ts';
export { type TokenCounts, tokenCounts } from './token-counts.ts';
export {
  addUsage,
  isUnmade,
  type RunUsage,
  type TotalUsage,
  totalUsageOf,
  type Usage,
  type UsageRole,
  usageOf,
  usageOfCases,
  usageRoles,
} from './usage.ts';
