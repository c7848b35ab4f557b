import { isObject, type Json, type State } from '@agent-criteria/formats';

/** Of a key in either spelling, its last word. */
const SECRET_NAME =
  /(?:^|_)(?:key|apikeys?|api_keys|token|secrets?|passwords?|passwd|passphrase|auth|authorization|credentials?|cookies?)$/i;
/** Keys by which caches and retries know the same request again. */
const NO_SECRET = /(?:^|_)(?:cache|idempotency|public)_key$/i;
const SECRET_VALUE = /^\s*(?:bearer|basic)\s/i;
const HEADERS = /(?:^|_)headers$/i;
const HTTP_OPTIONS: ReadonlySet<string> = new Set(['http_options', 'httpOptions']);

/**
 * The settings of a model as they may be kept and shown: without the headers that it is called with, which decide no answer, and
 * without secrets, at any depth.
 */
export function keptSettings(settings: State): State {
  const kept = withoutSecrets(settings, OUTSIDE) as State;
  return Object.fromEntries(
    Object.entries(kept).flatMap(([name, value]): [string, Json | undefined][] => {
      if (isHeaders(name)) return [];
      if (!HTTP_OPTIONS.has(name) || !isObject(value)) return [[name, value]];
      const others = Object.entries(value as State).filter(([inner]) => !isHeaders(inner));
      return others.length === 0 ? [] : [[name, Object.fromEntries(others)]];
    }),
  );
}

/** The places of secrets among the settings of a model, as `http_options.headers.Authorization`. */
export function secretSettings(settings: State): readonly string[] {
  const found: string[] = [];
  look(settings, OUTSIDE, [], (path) => found.push(path.join('.')));
  return found;
}

/** Of what surrounds a value: whether it is a secret whatever it is called, and whether it is a header. */
interface Around {
  readonly isSecret: boolean;
  readonly areHeaders: boolean;
  /** The keys of `properties` in a JSON schema are names of what is asked for. */
  readonly areProperties: boolean;
}

const OUTSIDE: Around = { isSecret: false, areHeaders: false, areProperties: false };

function inside(name: string, value: unknown, around: Around): Around {
  const words = wordsOf(name);
  const isNamed = SECRET_NAME.test(words) && !NO_SECRET.test(words);
  return {
    isSecret: around.isSecret || (isNamed && !(around.areProperties && isObject(value))),
    areHeaders: around.areHeaders || HEADERS.test(words),
    areProperties: name === 'properties',
  };
}

function isSecret(value: unknown, around: Around): boolean {
  return typeof value === 'string' && (around.isSecret || (around.areHeaders && SECRET_VALUE.test(value)));
}

function look(value: unknown, around: Around, path: readonly string[], tell: (path: readonly string[]) => void): void {
  if (isSecret(value, around)) tell(path);
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) look(item, around, [...path, `${index}`], tell);
  else if (isObject(value))
    for (const [name, item] of Object.entries(value)) look(item, inside(name, item, around), [...path, name], tell);
}

function withoutSecrets(value: unknown, around: Around): Json | undefined {
  if (isSecret(value, around)) return undefined;
  if (Array.isArray(value)) return value.flatMap((item) => withoutSecrets(item, around) ?? []);
  if (!isObject(value)) return value as Json;
  const kept = Object.entries(value).flatMap(([name, item]) => {
    const left = withoutSecrets(item, inside(name, item, around));
    return left === undefined ? [] : [[name, left] as const];
  });
  return Object.fromEntries(kept);
}

/** `apiKey`, `api-key` and `api_key` are the same words. */
function wordsOf(name: string): string {
  return name.replace(/([a-z\d])([A-Z])/g, '$1_$2').replaceAll('-', '_');
}

function isHeaders(name: string): boolean {
  return HEADERS.test(wordsOf(name));
}
