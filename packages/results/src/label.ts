import { fits, is, type Schema } from '@agent-criteria/formats/schema';

/** What a person said of something that was judged. One line of `labels.jsonl`; plain JSON. */
export interface Label extends Labelled {
  /** `null`: the person took an earlier label back. */
  readonly label: 'pass' | 'fail' | null;
  /** The person's reason; `null`: none was given. */
  readonly reason: string | null;
  /** Who says it. Labels of several people are kept apart. */
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** How the thing was drawn; absent where that is not known. */
  readonly drawn?: Draw | undefined;
}

/** How things are drawn for people to label: all alike, or as many of each verdict of the judge. */
export type Draw = 'random' | 'by-verdict';

export function isDraw(value: unknown): value is Draw {
  return value === 'random' || value === 'by-verdict';
}

/** What a label is about. */
export interface Labelled {
  readonly setId: string;
  readonly caseId: string;
  /** Which of several agents ran the case; absent where there is only one. */
  readonly variant?: string | undefined;
  /** From 0. */
  readonly repeat: number;
  /** From 0; `null` for the whole conversation. */
  readonly turn: number | null;
  /** `null`: whether the case as a whole is good. */
  readonly criterion: string | null;
  /** The id of a rubric, or another part of the score; `null`: the criterion as a whole. */
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

/** Whether a value of a file is a label. */
export function isLabel(value: unknown): value is Label {
  return fits(labelForm, value);
}

/** What a label or a verdict is about, alone. */
export function labelledOf({ setId, caseId, variant, repeat, turn, criterion, rubric }: Labelled): Labelled {
  const ofVariant = variant === undefined ? {} : { variant };
  return { setId, caseId, ...ofVariant, repeat, turn, criterion, rubric };
}

/** The same text for the same thing, by which labels and verdicts are matched. */
export function labelledKey({ setId, caseId, variant, repeat, turn, criterion, rubric }: Labelled): string {
  return JSON.stringify([setId, caseId, variant ?? null, repeat, turn, criterion, rubric]);
}

/**
 * The labels that count: of each person the last one for each thing, without those that were taken back. In the order in which
 * things were first labelled.
 */
export function currentLabels(labels: Iterable<Label>): readonly Label[] {
  const last = new Map<string, Label>();
  for (const label of labels) last.set(JSON.stringify([label.by, labelledKey(label)]), label);
  return [...last.values()].filter(({ label }) => label !== null);
}
