import type { EvaluationTransport } from '@agent-criteria/vertex-evaluation';
import { multiTurnMetric } from './multi-turn.ts';
import { responseEvaluationThrough } from './response-evaluation.ts';

/**
 * All criteria of this package, asked through a transport of your own: for credentials or a gateway that the usual ways do not
 * reach. Give them as plugins; they take the place of those that the package registers.
 */
export function vertexCriteriaThrough(transport: EvaluationTransport | undefined) {
  return {
    taskSuccess: multiTurnMetric(
      'multi_turn_task_success_v1',
      'The conversation reaches what the user wanted.',
      transport,
    ),
    trajectoryQuality: multiTurnMetric(
      'multi_turn_trajectory_quality_v1',
      'The conversation takes a sensible way to its end.',
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

const own = vertexCriteriaThrough(undefined);

/** ADK's `multi_turn_task_success_v1`: did the user get what they wanted? From 0 to 1, by rubrics that the service makes itself. */
export const multiTurnTaskSuccess = own.taskSuccess;

/** ADK's `multi_turn_trajectory_quality_v1`: was the way there a good one? From 0 to 1, by rubrics that the service makes itself. */
export const multiTurnTrajectoryQuality = own.trajectoryQuality;

/** ADK's `multi_turn_tool_use_quality_v1`: were the tools used well? From 0 to 1, by rubrics that the service makes itself. */
export const multiTurnToolUseQuality = own.toolUseQuality;

/** ADK's `response_evaluation_score`: is the answer coherent? From 1 to 5. */
export const responseEvaluation = own.responseEvaluation;
