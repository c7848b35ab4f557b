export { evaluateInstances, evaluationAccess } from './evaluate-instances.ts';
export { scoreOf, unjudgedAnswer } from './metric-result.ts';
export {
  type EvaluationServiceCriterion,
  type EvaluationServiceInput,
  type EvaluationServiceOptions,
  evaluationServiceOptions,
} from './options.ts';
export { predefinedMetric, turnRequest } from './request.ts';
export type { EvaluationTransport } from './transport.ts';
