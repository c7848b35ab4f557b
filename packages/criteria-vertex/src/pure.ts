export type { EvaluationServiceCriterion as VertexCriterion } from '@agent-criteria/vertex-evaluation';
export {
  createVertexCriteria,
  multiTurnTaskSuccess,
  multiTurnToolUseQuality,
  multiTurnTrajectoryQuality,
  responseEvaluation,
} from './criteria.ts';
