export type { CallEvent } from './call-event.ts';
export { type CallPolicyOptions, callPolicies } from './call-policies.ts';
export { checkBudget } from './check-budget.ts';
export { checkModel } from './check-model.ts';
export { classifyFailure } from './classify-failure.ts';
