import { isObject, parseJson, stringifyJson } from './json.ts';
import type { Environment } from './known-secrets.ts';
import { marker, mergedHits } from './merged-hits.ts';
import { type Hit, SHORTEST_TEXT, secretFinder } from './secret-finder.ts';
import { textOf, withoutSplitSecrets } from './split-secrets.ts';

/**
 * Replaces secrets with markers. Masking is idempotent. `text` and `json` read the environment on each call that could
 * contain a new secret, so that new keys are masked immediately; former values stay known.
 */
export interface SecretMask {
  text(text: string): string;
  /** Masks strings, keys and numbers in JSON, but not files in base64. Returns the same value if nothing is masked. */
  json<T>(value: T): T;
  /**
   * Like `json`, but without reading the environment, which takes longer than masking a short answer. For values
   * derived from masked values.
   */
  derived<T>(value: T): T;
  /**
   * Like `derived`, but masks only values of variables. Used for references, so that those equal to an answer stay
   * equal. Mask the answer first.
   */
  reference<T>(value: T): T;
  /** Returns how many characters at the end of a text may be the beginning of a variable's value. */
  begun(text: string): number;
}

export interface SecretMaskOptions {
  /**
   * Environment variables, such as `process.env`. The values of variables whose name indicates a secret are masked. A
   * function is called on each reading and returns the current environments.
   */
  readonly environment: Environment | (() => readonly Environment[]);
  /**
   * Public JSON, such as eval sets. Strings in it are not masked by their form, so that equal references and answers
   * stay equal and different ones stay different. Values of variables are still masked. Default: none.
   */
  readonly open?: unknown;
}

/** Masks nothing. */
export const noMask: SecretMask = {
  text: (text) => text,
  json: (value) => value,
  derived: (value) => value,
  reference: (value) => value,
  begun: () => 0,
};

/**
 * Creates a mask. Secrets are recognised by the variable that contains them, or by their form (`secretForms`), even in
 * JSON nested in strings. A marker names the secret, such as `[masked: GOOGLE_API_KEY]` or `[masked: bearer token]`,
 * and contains no part of it. Takes linear time.
 */
export function secretMask({ environment, open }: SecretMaskOptions): SecretMask {
  const finder = secretFinder(typeof environment === 'function' ? environment : () => [environment]);
  let inOpen: ReadonlySet<string> | null = null;
  // Computed on the first hit, because most runs contain no secret.
  const isSecret = ({ secret, isKnown }: Hit): boolean => {
    if (isKnown) return true;
    inOpen ??= secretsIn(open, finder.find);
    return !inOpen.has(secret);
  };
  const all = masking({
    find(text) {
      const hits = finder.find(text);
      return hits.length === 0 ? hits : hits.filter(isSecret);
    },
    named(key, value) {
      const label = finder.named(key, value);
      return label !== null && isSecret({ start: 0, end: 0, label, secret: value, isKnown: false }) ? label : null;
    },
    numberOf: (number) => finder.numberOf(number)?.name ?? null,
  });
  const known = masking({
    find: finder.findKnown,
    named: () => null,
    numberOf: (number) => finder.numberOf(number)?.name ?? null,
  });
  const renew = (): void => {
    if (!finder.renew()) return;
    all.forget();
    known.forget();
  };
  return {
    text(text) {
      renew();
      return all.text(text);
    },
    json(value) {
      if (!all.isClean(value)) renew();
      return all.json(value);
    },
    derived: (value) => all.json(value),
    reference: (value) => known.json(value),
    begun(text) {
      renew();
      return finder.begun(text);
    },
  };
}

interface Secrets {
  find(text: string): readonly Hit[];
  named(key: string, value: string): string | null;
  numberOf(number: number): string | null;
}

