import { looksMade } from './looks-made.ts';

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A secret that a variable holds, or has held. */
export interface SecretValue {
  readonly value: string;
  /** Shown in place of the value. */
  readonly name: string;
}

/** A shorter value occurs in unrelated words. */
const SHORTEST_VALUE = 12;

/** Names of variables that hold a secret. */
const SECRET =
  /(?:^|_)(?:API_?KEYS?(?:_\w+)?|(?:ACCESS|ADMIN|AUTH|ENCRYPTION|MASTER|PRIVATE|SECRET|SERVICE|SIGNING|SUBSCRIPTION)_?KEYS?|TOKENS?(?:_\d+)?|AUTH|AUTHORIZATION|CREDENTIALS?|PASSWD|PWD|PASSPHRASE)$|SECRET|PASSWORD/i;
/** Names of what is about a secret: where it is, or how it is called. */
const ABOUT = /(?:^|_)(?:FILE|PATH|DIR|FOLDER|URL|URI|NAME|TYPE|LENGTH)$/i;
/** A key may be one of a table or of a cache, too. */
const MAYBE = /(?:^|_)KEY$/i;
/** The working folder. */
const WORKING_FOLDER = /^(?:OLD|INIT_)?_?PWD$/i;
/** Credentials are a file more often than not. */
const FILE = /^(?:[A-Za-z]:)?[\\/.~]/;

/**
 * The secrets of environments that may change at any time, as `process.env` does while an agent fetches its keys. A value that was
 * seen once stays known: an agent may still repeat a key that it has replaced or removed. Of more than a hundred, the oldest are forgotten.
 */
export interface KnownSecrets {
  /** Reads the environments again. @returns The same list as before where nothing was added; the longest value first. */
  now(): readonly SecretValue[];
}

export function knownSecrets(environments: () => readonly Environment[]): KnownSecrets {
  const known = new Map<string, SecretValue>();
  const names = new Map<string, boolean>();
  let all: readonly SecretValue[] = [];
  /** What each environment was when it was read last. */
  let seen: readonly Reading[] = [];

  function maybe(name: string): boolean {
    let mayBe = names.get(name);
    if (mayBe === undefined) {
      mayBe = typeof name === 'string' && mayHoldSecret(name);
      if (names.size < MOST_NAMES) names.set(name, mayBe);
    }
    return mayBe;
  }

  function add(environment: Environment, own: readonly string[]): boolean {
    let isNew = false;
    for (const name of own) {
      if (!maybe(name)) continue;
      const value = environment[name]?.trim() ?? '';
      if (value.length < SHORTEST_VALUE || known.has(value) || !isSecret(name, value)) continue;
      known.set(value, { value, name: /^[\w.-]{1,80}$/.test(name) ? name : 'secret' });
      isNew = true;
    }
    return isNew;
  }

  /** Those that no variable holds any more, the oldest first: an agent may fetch a new token every minute. */
  function forgetOldest(now: readonly Environment[]): void {
    if (known.size <= MOST_VALUES) return;
    const held = new Set(now.flatMap((environment) => Object.values(environment).map((value) => value?.trim())));
    for (const value of known.keys()) {
      if (known.size <= MOST_VALUES) return;
      if (!held.has(value)) known.delete(value);
    }
  }

  return {
    now() {
      let isNew = false;
      const read = environments();
      let readings: Reading[] | null = null;
      for (let at = 0; at < read.length; at++) {
        const environment = read[at] as Environment;
        // Of `process.env`, its names and hardly any values: each value is fetched from the system.
        const own = Reflect.ownKeys(environment) as string[];
        const before = seen[at];
        if (before !== undefined && isUnchanged(environment, own, before)) continue;
        isNew = add(environment, own) || isNew;
        readings ??= [...seen];
        readings[at] = { names: own, held: own.filter(maybe).map((name) => [name, environment[name]]) };
      }
      if (readings !== null) seen = readings;
      if (!isNew) return all;
      forgetOldest(read);
      // A value that a mask contains could never be taken out.
      const masks = [...known.values()].map(({ name }) => `[masked: ${name}]`).join('\n');
      all = [...known.values()]
        .filter(({ value }) => !masks.includes(value))
        .sort((a, b) => b.value.length - a.value.length);
      return all;
    },
  };
}

/** An environment at one time: all names in it, and the values of those that may hold a secret. */
interface Reading {
  readonly names: readonly string[];
  readonly held: readonly (readonly [name: string, value: string | undefined])[];
}

/** Much less work than looking at each name again: most of the time nothing was set. */
function isUnchanged(environment: Environment, names: readonly string[], { names: before, held }: Reading): boolean {
  if (names.length !== before.length) return false;
  for (let at = 0; at < names.length; at++) if (names[at] !== before[at]) return false;
  for (const [name, value] of held) if (environment[name] !== value) return false;
  return true;
}

const MOST_NAMES = 10_000;
const MOST_VALUES = 100;

function mayHoldSecret(name: string): boolean {
  return (SECRET.test(name) || MAYBE.test(name)) && !ABOUT.test(name) && !WORKING_FOLDER.test(name);
}

function isSecret(name: string, value: string): boolean {
  if (/CREDENTIALS?$/i.test(name) && FILE.test(value)) return false;
  return SECRET.test(name) || looksMade(value);
}
