import { isObject, parseJson, stringifyJson } from './json.ts';
import type { Environment } from './known-secrets.ts';
import { marker, mergedHits } from './merged-hits.ts';
import { type Hit, SHORTEST_TEXT, secretFinder } from './secret-finder.ts';
import { withoutSplitSecrets } from './split-secrets.ts';

/**
 * Takes secrets out of what is kept. What it has masked it leaves as it is. `text` and `json` read the environment again, so that
 * they know a key that was set a moment ago; a value that was seen once stays known.
 */
export interface SecretMask {
  text(text: string): string;
  /** JSON with every text, every key and every number masked; the same value where nothing had to be. */
  json<T>(value: T): T;
  /**
   * As `json`, with the secrets that are known already: of what was made from masked values by code that sets no variables. To read
   * all names of an environment takes longer than to mask a short answer.
   */
  derived<T>(value: T): T;
  /**
   * JSON of an eval set: only values of variables are masked there, as they are in answers, so that a reference and an answer
   * that were equal stay equal. Knows what the answer was masked with, which comes first.
   */
  reference<T>(value: T): T;
  /** How many characters at the end of a text may be the beginning of a value that goes on. */
  begun(text: string): number;
}

export interface SecretMaskOptions {
  /**
   * Variables, of which those with the name of a secret are masked by their values. As `process.env`. A function, which is called
   * each time, gives all environments that there are by then.
   */
  readonly environment: Environment | (() => readonly Environment[]);
  /**
   * JSON that anyone who reads the run may read anyway, such as its eval sets. What has the form of a secret there is none: a
   * reference and the answer that equals it must stay equal, and two that differ must not become equal. The value of a variable
   * is a secret all the same. Default: nothing.
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
 * Knows secrets by the variable that holds them, and by their form (`secretForms`). A masked one says what it was, as
 * `[masked: GOOGLE_API_KEY]` or `[masked: bearer token]`, and gives no part of it. JSON inside of texts is looked
 * into, at any depth. Takes time in proportion to the text.
 */
export function secretMask({ environment, open }: SecretMaskOptions): SecretMask {
  const finder = secretFinder(typeof environment === 'function' ? environment : () => [environment]);
  let inOpen: ReadonlySet<string> | null = null;
  // Most runs never need to look: there is no secret in them.
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
      renew();
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

/** Replaces what is found, in texts and in JSON. */
function masking({ find, named, numberOf }: Secrets) {
  function text(given: string): string {
    const hits = find(given);
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
      // The value of a variable has its name, whatever key it is under.
      const masked = word(value);
      const label = masked === value ? named(key, value) : null;
      return label === null ? masked : marker({ label });
    }
    if (typeof value === 'number') {
      const label = numberOf(value);
      return label === null ? value : marker({ label });
    }
    if (typeof value !== 'object' || value === null) return value;
    // The stack would end before the value does.
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
      // A number was masked, which leaves no JSON.
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

  return { text, json: <T>(value: T): T => json(value, '', 0) as T, forget: () => clean.clear() };
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

function replaced(text: string, hits: readonly Hit[]): string {
  let masked = '';
  let end = 0;
  for (const hit of mergedHits(hits)) {
    masked += text.slice(end, hit.start) + marker(hit);
    end = hit.end;
  }
  return masked + text.slice(end);
}
