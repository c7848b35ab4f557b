import { looksMade } from './encoded-forms.ts';

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

  function add(environment: Environment): boolean {
    let isNew = false;
    // Of `process.env`, its names and hardly any values: each value is fetched from the system.
    for (const name of Reflect.ownKeys(environment) as string[]) {
      let mayBe = names.get(name);
      if (mayBe === undefined) {
        mayBe = typeof name === 'string' && mayHoldSecret(name);
        if (names.size < MOST_NAMES) names.set(name, mayBe);
      }
      if (!mayBe) continue;
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
      for (const environment of read) isNew = add(environment) || isNew;
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

const MOST_NAMES = 10_000;
const MOST_VALUES = 100;

function mayHoldSecret(name: string): boolean {
  return (SECRET.test(name) || MAYBE.test(name)) && !ABOUT.test(name) && !WORKING_FOLDER.test(name);
}

function isSecret(name: string, value: string): boolean {
  if (/CREDENTIALS?$/i.test(name) && FILE.test(value)) return false;
  return SECRET.test(name) || looksMade(value);
}
