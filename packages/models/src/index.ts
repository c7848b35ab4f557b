export type { CallEvent, Spent } from './call-event.ts';
export { callPolicies } from './call-policies.ts';
export type { CallPolicyOptions } from './call-policy-options.ts';
export { checkBudget } from './check-budget.ts';
export { checkModel } from './check-model.ts';
export { classifyFailure } from './classify-failure.ts';
