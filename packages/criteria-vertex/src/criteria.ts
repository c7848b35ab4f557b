import type { EvaluationTransport } from '@agent-criteria/vertex-evaluation';
import { multiTurnMetric } from './multi-turn.ts';
import { responseEvaluationThrough } from './response-evaluation.ts';

/** Options of `createVertexCriteria`. */
export interface CreateVertexCriteriaOptions {
  /**
   * Sends requests with your own credentials or through your own gateway. Default: according to options and
   * environment.
   */
  readonly transport?: EvaluationTransport | undefined;
}

/**
 * Creates all criteria of this package with your own transport. Pass them as plugins, which replace the registered
 * ones.
 */
export function createVertexCriteria({ transport }: CreateVertexCriteriaOptions = {}) {
  return {
    taskSuccess: multiTurnMetric(
      'multi_turn_task_success_v1',
      'The conversation achieves what the user wanted.',
      transport,
    ),
    trajectoryQuality: multiTurnMetric(
      'multi_turn_trajectory_quality_v1',
      'The conversation reaches its goal by a sensible path.',
      transport,
    ),
    toolUseQuality: multiTurnMetric(
      'multi_turn_tool_use_quality_v1',
      'The tools are used well over the whole conversation.',
      transport,
    ),
    responseEvaluation: responseEvaluationThrough(transport),
  };
}

const own = createVertexCriteria();

/**
 * ADK's `multi_turn_task_success_v1`: whether the user got what they wanted, from 0 to 1, according to rubrics that the
 * service generates.
 */
export const multiTurnTaskSuccess = own.taskSuccess;

/**
 * ADK's `multi_turn_trajectory_quality_v1`: the quality of the steps taken, from 0 to 1, according to rubrics that the
 * service generates.
 */
export const multiTurnTrajectoryQuality = own.trajectoryQuality;

/**
 * ADK's `multi_turn_tool_use_quality_v1`: how well tools were used, from 0 to 1, according to rubrics that the service
 * generates.
 */
export const multiTurnToolUseQuality = own.toolUseQuality;

/** ADK's `response_evaluation_score`: the coherence of the answer, from 1 to 5. */
export const responseEvaluation = own.responseEvaluation;
