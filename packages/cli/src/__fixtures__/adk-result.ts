// Result files as ADK Python writes them to `.adk/eval_history`, with every key and every null.

export interface AdkTurn {
  readonly actual: Readonly<Record<string, unknown>>;
  readonly expected: Readonly<Record<string, unknown>> | null;
  readonly metrics: readonly unknown[];
}

export interface AdkCase {
  readonly id: string;
  /** 1 for passed, 2 for failed, 3 for not evaluated. */
  readonly status: number;
  readonly overall: readonly unknown[];
  readonly turns: readonly AdkTurn[];
}

/** A turn, as ADK serialises it. */
export function adkTurn(
  prompt: string,
  answer: string | null,
  calls: readonly unknown[] = [],
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    invocation_id: 'e-1',
    user_content: { parts: [{ text: prompt, thought: null }], role: 'user' },
    final_response: answer === null ? null : { parts: [{ text: answer, thought: null }], role: 'model' },
    intermediate_data: { tool_uses: calls, tool_responses: [], intermediate_responses: [] },
    creation_timestamp: 1778989036.25,
    rubrics: null,
    app_details: null,
    ...more,
  };
}

/** A metric with its score, as ADK serialises it. */
export function adkMetric(
  name: string,
  threshold: number,
  score: number | null,
  status: number,
  criterion: Readonly<Record<string, unknown>> = {},
): unknown {
  return {
    metric_name: name,
    threshold,
    criterion: { threshold, include_intermediate_responses_in_final: false, ...criterion },
    custom_function_path: null,
    score,
    eval_status: status,
    details: { rubric_scores: null, token_usage_details: null },
  };
}

export function adkResult(setId: string, cases: readonly AdkCase[]): unknown {
  const id = `shop_${setId}_1778989037.305544`;
  return {
    eval_set_result_id: id,
    eval_set_result_name: id,
    eval_set_id: setId,
    eval_case_results: cases.map(({ id: evalId, status, overall, turns }, index) => ({
      eval_set_file: setId,
      eval_set_id: setId,
      eval_id: evalId,
      final_eval_status: status,
      eval_metric_results: null,
      overall_eval_metric_results: overall,
      eval_metric_result_per_invocation: turns.map(({ actual, expected, metrics }) => ({
        actual_invocation: actual,
        expected_invocation: expected,
        eval_metric_results: metrics,
      })),
      session_id: `adk-eval-session-${index}`,
      session_details: null,
      user_id: 'test_user_id',
    })),
    creation_timestamp: 1778989037.305544,
  };
}
