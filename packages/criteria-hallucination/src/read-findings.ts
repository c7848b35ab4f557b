import { type Label, labels } from './validator-prompt.ts';

/** A validator's finding about one sentence. */
export interface Finding {
  readonly label: Label;
  readonly rationale: string;
  /** The quote that supports the sentence, or `''` for none. */
  readonly supporting: string;
  readonly contradicting: string;
}

/** The maximum length of quotes and reasons, so that they stay readable. */
const LONGEST = 2_000;

/** The findings in one answer, by sentence number from 1. */
export interface Findings {
  readonly findings: ReadonlyMap<number, Finding>;
  /** Reasons for entries without a finding. A sentence that was omitted is in neither map. */
  readonly unreadable: ReadonlyMap<number, string>;
}

/**
 * Reads a validator's answer, by sentence number from 1. A sentence is missing if it was not answered, was answered
 * twice in different ways, or got an unknown label.
 *
 * @returns `undefined` if the answer does not have the requested format: no sentence has a label, or a number belongs
 * to none of them, so that it is unclear which sentences the other numbers refer to.
 */
export function readFindings(value: unknown, count: number): Findings | undefined {
  const entries = entriesOf(value);
  if (entries === undefined) return undefined;
  const findings = new Map<number, Finding>();
  const unreadable = new Map<number, string>();
  for (const entry of entries) {
    const number = numberOf(entry.number);
    if (number === undefined || number < 1 || number > count) return undefined;
    const finding = findingOf(entry);
    const before = findings.get(number);
    if (finding === null) unreadable.set(number, 'its label could not be read');
    else if (before === undefined) findings.set(number, finding);
    else if (before.label !== finding.label)
      unreadable.set(number, `it was labelled twice: ${before.label}, and ${finding.label}`);
  }
  for (const number of unreadable.keys()) findings.delete(number);
  return findings.size === 0 ? undefined : { findings, unreadable };
}

/** Returns the labels in an answer, without the reasons. */
export function labelsOf({ findings, unreadable }: Findings): unknown {
  return [new Map([...findings].map(([number, { label }]) => [number, label])), new Set(unreadable.keys())];
}

/** Parses a label, ignoring case, spaces and hyphens. */
export function readLabel(said: unknown): Label | undefined {
  if (typeof said !== 'string') return undefined;
  const spelt = said
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '_');
  return labels.find((label) => label === spelt);
}

type Entry = Readonly<Record<string, unknown>>;

function entriesOf(value: unknown): readonly Entry[] | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'sentences')) return undefined;
  const { sentences } = value as { readonly sentences: unknown };
  if (!Array.isArray(sentences)) return undefined;
  const isEntry = (entry: unknown): entry is Entry => typeof entry === 'object' && entry !== null;
  return sentences.every(isEntry) ? sentences : undefined;
}

function numberOf(said: unknown): number | undefined {
  const number = typeof said === 'string' && /^\s*\d{1,6}\s*$/.test(said) ? Number(said) : said;
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined;
}

function findingOf(entry: Entry): Finding | null {
  const label = readLabel(entry.label);
  if (label === undefined) return null;
  return {
    label,
    rationale: textOf(entry.rationale),
    supporting: quoteOf(entry.supporting_excerpt),
    contradicting: quoteOf(entry.contradicting_excerpt),
  };
}

function textOf(said: unknown): string {
  const text = typeof said === 'string' ? said.trim() : '';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Reads a quote. A judge that means `null` may write it as a word. */
function quoteOf(said: unknown): string {
  const text = textOf(said);
  return text.toLowerCase() === 'null' ? '' : text;
}
