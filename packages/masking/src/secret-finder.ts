import { type WrittenForm, writtenForms } from './encoded-forms.ts';
import { createFinder, type Finder, type Needle, needleOf } from './find-forms.ts';
import { type Environment, knownSecrets, type SecretValue } from './known-secrets.ts';
import { isNamedSecret, type KeyKind, kindOfKey, mayHoldSecret, secretForms } from './secret-forms.ts';
import {
  beginOf,
  endOf,
  type Level,
  levelsOf,
  mayHoldLevels,
  textsWithoutBreaks,
  withoutBreaks,
} from './written-levels.ts';

/** A secret in a text. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  /** The variable or the kind of secret. Contains no part of the secret. */
  readonly label: string;
  /** The decoded secret. */
  readonly secret: string;
  /** Whether it is the value of a variable, and so a secret everywhere. */
  readonly isKnown: boolean;
}

export interface SecretFinder {
  /** Reads the environments again. @returns Whether there are new secrets. */
  renew(): boolean;
  /** Finds secrets in a text and its decoded forms. Values of variables come first. Hits may overlap. */
  find(text: string): readonly Hit[];
  /** Like `find`, but only for values of variables. */
  findKnown(text: string): readonly Hit[];
  /** Returns the variable that has this number as its value, or `null`. */
  numberOf(number: number): SecretValue | null;
  /** Returns the label of a value that is a secret because of its key, such as `x-api-key`; otherwise `null`. */
  named(key: string, value: string): string | null;
  /** Returns how many characters at the end of a text may be the beginning of a known value. */
  begun(text: string): number;
}

/** The length of the shortest string with a secret: `://:x@`. */
export const SHORTEST_TEXT = 6;

interface Meaning extends SecretValue {
  readonly form: WrittenForm;
}

export function secretFinder(environments: () => readonly Environment[]): SecretFinder {
  const secrets = knownSecrets(environments);
  let known: readonly SecretValue[] = [];
  let values: Finder<Meaning> = createFinder<Meaning>([]);
  let numbers: ReadonlyMap<number, SecretValue> = new Map();
  const kinds = new Map<string, KeyKind>();
  let needles: ReadonlyMap<string, readonly Needle<Meaning>[]> = new Map();

  function renew(): boolean {
    const now = secrets.now();
    if (now === known) return false;
    known = now;
    needles = new Map(now.map((secret) => [secret.value, needles.get(secret.value) ?? needlesOf(secret)]));
    values = createFinder([...needles.values()].flat());
    numbers = new Map(now.filter(({ value }) => NUMBER.test(value)).map((secret) => [Number(secret.value), secret]));
    return true;
  }
  renew();

  const hasKnown = (text: string): boolean =>
    values.has(text) || textsWithoutBreaks(text).some((one) => values.has(one));

  function knownIn(level: Level, hits: Hit[]): void {
    for (const one of [level, ...withoutBreaks(level)]) {
      values.each(one.text, (start, end, { value, name, form: { around } }) => {
        const [from, to] = around === 0 ? [start, end] : widened(one, start, end, around);
        hits.push({ ...placeOf(one, from, to), label: name, secret: value, isKnown: true });
      });
    }
  }

  function findKnown(text: string): readonly Hit[] {
    if (text.length < SHORTEST_TEXT || known.length === 0) return NONE;
    if (!mayHoldLevels(text) && !hasKnown(text)) return NONE;
    const hits: Hit[] = [];
    for (const level of levelsOf(text)) if (hasKnown(level.text)) knownIn(level, hits);
    return inFullLength(hits);
  }

  return {
    renew,
    find(text) {
      if (text.length < SHORTEST_TEXT) return NONE;
      // Fast path, because most texts contain no secret.
      if (!mayHoldLevels(text) && !mayHoldSecret(text) && !hasKnown(text)) return NONE;
      const hits: Hit[] = [];
      const forms: Hit[] = [];
      for (const level of levelsOf(text)) {
        if (hasKnown(level.text)) knownIn(level, hits);
        formsIn(level, forms);
      }
      return forms.length === 0 ? inFullLength(hits) : [...inFullLength(hits), ...forms];
    },
    findKnown,
    numberOf: (number) => numbers.get(number) ?? null,
    named(key, value) {
      let kind = kinds.get(key);
      if (kind === undefined) {
        kind = kindOfKey(key);
        if (kinds.size < MOST_KEYS) kinds.set(key, kind);
      }
      return kind !== null && isNamedSecret(kind, value) ? 'secret' : null;
    },
    begun(text) {
      let most = 0;
      for (const level of levelsOf(text)) {
        for (const one of [level, ...withoutBreaks(level)]) {
          const begun = values.begun(one.text);
          if (begun > 0) most = Math.max(most, text.length - beginOf(one, one.text.length - begun));
        }
      }
      return most;
    },
  };
}

const NONE: readonly Hit[] = [];

function needlesOf(secret: SecretValue): readonly Needle<Meaning>[] {
  return writtenForms(secret.value).map((form) => needleOf(form.text, { ...secret, form }));
}

const MOST_KEYS = 1000;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Sorts the longest value first, so that overlapping hits get its label. */
function inFullLength(hits: readonly Hit[]): readonly Hit[] {
  return hits.length < 2 ? hits : hits.toSorted((a, b) => b.secret.length - a.secret.length);
}

function placeOf(level: Level, start: number, end: number) {
  return { start: beginOf(level, start), end: endOf(level, end - 1) };
}

/** Extends a hit by adjacent base64 characters, which may contain its first and last bits. */
function widened(level: Level, start: number, end: number, most: number): readonly [number, number] {
  const { text } = level;
  // A removed line break ends the run of characters.
  const areTogether = (index: number): boolean => endOf(level, index) === beginOf(level, index + 1);
  let [from, to] = [start, end];
  while (from > start - most && /[\w+/-]/.test(text.charAt(from - 1)) && areTogether(from - 1)) from -= 1;
  while (to < end + most && /[\w+/-]/.test(text.charAt(to)) && areTogether(to - 1)) to += 1;
  while (to < end + most && text.charAt(to) === '=') to += 1;
  return [from, to];
}

function formsIn(level: Level, hits: Hit[]): void {
  if (!mayHoldSecret(level.text)) return;
  for (const { label, pattern, isSecret } of secretForms) {
    for (const match of level.text.matchAll(pattern)) {
      const [all, before = ''] = match;
      const secret = all.slice(before.length);
      if (isSecret?.(secret) === false) continue;
      const start = match.index + before.length;
      hits.push({ ...placeOf(level, start, start + secret.length), label, secret, isKnown: false });
    }
  }
}
