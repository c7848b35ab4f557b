import { isObject, type Json, type State } from '@agent-criteria/formats';

/** Matches keys whose last word names a secret. */
const SECRET_NAME =
  /(?:^|_)(?:key|apikeys?|api_keys|token|secrets?|passwords?|passwd|passphrase|auth|authorization|credentials?|cookies?)$/i;
/** Keys that identify a request to a cache or a retry. */
const NO_SECRET = /(?:^|_)(?:cache|idempotency|public)_key$/i;
const SECRET_VALUE = /^\s*(?:bearer|basic)\s/i;
const HEADERS = /(?:^|_)headers$/i;
const HTTP_OPTIONS: ReadonlySet<string> = new Set(['http_options', 'httpOptions']);

/**
 * Returns the settings of a model that may be stored and shown: without HTTP headers, which do not affect answers, and
 * without secrets at any depth.
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

/** Lists the paths of secrets in a model's settings, such as `http_options.headers.Authorization`. */
export function secretSettings(settings: State): readonly string[] {
  const found: string[] = [];
  collect(settings, OUTSIDE, [], (path) => found.push(path.join('.')));
  return found;
}

/** The context of a value. */
interface Around {
  /** Whether an enclosing key names a secret, so that every string inside it is one. */
  readonly isSecret: boolean;
  readonly areHeaders: boolean;
  /**
   * Whether the value is the `properties` of a JSON Schema, whose keys are property names rather than names of secrets.
   */
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

function collect(
  value: unknown,
  around: Around,
  path: readonly string[],
  report: (path: readonly string[]) => void,
): void {
  if (isSecret(value, around)) report(path);
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) collect(item, around, [...path, `${index}`], report);
  else if (isObject(value))
    for (const [name, item] of Object.entries(value))
      collect(item, inside(name, item, around), [...path, name], report);
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

/** Normalises `apiKey` and `api-key` to `api_Key` and `api_key`. */
function wordsOf(name: string): string {
  return name.replace(/([a-z\d])([A-Z])/g, '$1_$2').replaceAll('-', '_');
}

function isHeaders(name: string): boolean {
  return HEADERS.test(wordsOf(name));
}
