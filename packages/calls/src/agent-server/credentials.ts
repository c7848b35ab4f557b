import { CriteriaError } from '@agent-criteria/core';
import { type SecretMask, secretMask } from '@agent-criteria/masking';

const TOKEN = 'AGENT_CRITERIA_AGENT_TOKEN';
const HEADERS = 'AGENT_CRITERIA_AGENT_HEADERS';

/** Sign-in instructions for use in messages. */
export const howToSignIn = `set ${TOKEN} to a bearer token, or ${HEADERS} to a JSON object of headers`;

/** Settings of an agent behind a URL that may be secret. */
export interface CredentialSettings {
  /**
   * The token to send as `Authorization: Bearer …`, or a function that is called before every request, for tokens that
   * expire. Default: the environment variable `AGENT_CRITERIA_AGENT_TOKEN`.
   */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /**
   * Headers sent with every request. They override those from the environment variable `AGENT_CRITERIA_AGENT_HEADERS`,
   * a JSON object of strings.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Headers sent with every request. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Masks the header values, which a server may echo, and other known secrets. Masking happens here because errors are
   * truncated before a run masks them, and half a key would not be recognised.
   */
  hide(text: string): string;
}

/**
 * Merges the headers from the environment with those from the settings, which take precedence, and adds the bearer
 * token unless there is an `authorization` header.
 *
 * @throws CriteriaError INVALID_CONFIG, naming the header or the variable but never a value.
 */
export async function credentialsFrom(
  settings: CredentialSettings,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Credentials> {
  const headers = checkHeaders(settings, environment);
  const { token = environment[TOKEN] } = settings;
  const given = typeof token === 'function' ? await token() : token;
  if (given && headers.authorization === undefined) {
    headers.authorization = checkedValue(
      'authorization',
      `Bearer ${given}`,
      given === environment[TOKEN] ? TOKEN : 'token',
    );
  }
  return hidingCredentials(headers, environment);
}

/** Adds the masking of headers and of other known secrets to headers. */
export async function hidingCredentials(
  headers: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Credentials> {
  const { hiding } = await import('../http.ts');
  const hideHeaders = hiding(Object.values(headers));
  let mask: SecretMask | undefined;
  return {
    headers,
    hide(text) {
      mask ??= secretMask({ environment: () => [environment, process.env] });
      return mask.text(hideHeaders(text));
    },
  };
}

/**
 * Merges the headers from the environment with those from the settings, which take precedence.
 *
 * @throws CriteriaError INVALID_CONFIG, as `credentialsFrom` does.
 */
export function checkHeaders(
  settings: Pick<CredentialSettings, 'headers'>,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  addHeaders(headers, HEADERS, headersOf(environment[HEADERS]));
  addHeaders(headers, 'the settings', settings.headers ?? {});
  return headers;
}

/** Adds headers, with names in lower case. @throws CriteriaError INVALID_CONFIG without a value. */
export function addHeaders(
  headers: Record<string, string>,
  from: string,
  given: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(given)) headers[checkedName(name, from)] = checkedValue(name, value, from);
}

function headersOf(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined || text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Omits the parser's message, which quotes the text.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw wrong(`${HEADERS} must be a JSON object of headers, as {"x-api-key":"…"}`);
}

/** Loads `node:http` only if there is a header to check, because loading it takes longer than all other work here. */
function nodeHttp(): typeof import('node:http') {
  return process.getBuiltinModule('node:http');
}

function checkedName(name: string, from: string): string {
  try {
    nodeHttp().validateHeaderName(name);
  } catch {
    throw wrong(`${from}: "${name}" is not a valid header name`);
  }
  return name.toLowerCase();
}

function checkedValue(name: string, value: unknown, from: string): string {
  if (typeof value !== 'string') throw wrong(`${from}: the header "${name}" must be a string`);
  const trimmed = value.trim();
  try {
    nodeHttp().validateHeaderValue(name, trimmed);
  } catch {
    throw wrong(`${from}: the value of the header "${name}" contains characters that are not allowed in a header`);
  }
  return trimmed;
}

function wrong(message: string): CriteriaError {
  return new CriteriaError({ code: 'INVALID_CONFIG', message });
}
