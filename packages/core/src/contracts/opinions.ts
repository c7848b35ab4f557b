import type { AnswerSource } from './language-model.ts';

/**
 * Each judge sample's answers to each question. Attached to the score that the questions decide, it contains everything
 * that a report, or a comparison with human labels, needs to know about the judge.
 */
export interface OpinionsEvidence {
  readonly kind: 'opinions';
  /** The id and version of the prompt, such as `final_response_match_v2/1`. Absent if unknown. */
  readonly prompt?: string | undefined;
  /** The questions, with unique ids. */
  readonly questions: readonly JudgeQuestion[];
  /** All samples that were requested, in order. */
  readonly samples: readonly JudgeSample[];
}

/** A question that a judge was asked. */
export interface JudgeQuestion {
  /**
   * The id of the score part that the question decides, such as a rubric. Any other id is a question about the whole.
   */
  readonly id: string;
  /** The rubric or sentence. Absent for the criterion's own question. */
  readonly text?: string | undefined;
}

/** One sample of a judge. */
export interface JudgeSample {
  /** From 0. */
  readonly sample: number;
  /** The model's id. Absent if unknown. */
  readonly model?: string | undefined;
  readonly from?: AnswerSource | undefined;
  /** At most one per question, in the order of the questions. Empty if there is a `failure`. */
  readonly opinions: readonly JudgeOpinion[];
  /** Why this sample has no opinion on any question: the call failed, or its answer could not be read. */
  readonly failure?: string | undefined;
}

/** A sample's opinion on one question, or why it could not be read. */
export type JudgeOpinion = {
  /** The id of the question. */
  readonly question: string;
} & (
  | {
      /** In the judge's words, such as `valid` or `not_applicable`. */
      readonly label: string;
      readonly rationale?: string | undefined;
      /** The side of the vote that it counted for, or `null` for neither. Absent if unknown. */
      readonly countedAs?: 'positive' | 'negative' | null | undefined;
    }
  | { readonly unreadable: string }
);
