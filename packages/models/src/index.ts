export type { CallEvent, CallWatcher, Spent } from './call-event.ts';
export { type CallPolicyOptions, callPolicies, type RunCallPolicies } from './call-policies.ts';
export { checkBudget } from './check-budget.ts';
export { checkModel, type ModelCheck } from './check-model.ts';
export { classifyFailure, type Failure, type FailureKind } from './classify-failure.ts';
export type { RecordingMode } from './recording.ts';
export type { BudgetLimits } from './spending.ts';
