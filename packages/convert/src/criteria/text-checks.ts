import type { Json } from '@agent-criteria/core';
import type { Options } from './case-criteria.ts';
import { literalPattern, wholePattern } from './literal-pattern.ts';

/** Collects checks on the text of an answer, and writes them as the options of `response_checks`. */
export interface TextChecks {
  contains(text: string, ignoreCase: boolean): void;
  containsAny(texts: readonly string[], ignoreCase: boolean): void;
  excludes(text: string, ignoreCase: boolean): void;
  equals(text: string): void;
  matches(pattern: string): void;
  matchesNone(pattern: string): void;
  words(limits: { readonly min?: number | undefined; readonly max?: number | undefined }): void;
  json(): void;
  schema(schema: Options): void;
  /** Returns the options, or `null` if there is no check. */
  options(): Options | null;
}

interface Part {
  readonly kind: 'contains' | 'excludes' | 'any';
  readonly texts: readonly string[];
  readonly ignoreCase: boolean;
}

export function openTextChecks(): TextChecks {
  const parts: Part[] = [];
  const equals: string[] = [];
  const matches: string[] = [];
  const matchesNone: string[] = [];
  const schemas: Options[] = [];
  let isJson = false;
  let least: number | undefined;
  let most: number | undefined;
  return {
    contains: (text, ignoreCase) => void parts.push({ kind: 'contains', texts: [text], ignoreCase }),
    containsAny: (texts, ignoreCase) => void parts.push({ kind: 'any', texts, ignoreCase }),
    excludes: (text, ignoreCase) => void parts.push({ kind: 'excludes', texts: [text], ignoreCase }),
    equals: (text) => void equals.push(text),
    matches: (pattern) => void matches.push(pattern),
    matchesNone: (pattern) => void matchesNone.push(pattern),
    words({ min, max }) {
      if (min !== undefined) least = Math.max(least ?? 0, min);
      if (max !== undefined) most = Math.min(most ?? max, max);
    },
    json() {
      isJson = true;
    },
    schema: (schema) => void schemas.push(schema),
    options,
  };

  function options(): Options | null {
    // One option says for all texts whether case counts, so texts for which it does not become patterns beside the others.
    const isFolded = parts.length > 0 && equals.length === 0 && parts.every(({ ignoreCase }) => ignoreCase);
    const all = { contains: new Set<string>(), excludes: new Set<string>(), any: null as readonly string[] | null };
    const [found, none] = [new Set(matches), new Set(matchesNone)];
    for (const { kind, texts, ignoreCase } of parts) {
      const asPattern = ignoreCase !== isFolded || (kind === 'any' && all.any !== null);
      if (asPattern) (kind === 'excludes' ? none : found).add(anyPattern(texts, ignoreCase));
      else if (kind === 'any') all.any = texts;
      else for (const text of texts) all[kind].add(text);
    }
    const [first, ...others] = [...new Set(equals)];
    for (const text of others) found.add(wholePattern(text));
    const written: [string, Json | undefined][] = [
      ['contains', listOf(all.contains)],
      ['contains_any', all.any === null ? undefined : [...all.any]],
      ['excludes', listOf(all.excludes)],
      ['equals', first],
      ['ignore_case', isFolded ? true : undefined],
      ['matches', listOf(found)],
      ['matches_none', listOf(none)],
      ['min_words', least],
      ['max_words', most],
      ['json', isJson ? true : undefined],
      ['json_schema', schemas.length > 1 ? { allOf: schemas } : schemas[0]],
    ];
    const set = written.filter((entry): entry is [string, Json] => entry[1] !== undefined);
    return set.length === 0 ? null : Object.fromEntries(set);
  }
}

function anyPattern(texts: readonly string[], ignoreCase: boolean): string {
  const all = texts.map(literalPattern);
  return `${ignoreCase ? '(?i)' : ''}${all.length === 1 ? all[0] : `(?:${all.join('|')})`}`;
}

function listOf(texts: ReadonlySet<string>): Json | undefined {
  return texts.size === 0 ? undefined : [...texts];
}
