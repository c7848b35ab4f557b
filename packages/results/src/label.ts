import { fits, is, type Schema } from '@agent-criteria/formats/schema';

/** A person's label on something that was judged: one line of `labels.jsonl`. Plain JSON. */
export interface Label extends Labelled {
  /** The label, or `null` if the person withdrew an earlier one. */
  readonly label: 'pass' | 'fail' | null;
  /** The reason, or `null` if none was given. */
  readonly reason: string | null;
  /** The person who gave the label. Labels from different people are independent. */
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** How the labelled item was sampled; absent if unknown. */
  readonly drawn?: Draw | undefined;
}

/** How items are sampled for labelling: at random, or with an equal number for each of the judge's verdicts. */
export type Draw = 'random' | 'by-verdict';

export function isDraw(value: unknown): value is Draw {
  return value === 'random' || value === 'by-verdict';
}

/** The item that a label applies to. */
export interface Labelled {
  readonly setId: string;
  readonly caseId: string;
  /** The name of the variant; absent if the agent has none. */
  readonly variant?: string | undefined;
  /** Zero-based. */
  readonly repeat: number;
  /** Zero-based, or `null` for the whole conversation. */
  readonly turn: number | null;
  /** The criterion, or `null` for the case as a whole. */
  readonly criterion: string | null;
  /** The id of a rubric or of another part of the score, or `null` for the criterion as a whole. */
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

/** Picks the fields that identify the labelled item. */
export function labelledOf({ setId, caseId, variant, repeat, turn, criterion, rubric }: Labelled): Labelled {
  const ofVariant = variant === undefined ? {} : { variant };
  return { setId, caseId, ...ofVariant, repeat, turn, criterion, rubric };
}

/** Returns a key that matches labels with verdicts on the same item. */
export function labelledKey({ setId, caseId, variant, repeat, turn, criterion, rubric }: Labelled): string {
  return JSON.stringify([setId, caseId, variant ?? null, repeat, turn, criterion, rubric]);
}

/**
 * Selects the labels in effect: each person's last label for each item, unless it was withdrawn, in the order in which
 * items were first labelled.
 */
export function currentLabels(labels: Iterable<Label>): readonly Label[] {
  const last = new Map<string, Label>();
  for (const label of labels) last.set(JSON.stringify([label.by, labelledKey(label)]), label);
  return [...last.values()].filter(({ label }) => label !== null);
}
