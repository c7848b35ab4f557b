/** One property that an answer or a conversation is judged by. */
export interface Rubric {
  /** Names the rubric in scores; unique among the rubrics of one turn. */
  rubricId: string;
  rubricContent: { textProperty: string | null };
  description?: string | null | undefined;
  /** Which criterion it belongs to: `FINAL_RESPONSE_QUALITY`, `TOOL_USE_QUALITY`, `INSTRUCTION_ADHERENCE` or a name of your own. */
  type?: string | null | undefined;
}

/** The score that one rubric got, as ADK's result files hold it. */
export interface RubricScore {
  rubricId: string;
  rationale?: string | null | undefined;
  score?: number | null | undefined;
}
