import { isNamedSecret, mayHoldSecret, secretForms } from './secret-forms.ts';
import { secretValues } from './secret-values.ts';
import { unescaped } from './unescape.ts';

/** A secret in a text. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  /** What it is, never a part of it. */
  readonly label: string;
  /** The secret itself, as it is found everywhere. */
  readonly secret: string;
}

export interface SecretFinder {
  /** In a text, and in JSON inside it; values of variables come first. They may overlap. */
  find(text: string): readonly Hit[];
  /** The label of a value that its key makes a secret, as `x-api-key` does. */
  named(key: string, value: string): string | null;
}

type Found = (start: number, end: number, label: string, secret: string) => void;

/** The shortest text with a secret: `://:x@`. */
export const SHORTEST_TEXT = 6;

export function secretFinder(environment: Readonly<Record<string, string | undefined>>): SecretFinder {
  const values = secretValues(environment);

  function valuesIn(text: string, found: Found): void {
    for (const { value, name } of values) {
      for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) {
        found(at, at + value.length, name, value);
      }
    }
  }

  return {
    find(text) {
      if (text.length < SHORTEST_TEXT) return NONE;
      // Each level of escapes is undone in turn: a tool may answer with JSON that holds JSON.
      let level = text.includes('\\') ? unescaped({ text, at: null }) : null;
      // Hardly any text goes further.
      if (level === null && !mayHoldSecret(text) && !values.some(({ value }) => text.includes(value))) return NONE;
      const hits: Hit[] = [];
      const forms: Hit[] = [];
      search(text, valuesIn, hits);
      search(text, formsIn, forms);
      while (level !== null) {
        search(level.text, valuesIn, hits, level.at);
        search(level.text, formsIn, forms, level.at);
        level = unescaped(level);
      }
      for (const hit of forms) hits.push(hit);
      return hits;
    },
    named: (key, value) => (isNamedSecret(key, value) ? 'secret' : null),
  };
}

const NONE: readonly Hit[] = [];

/** @param at Where each character was before escapes were undone. */
function search(text: string, look: (text: string, found: Found) => void, hits: Hit[], at?: Uint32Array | null): void {
  look(text, (start, end, label, secret) => {
    hits.push({ start: at?.[start] ?? start, end: at?.[end] ?? end, label, secret });
  });
}

function formsIn(text: string, found: Found): void {
  if (!mayHoldSecret(text)) return;
  for (const { label, pattern, isSecret } of secretForms) {
    for (const match of text.matchAll(pattern)) {
      const [all, before = ''] = match;
      const secret = all.slice(before.length);
      if (isSecret?.(secret) === false) continue;
      const start = match.index + before.length;
      found(start, start + secret.length, label, secret);
    }
  }
}
