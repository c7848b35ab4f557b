import { isObject, parseJson, stringifyJson } from '../json.ts';
import { type Hit, SHORTEST_TEXT, secretFinder } from './secret-finder.ts';

/** Takes secrets out of what is kept. What it has masked it leaves as it is. */
export interface SecretMask {
  text(text: string): string;
  /** JSON with every text and every key masked; the same value where nothing had to be. */
  json<T>(value: T): T;
}

export interface SecretMaskOptions {
  /** Variables, of which those with the name of a secret are masked by their values. As `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * JSON that anyone who reads the run may read anyway, such as its eval sets. What looks like a secret there is none: a
   * reference and the answer that equals it must stay equal, and two that differ must not become equal. Default: nothing.
   */
  readonly open?: unknown;
}

/**
 * Knows secrets by the variable that holds them, and by their form (`secretForms`). A masked one says what it was, as
 * `[masked: GOOGLE_API_KEY]` or `[masked: bearer token]`, and gives no part of it. JSON inside of texts is looked
 * into, at any depth. Takes time in proportion to the text.
 */
export function secretMask({ environment, open }: SecretMaskOptions): SecretMask {
  const finder = secretFinder(environment);
  let known: ReadonlySet<string> | null = null;
  // Most runs never need to look: there is no secret in them.
  const isOpen = ({ secret }: Hit): boolean => {
    known ??= secretsIn(open, finder.find);
    return known.has(secret);
  };

  function text(given: string): string {
    const found = finder.find(given);
    if (found.length === 0) return given;
    const hits = found.filter((hit) => !isOpen(hit));
    return hits.length === 0 ? given : replaced(given, hits);
  }

  // Every object has the same few keys, and many the same few values: roles, kinds, names.
  const clean = new Set<string>();
  function word(given: string): string {
    if (given.length < SHORTEST_TEXT) return given;
    if (given.length >= LONGEST_WORD) return text(given);
    if (clean.has(given)) return given;
    const masked = text(given);
    if (masked === given && clean.size < MOST_WORDS) clean.add(given);
    return masked;
  }

  function json(value: unknown, key: string, depth: number): unknown {
    if (typeof value === 'string') {
      const label = finder.named(key, value);
      const hit = label === null ? null : { start: 0, end: value.length, label, secret: value };
      return hit !== null && !isOpen(hit) ? marker(hit) : word(value);
    }
    if (typeof value !== 'object' || value === null) return value;
    // The stack would end before the value does.
    if (depth > DEEPEST) return parseJson(text(stringifyJson(value)));
    return Array.isArray(value)
      ? list(value, key, depth + 1)
      : object(value as Readonly<Record<string, unknown>>, depth + 1);
  }

  function list(items: readonly unknown[], key: string, depth: number): unknown {
    let copy: unknown[] | null = null;
    for (let index = 0; index < items.length; index++) {
      const masked = json(items[index], key, depth);
      if (masked === items[index]) continue;
      copy ??= [...items];
      copy[index] = masked;
    }
    return copy ?? items;
  }

  function object(value: Readonly<Record<string, unknown>>, depth: number): unknown {
    // Quicker than a list of the keys, and hardly any object has a secret.
    for (const key in value) {
      const item = value[key];
      const masked = itemOf(value, key, depth);
      if (masked !== item || word(key) !== key) return changed(value, { key, masked }, depth);
    }
    return value;
  }

  /** @param first The first item to be masked: what is in it is not masked again, which would take exponential time. */
  function changed(
    value: Readonly<Record<string, unknown>>,
    first: { readonly key: string; readonly masked: unknown },
    depth: number,
  ): unknown {
    const entries = Object.keys(value).map((key): [string, unknown] => [
      word(key),
      key === first.key ? first.masked : itemOf(value, key, depth),
    ]);
    return Object.fromEntries(withOwnNames(entries));
  }

  function itemOf(around: Readonly<Record<string, unknown>>, key: string, depth: number): unknown {
    return isFileData(around, key) ? around[key] : json(around[key], key, depth);
  }

  return { text, json: <T>(value: T): T => json(value, '', 0) as T };
}

const DEEPEST = 400;
const MOST_WORDS = 1000;
const LONGEST_WORD = 40;

/** All texts in JSON, and the secrets found in them. */
function secretsIn(value: unknown, find: (text: string) => readonly Hit[]): ReadonlySet<string> {
  const found = new Set<string>();
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string') {
      found.add(next);
      for (const { secret } of find(next)) found.add(secret);
    } else if (Array.isArray(next)) for (const item of next) left.push(item);
    else if (isObject(next)) for (const [key, item] of Object.entries(next)) left.push(key, item);
  }
  return found;
}

/** Two keys that are masked alike stay two. */
function withOwnNames(entries: readonly (readonly [string, unknown])[]): [string, unknown][] {
  const counts = new Map<string, number>();
  const taken = new Set(entries.map(([name]) => name));
  return entries.map(([name, value]) => {
    let own = name;
    let count = counts.get(name) ?? 0;
    if (count > 0) {
      do own = `${name} (${++count})`;
      while (taken.has(own));
      taken.add(own);
    }
    counts.set(name, Math.max(count, 1));
    return [own, value];
  });
}

/** Base64 of a picture has every form by chance, if it is long enough. */
function isFileData(around: Readonly<Record<string, unknown>>, key: string): boolean {
  if (key !== 'data') return false;
  const value = around[key];
  if (typeof value !== 'string' || value.length < 1000) return false;
  return ('mimeType' in around || 'mime_type' in around) && /^[A-Za-z0-9+/_-]+=*$/.test(value);
}

function marker({ label }: Pick<Hit, 'label'>): string {
  return `[masked: ${label}]`;
}

/** Overlapping hits become one, under the name of the first that was found. */
function replaced(text: string, hits: readonly Hit[]): string {
  const inOrder = hits.map((hit, rank) => ({ ...hit, rank })).sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: (Hit & { rank: number })[] = [];
  for (const hit of inOrder) {
    const last = merged.at(-1);
    if (last === undefined || hit.start >= last.end) {
      merged.push(hit);
      continue;
    }
    const { label, rank } = hit.rank < last.rank ? hit : last;
    merged[merged.length - 1] = { ...last, end: Math.max(last.end, hit.end), label, rank };
  }
  let masked = '';
  let end = 0;
  for (const hit of merged) {
    masked += text.slice(end, hit.start) + marker(hit);
    end = hit.end;
  }
  return masked + text.slice(end);
}
