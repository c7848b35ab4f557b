export type {
  EvaluationServiceCriterion as VertexCriterion,
  EvaluationServiceInput as VertexInput,
  EvaluationServiceOptions as VertexOptions,
  EvaluationTransport,
} from '@agent-criteria/vertex-evaluation';
export {
  multiTurnTaskSuccess,
  multiTurnToolUseQuality,
  multiTurnTrajectoryQuality,
  responseEvaluation,
  vertexCriteriaThrough,
} from './criteria.ts';
