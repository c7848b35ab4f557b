import { fits, is, type Schema } from '@agent-criteria/formats/schema';

/** A person's label of a judged thing: one line of `labels.jsonl`. Plain JSON. */
export interface Label extends Labelled {
  /** `null` if the person withdrew an earlier label. */
  readonly label: 'pass' | 'fail' | null;
  /** `null` if no reason was given. */
  readonly reason: string | null;
  /** The person. Labels of different people are independent. */
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** How the thing was drawn; absent if unknown. */
  readonly drawn?: Draw | undefined;
}

/** How things are drawn for labelling: at random, or as many of each verdict of the judge. */
export type Draw = 'random' | 'by-verdict';

export function isDraw(value: unknown): value is Draw {
  return value === 'random' || value === 'by-verdict';
}

/** The thing that a label is about. */
export interface Labelled {
  readonly setId: string;
  readonly caseId: string;
  /** The variant; absent if there is only one agent. */
  readonly variant?: string | undefined;
  /** From 0. */
  readonly repeat: number;
  /** From 0; `null` for the whole conversation. */
  readonly turn: number | null;
  /** `null` for the case as a whole. */
  readonly criterion: string | null;
  /** The id of a rubric, or another part of the score; `null` for the criterion as a whole. */
  readonly rubric: string | null;
}

const labelForm: Schema<Label> = {
  setId: is.text,
  caseId: is.text,
  variant: is.optional(is.text),
  repeat: is.count,
  turn: is.orNull(is.count),
  criterion: is.orNull(is.text),
  rubric: is.orNull(is.text),
  label: (value) => value === 'pass' || value === 'fail' || value === null,
  reason: is.orNull(is.text),
  by: is.text,
  at: is.time,
  drawn: is.optional(isDraw),
};

export function isLabel(value: unknown): value is Label {
  return fits(labelForm, value);
}

/** Picks the fields that identify the labelled thing. */
export function labelledOf({ setId, caseId, variant, repeat, turn, criterion, rubric }: Labelled): Labelled {
  const ofVariant = variant === undefined ? {} : { variant };
  return { setId, caseId, ...ofVariant, repeat, turn, criterion, rubric };
}

/** A key that matches labels with verdicts on the same thing. */
export function labelledKey({ setId, caseId, variant, repeat, turn, criterion, rubric }: Labelled): string {
  return JSON.stringify([setId, caseId, variant ?? null, repeat, turn, criterion, rubric]);
}

/**
 * Selects the valid labels: the last one of each person for each thing, without withdrawn ones, in the order in which things were first
 * labelled.
 */
export function currentLabels(labels: Iterable<Label>): readonly Label[] {
  const last = new Map<string, Label>();
  for (const label of labels) last.set(JSON.stringify([label.by, labelledKey(label)]), label);
  return [...last.values()].filter(({ label }) => label !== null);
}
