import type { AnswerSource } from './language-model.ts';

/**
 * What each judge sample said about each question. It accompanies the score that the questions decide, and contains all
 * that a report, or a comparison with people's verdicts, needs to know about the judge.
 */
export interface OpinionsEvidence {
  readonly kind: 'opinions';
  /** The prompt and its version, as `final_response_match_v2/1`. Absent: not known. */
  readonly prompt?: string | undefined;
  /** Each id once. */
  readonly questions: readonly JudgeQuestion[];
  /** Every sample that was asked for, in order. */
  readonly samples: readonly JudgeSample[];
}

/** What a judge was asked about. */
export interface JudgeQuestion {
  /** The id of the score's part that the question decides, such as a rubric's. Any other id is a question about the whole. */
  readonly id: string;
  /** The rubric, the sentence. Absent: the criterion's own question. */
  readonly text?: string | undefined;
}

/** One call to a judge. */
export interface JudgeSample {
  /** From 0. */
  readonly sample: number;
  /** The model's id. Absent: not known. */
  readonly model?: string | undefined;
  readonly from?: AnswerSource | undefined;
  /** At most one for each question, in the order of the questions. Empty where there is a `failure`. */
  readonly opinions: readonly JudgeOpinion[];
  /** Why this sample has no opinion on any question: the call failed, or its answer could not be read. */
  readonly failure?: string | undefined;
}

/** What a sample said about one question, or why that could not be read. */
export type JudgeOpinion = {
  /** The id of the question. */
  readonly question: string;
} & (
  | {
      /** In the judge's words, as `valid` or `not_applicable`. */
      readonly label: string;
      readonly rationale?: string | undefined;
      /** The side of the vote that it counted for; `null`: it did not count. Absent: not known. */
      readonly countedAs?: 'positive' | 'negative' | null | undefined;
    }
  | { readonly unreadable: string }
);
