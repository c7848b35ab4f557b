export type { CaseFilter } from './case-filter.ts';
export { configProblems, type UnsavedConfig } from './config-problems.ts';
export { asks, type Estimate, type EstimatedCalls, estimateCalls, type Span } from './estimate-calls.ts';
export { gatesOfTexts } from './gates/parse-gates.ts';
export { adaptAgent, findAgent, loadAgent } from './load-agent.ts';
export { loadPlan } from './load-plan.ts';
export { openPolicies } from './open-policies.ts';
export { type PreparedSet, setsOfAgent } from './plan-sets.ts';
export { makesCalls } from './planned-models.ts';
