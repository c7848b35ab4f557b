import type { LabelKind } from '@agent-criteria/analysis';
import type { Invocation } from '@agent-criteria/core';
import type { Draw, Label, Labelled } from '@agent-criteria/results';

/** What can be labelled in a run, and how far a person is with it. */
export interface LabelSheet {
  /** Who labels: as asked, or the user of this machine. */
  readonly by: string;
  /** Who has labelled, sorted. */
  readonly people: readonly string[];
  /** The name of the run in a command. */
  readonly run: string;
  readonly kinds: readonly LabelSheetKind[];
}

export interface LabelSheetKind extends LabelKind {
  /** As reports call it: `quality, rubric kind`. */
  readonly name: string;
  /** How many of them this person has labelled. */
  readonly labelled: number;
}

/** One thing, as a person sees it who labels: nothing of what the judge said, until that person has. */
export interface ThingToLabel {
  readonly about: Labelled;
  readonly scoring: number;
  /** From 0, in the order that was drawn for the run. */
  readonly at: number;
  readonly drawn: Draw;
  readonly of: number;
  /** How many of its kind this person has labelled. */
  readonly labelled: number;
  /** What is to be decided. */
  readonly question: string;
  /** The conversation up to what is labelled. */
  readonly turns: readonly LabelTurn[];
  /** What this person says; `null`: nothing yet. */
  readonly own: Pick<Label, 'label' | 'reason'> | null;
  /** `null` until this person has labelled it. */
  readonly judge: JudgeSays | null;
}

export interface LabelTurn {
  /** `null`: it did not happen. */
  readonly actual: Invocation | null;
  /** `null`: nothing is expected. */
  readonly expected: Invocation | null;
}

export interface JudgeSays {
  readonly verdict: 'pass' | 'fail';
  readonly reason: string | null;
}

/** `label`: `null` takes back what this person said before. */
export interface NewLabel extends Labelled, Pick<Label, 'label' | 'reason' | 'by' | 'drawn'> {
  /** Of what was shown. */
  readonly scoring: number;
}

export interface LabelGiven {
  /** How many of the kind this person has labelled now. */
  readonly labelled: number;
  /** `null`: the label was taken back. */
  readonly judge: JudgeSays | null;
}
