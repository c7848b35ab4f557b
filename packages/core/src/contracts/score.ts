import type { Json } from '@agent-criteria/formats';
import type { OpinionsEvidence } from './opinions.ts';

/**
 * Why a score has no number.
 *
 * - `not-applicable`: the case asks for nothing here (no reference, no rubric, no expected state). Leaves the mean.
 * - `could-not-judge`: a judge, service, parser or the criterion failed, or the inference lacks what the criterion
 *   reads. Stays in the mean as an unknown, so that it can never help a verdict to pass.
 */
export type Missing = 'not-applicable' | 'could-not-judge';

/**
 * The score of a turn or a conversation: a number inside the criterion's range, or no number and the reason, or parts
 * whose exact mean core computes. It never contains a verdict. A score with both a number (or parts) and `missing`
 * contradicts itself, and becomes could-not-judge.
 */
export type Score = {
  /** One sentence for people; expected whenever the value is not the best possible. */
  readonly reason?: string | undefined;
  /** The facts behind the reason, for reports. */
  readonly evidence?: readonly Evidence[] | undefined;
  /** Remarks for the author of the eval set, such as "this case can never fail". Shown, never scored. */
  readonly warnings?: readonly string[] | undefined;
  /**
   * ADK's value if it differs: a number, or `null` if ADK has none. Shown in compat mode; verdicts ignore it. Not
   * allowed with parts.
   */
  readonly adkValue?: number | null | undefined;
  /**
   * Only with scope `'turn'`: the criterion's own score for the whole conversation, repeated with each turn. It
   * replaces the aggregate of the turns, unless a turn is could-not-judge, in which case the conversation is too.
   */
  readonly overall?: OverallScore | undefined;
} & (
  | { readonly value: number }
  | { readonly value: null; readonly missing: Missing }
  | { readonly parts: readonly ScorePart[] }
);

/** The score of a whole conversation: a number inside the criterion's range, or why there is none. */
export type OverallScore =
  | { readonly value: number; readonly reason?: string | undefined }
  | { readonly value: null; readonly missing: 'could-not-judge'; readonly reason: string };

/**
 * One scored part of a turn: a rubric, a sentence, a step, a check. Anything that is not averaged is evidence, not a
 * part.
 */
export type ScorePart = Score & {
  readonly id: string;
  readonly kind: 'rubric' | 'sentence' | 'step' | 'behaviour' | 'check';
  /** The judged text. */
  readonly text?: string | undefined;
};

/** One fact behind a score. The set of kinds is closed, so that reports and viewers can render any criterion. */
export type Evidence =
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'json'; readonly value: Json; readonly label?: string | undefined }
  /** `path` leads to the first difference, such as `$[1].args.date`. */
  | { readonly kind: 'diff'; readonly expected: Json; readonly actual: Json; readonly path?: string | undefined }
  | {
      readonly kind: 'vote';
      readonly positive: number;
      readonly negative: number;
      readonly unreadable: number;
      /** The number of samples in the vote. Fewer may have been requested, if they decided it. */
      readonly of: number;
    }
  | OpinionsEvidence
  | { readonly kind: 'words'; readonly missing: readonly string[]; readonly extra: readonly string[] };
