import type { LabelKind } from '@agent-criteria/analysis';
import type { Invocation } from '@agent-criteria/core';
import type { Draw, Label, Labelled } from '@agent-criteria/results';

/** Verdicts of a run that can be labelled, with the progress of one person. */
export interface LabelSheet {
  /** The person who labels: the one in the request, or else the user of this machine. */
  readonly by: string;
  /** Everybody who has labelled, sorted. */
  readonly people: readonly string[];
  /** Name of the run in a command. */
  readonly run: string;
  readonly kinds: readonly LabelSheetKind[];
}

export interface LabelSheetKind extends LabelKind {
  /** Name in reports, such as `quality, rubric kind`. */
  readonly name: string;
  /** Number of them that this person has labelled. */
  readonly labelled: number;
}

/** The kind of verdicts to label, the person and the order. */
export interface LabelQuery {
  readonly criterion?: string | undefined;
  readonly rubric?: string | undefined;
  readonly by?: string | undefined;
  readonly draw?: string | undefined;
}

/** One thing to label. It holds the judge's verdict only after this person has labelled it. */
export interface ThingToLabel {
  readonly about: Labelled;
  readonly scoring: number;
  /** Position in the seeded shuffle of the run, from 0. */
  readonly at: number;
  readonly drawn: Draw;
  readonly of: number;
  /** Number of things of this kind that this person has labelled. */
  readonly labelled: number;
  /** The question to decide. */
  readonly question: string;
  /** The conversation up to the labelled turn. */
  readonly turns: readonly LabelTurn[];
  /** Label of this person, or `null`. */
  readonly own: Pick<Label, 'label' | 'reason'> | null;
  /** `null` until this person has labelled it. */
  readonly judge: JudgeSays | null;
}

export interface LabelTurn {
  /** `null` if the turn did not take place. */
  readonly actual: Invocation | null;
  /** `null` if nothing is expected. */
  readonly expected: Invocation | null;
}

/** Verdict of the judge. */
export interface JudgeSays {
  readonly verdict: 'pass' | 'fail';
  readonly reason: string | null;
}

/** `label`: `null` withdraws the earlier label of this person. */
export interface NewLabel extends Labelled, Pick<Label, 'label' | 'reason' | 'by' | 'drawn'> {
  /** Scoring of the verdict that was shown. */
  readonly scoring: number;
}

export interface LabelGiven {
  /** Number of things of this kind that this person has labelled now. */
  readonly labelled: number;
  /** `null` if the label was withdrawn. */
  readonly judge: JudgeSays | null;
}