/** Creates functions that mask strings and JSON. */
function masking({ find, named, numberOf }: Secrets) {
  function text(given: string): string {
    const hits = find(given);
    return hits.length === 0 ? given : replaced(given, hits);
  }

  // Caches short strings without secrets, because keys, roles and names recur.
  const clean = new Set<string>();
  // The latest long ones, because the samples of a judge have one prompt, and a prompt is stored several times.
  const recent = new Set<string>();
  function word(given: string): string {
    if (given.length < SHORTEST_TEXT || clean.has(given) || recent.has(given)) return given;
    const masked = text(given);
    if (masked === given) remember(given);
    return masked;
  }

  function remember(given: string): void {
    if (given.length < LONGEST_WORD) {
      if (clean.size < MOST_WORDS) clean.add(given);
    } else if (given.length < LONGEST_RECENT) {
      recent.add(given);
      const [oldest] = recent;
      if (recent.size > MOST_RECENT && oldest !== undefined) recent.delete(oldest);
    }
  }

  function forget(): void {
    clean.clear();
    recent.clear();
  }

  function json(value: unknown, key: string, depth: number): unknown {
    if (typeof value === 'string') {
      // A variable's name takes precedence over the key.
      const masked = word(value);
      const label = masked === value ? named(key, value) : null;
      return label === null ? masked : marker({ label });
    }
    if (typeof value === 'number') {
      const label = numberOf(value);
      return label === null ? value : marker({ label });
    }
    if (typeof value !== 'object' || value === null) return value;
    // Prevents a stack overflow.
    if (depth > DEEPEST) return deep(value);
    return Array.isArray(value)
      ? list(value, key, depth + 1)
      : object(value as Readonly<Record<string, unknown>>, depth + 1);
  }

  function deep(value: object): unknown {
    const masked = text(stringifyJson(value));
    try {
      return parseJson(masked);
    } catch {
      // A masked number is not valid JSON.
      return masked;
    }
  }

  function list(given: readonly unknown[], key: string, depth: number): unknown {
    const items = withoutSplitSecrets(given, find);
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
    // Faster than Object.keys; few objects contain a secret.
    for (const key in value) {
      const item = value[key];
      const masked = itemOf(value, key, depth);
      if (masked !== item || word(key) !== key) return changed(value, { key, masked }, depth);
    }
    return value;
  }

  /**
   * @param first The first masked item, which is reused, because masking it again at every level would take exponential
   * time.
   */
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

  return { text, json: <T>(value: T): T => json(value, '', 0) as T, isClean, forget };

  /**
   * Whether a value holds only strings that are short or already known to contain no secrets, as most scores do. If so,
   * the environment, which takes longer to read than the value, cannot change the result.
   */
  function isClean(value: unknown, depth = 0): boolean {
    if (typeof value === 'string') return value.length < SHORTEST_TEXT || clean.has(value) || recent.has(value);
    if (typeof value === 'number') return Math.abs(value) < SHORTEST_NUMBER;
    if (typeof value !== 'object' || value === null) return true;
    if (depth > DEEPEST) return false;
    // Adjacent list items may be pieces of one secret.
    if (Array.isArray(value)) {
      return value.every((item) => (value.length < 2 || textOf(item) === null) && isClean(item, depth + 1));
    }
    for (const key in value) {
      if (!isClean(key) || !isClean((value as Readonly<Record<string, unknown>>)[key], depth + 1)) return false;
    }
    return true;
  }
}

const DEEPEST = 400;
/**
 * The smallest number that may be a secret: smaller numbers have fewer digits than the shortest value that is masked.
 */
const SHORTEST_NUMBER = 1e10;
const MOST_WORDS = 1000;
const LONGEST_WORD = 40;
const MOST_RECENT = 64;
const LONGEST_RECENT = 50_000;

/** Collects all strings in JSON, and the secrets in them. */
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

/** Numbers keys that masking made equal. */
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

/** Whether a value is a file's base64 data, which matches most forms by chance. */
function isFileData(around: Readonly<Record<string, unknown>>, key: string): boolean {
  if (key !== 'data') return false;
  const value = around[key];
  if (typeof value !== 'string' || value.length < 1000) return false;
  return ('mimeType' in around || 'mime_type' in around) && /^[A-Za-z0-9+/_-]+=*$/.test(value);
}

function replaced(text: string, hits: readonly Hit[]): string {
  let masked = '';
  let end = 0;
  for (const hit of mergedHits(hits)) {
    masked += text.slice(end, hit.start) + marker(hit);
    end = hit.end;
  }
  return masked + text.slice(end);
}
