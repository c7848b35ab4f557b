import { looksMade } from './encoded-forms.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A current or former value of a variable. */
export interface SecretValue {
  readonly value: string;
  /** Shown in place of the value. */
  readonly name: string;
}

/** The minimum length of a secret: shorter values occur in unrelated words. */
const SHORTEST_VALUE = 12;

/** Matches the names of variables that hold a secret. */
const SECRET =
  /(?:^|_)(?:API_?KEYS?(?:_\w+)?|(?:ACCESS|ADMIN|AUTH|ENCRYPTION|MASTER|PRIVATE|SECRET|SERVICE|SIGNING|SUBSCRIPTION)_?KEYS?|TOKENS?(?:_\d+)?|AUTH|AUTHORIZATION|CREDENTIALS?|PASSWD|PWD|PASSPHRASE)$|SECRET|PASSWORD/i;
/** Matches the names of variables that describe a secret, such as its file. */
const ABOUT = /(?:^|_)(?:FILE|PATH|DIR|FOLDER|URL|URI|NAME|TYPE|LENGTH)$/i;
/** Matches names that may also refer to a table's or a cache's key. */
const MAYBE = /(?:^|_)KEY$/i;
/** Matches the variables of the working folder. */
const WORKING_FOLDER = /^(?:OLD|INIT_)?_?PWD$/i;
/** Matches paths, because variables for credentials usually contain one. */
const FILE = /^(?:[A-Za-z]:)?[\\/.~]/;

/**
 * The secrets in environments, which may change at any time. Former values stay known, because an agent may repeat a
 * key that has been replaced. Beyond a hundred values, the oldest former values are forgotten.
 */
export interface KnownSecrets {
  /** Reads the environments again. @returns The values, longest first. The same list as before if nothing was added. */
  now(): readonly SecretValue[];
}

export function knownSecrets(environments: () => readonly Environment[]): KnownSecrets {
  const known = new Map<string, SecretValue>();
  const names = new Map<string, boolean>();
  let all: readonly SecretValue[] = [];

  function add(environment: Environment): boolean {
    let isNew = false;
    // Reads only a few values, because `process.env` fetches each value from the system.
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

  /** Forgets the oldest former values, because an agent may fetch a new token every minute. */
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
      // A value that occurs in a marker could never be removed.
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
