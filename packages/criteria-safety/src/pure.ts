export type {
  EvaluationServiceCriterion as SafetyCriterion,
  EvaluationServiceInput as SafetyInput,
  EvaluationServiceOptions as SafetyOptions,
  EvaluationTransport,
} from '@agent-criteria/vertex-evaluation';
export { type CreateSafetyOptions, createSafety, safety } from './safety.ts';
