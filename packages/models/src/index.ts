export type { Answers } from './answers.ts';
export type { Attempt } from './attempt.ts';
export { type Budget, type BudgetOptions, openBudget, withBudget } from './budget.ts';
export { CACHE_FOLDER, type Cache, openCache, withCache } from './cache.ts';
export type { CallEvent, CallWatcher, Spent } from './call-event.ts';
export { type CallIdentity, callKey } from './call-key.ts';
export { type CallPolicyOptions, callPolicies, type RunCallPolicies } from './call-policies.ts';
export { checkBudget } from './check-budget.ts';
export { checkModel, type ModelCheck } from './check-model.ts';
export { classifyFailure, type Failure, type FailureKind } from './classify-failure.ts';
export type { BudgetLimits, Used } from './ledger.ts';
export { type Limit, type LimitOptions, openLimit, type Size, withLimit } from './limit.ts';
export {
  openRecording,
  type RecordedCall,
  type Recording,
  type RecordingMode,
  type RecordingOptions,
  withRecording,
} from './recording.ts';
export { type RetryOptions, withRetry } from './retry.ts';
export { DEFAULT_TIMEOUT, withTimeout } from './timeout.ts';
