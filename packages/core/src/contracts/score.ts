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
 * What a criterion says of a turn or a conversation: a number inside its range, or no number and why, or parts whose
 * exact mean core takes. It never holds a verdict. A score with both a number (or parts) and `missing` contradicts itself: it
 * could not be judged.
 */
export type Score = {
  /** One sentence for people; required in spirit wherever the value is not the best. */
  readonly reason?: string | undefined;
  /** What the reason rests on, for reports. */
  readonly evidence?: readonly Evidence[] | undefined;
  /** What the author of the eval set should know, as "this case can never fail". Shown, never scored. */
  readonly warnings?: readonly string[] | undefined;
  /**
   * What ADK's metric shows where it differs: a number where there is none here, or `null`, none where there is one. Compat
   * mode shows it; no verdict rests on it. A score of parts has none of its own.
   */
  readonly adkValue?: number | null | undefined;
  /**
   * Scope `'turn'` only: the score of the whole conversation, where the criterion gives one of its own; the same with each turn.
   * It takes the place of the aggregate of the turns, unless one of them could not be judged: then neither could it.
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

/** One scored piece of a turn: a rubric, a sentence, a step, a check. What is not averaged is evidence, not a part. */
export type ScorePart = Score & {
  readonly id: string;
  readonly kind: 'rubric' | 'sentence' | 'step' | 'behaviour' | 'check';
  /** What was judged, as text. */
  readonly text?: string | undefined;
};

/** A closed set, so that reports and viewers can draw any criterion without knowing it. */
export type Evidence =
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'json'; readonly value: Json; readonly label?: string | undefined }
  /** `path` is the place of the first difference, as `$[1].args.date`. */
  | { readonly kind: 'diff'; readonly expected: Json; readonly actual: Json; readonly path?: string | undefined }
  | {
      readonly kind: 'vote';
      readonly positive: number;
      readonly negative: number;
      readonly unreadable: number;
      /** How many samples were asked for. */
      readonly of: number;
    }
  | OpinionsEvidence
  | { readonly kind: 'words'; readonly missing: readonly string[]; readonly extra: readonly string[] };
