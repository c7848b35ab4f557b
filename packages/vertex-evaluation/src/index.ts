export {
  EVALUATION_SERVICE,
  type EvaluateInstancesOptions,
  evaluateInstances,
  evaluationAccess,
} from './evaluate-instances.ts';
export { type MetricResult, type RubricVerdict, readMetricResult, scoreOf } from './metric-result.ts';
export {
  type EvaluationServiceCriterion,
  type EvaluationServiceInput,
  type EvaluationServiceOptions,
  evaluationServiceOptions,
} from './options.ts';
export { predefinedMetric, type TurnTexts, turnRequest } from './request.ts';
export type { EvaluationTransport } from './transport.ts';
export { unjudgedAnswer } from './unjudged-answer.ts';
