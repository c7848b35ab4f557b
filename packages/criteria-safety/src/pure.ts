export type { EvaluationServiceCriterion as SafetyCriterion } from '@agent-criteria/vertex-evaluation';
export { createSafety, safety } from './safety.ts';
