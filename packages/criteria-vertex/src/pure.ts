export type {
  EvaluationServiceCriterion as VertexCriterion,
  EvaluationServiceInput as VertexInput,
  EvaluationServiceOptions as VertexOptions,
  EvaluationTransport,
} from '@agent-criteria/vertex-evaluation';
export {
  type CreateVertexCriteriaOptions,
  createVertexCriteria,
  multiTurnTaskSuccess,
  multiTurnToolUseQuality,
  multiTurnTrajectoryQuality,
  responseEvaluation,
} from './criteria.ts';
