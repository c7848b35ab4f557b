import type { LabelKind } from '@agent-criteria/analysis';
import type { Invocation } from '@agent-criteria/core';
import type { Draw, Label, Labelled } from '@agent-criteria/results';

/** The verdicts of a run that can be labelled, with one person's progress. */
export interface LabelSheet {
  /** The person who labels: the one named in the request, or else the user of this machine. */
  readonly by: string;
  /** Everyone who has labelled, sorted. */
  readonly people: readonly string[];
  /** Name of the run for use in a command. */
  readonly run: string;
  readonly kinds: readonly LabelSheetKind[];
}

export interface LabelSheetKind extends LabelKind {
  /** Name in reports, such as `quality, rubric kind`. */
  readonly name: string;
  /** Number of items of this kind that this person has labelled. */
  readonly labelled: number;
}

/** The kind of verdicts to label, the person who labels and the order. */
export interface LabelQuery {
  readonly criterion?: string | undefined;
  readonly rubric?: string | undefined;
  readonly by?: string | undefined;
  readonly draw?: string | undefined;
}

/** One item to label. It contains the judge's verdict only once this person has labelled it. */
export interface ThingToLabel {
  readonly about: Labelled;
  readonly scoring: number;
  /** Position in the run's seeded shuffle, from 0. */
  readonly at: number;
  readonly drawn: Draw;
  readonly of: number;
  /** Number of items of this kind that this person has labelled. */
  readonly labelled: number;
  /** The question to decide. */
  readonly question: string;
  /** The conversation up to the labelled turn. */
  readonly turns: readonly LabelTurn[];
  /** This person's label, or `null`. */
  readonly own: Pick<Label, 'label' | 'reason'> | null;
  /** `null` until this person has labelled the item. */
  readonly judge: JudgeSays | null;
}

export interface LabelTurn {
  /** `null` if the turn did not take place. */
  readonly actual: Invocation | null;
  /** `null` if nothing is expected. */
  readonly expected: Invocation | null;
}

/** The judge's verdict. */
export interface JudgeSays {
  readonly verdict: 'pass' | 'fail';
  readonly reason: string | null;
}

/** A `label` of `null` withdraws this person's earlier label. */
export interface NewLabel extends Labelled, Pick<Label, 'label' | 'reason' | 'by' | 'drawn'> {
  /** Number of the scoring pass whose verdict was shown. */
  readonly scoring: number;
}

export interface LabelGiven {
  /** Number of items of this kind that this person has now labelled. */
  readonly labelled: number;
  /** `null` if the label was withdrawn. */
  readonly judge: JudgeSays | null;
}
