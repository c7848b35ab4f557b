import { looksMade } from './looks-made.ts';

/** A secret that a variable holds. */
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

/** What variables hold that only the agent may know; the longest first. */
export function secretValues(environment: Readonly<Record<string, string | undefined>>): readonly SecretValue[] {
  const found = Object.entries(environment).flatMap(([name, given = '']): readonly SecretValue[] => {
    const value = given.trim();
    if (value.length < SHORTEST_VALUE || !isSecret(name, value)) return [];
    return [{ value, name: /^[\w.-]{1,80}$/.test(name) ? name : 'secret' }];
  });
  // A value that a mask contains could never be taken out.
  const masks = found.map(({ name }) => `[masked: ${name}]`).join('\n');
  return found.filter(({ value }) => !masks.includes(value)).sort((a, b) => b.value.length - a.value.length);
}

function isSecret(name: string, value: string): boolean {
  if (ABOUT.test(name) || WORKING_FOLDER.test(name)) return false;
  if (/CREDENTIALS?$/i.test(name) && FILE.test(value)) return false;
  return SECRET.test(name) || (MAYBE.test(name) && looksMade(value));
}
