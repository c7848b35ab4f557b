import { pageInWords } from '@agent-criteria/calls';
import { CriteriaError } from '@agent-criteria/core';
import { secretMask } from '@agent-criteria/masking';
import { errorOf, type FailureFacts, failureFacts } from './failure-facts.ts';
import { detailsOf, retryAfter } from './retry-after.ts';

/**
 * The reason why a call failed.
 *
 * - `rate-limit`: too many calls or tokens for now. `quota`: the day's or the plan's quota, or the credit, is used up.
 * - `overload`: the service is overloaded. `server`: it failed in another way.
 * - `network`: the connection failed or broke. `timeout`: no answer in time. `unreadable`: an answer that cannot be
 *   read.
 * - `auth`: no key, a wrong key, or one without permission. `not-found`: the model does not exist, or no longer does.
 * - `bad-request`: the request itself was rejected. `aborted`: the caller gave up. `unknown`: anything else.
 */
export type FailureKind =
  | 'rate-limit'
  | 'overload'
  | 'server'
  | 'network'
  | 'timeout'
  | 'unreadable'
  | 'quota'
  | 'auth'
  | 'not-found'
  | 'bad-request'
  | 'aborted'
  | 'unknown';

export interface Failure {
  readonly kind: FailureKind;
  /** Whether a retry may succeed within minutes. */
  readonly retryable: boolean;
  /** The wait that the service requests, in milliseconds. */
  readonly retryAfter?: number | undefined;
  /** The HTTP status. */
  readonly status?: number | undefined;
  /** One line for people, of at most 400 characters, without keys, tokens or HTML. */
  readonly message: string;
}

/** The longest wait, in milliseconds, after which an answer can still be expected in this run. */
export const LONGEST_WAIT = 300_000;
const LONGEST_MESSAGE = 300;

const RETRYABLE: ReadonlySet<FailureKind> = new Set([
  ...(['rate-limit', 'overload', 'server', 'network', 'timeout', 'unreadable'] as const),
]);

const TIMEOUT_CODE = /^(?:ETIMEDOUT|ESOCKETTIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/;
const NETWORK_CODE =
  /^(?:ECONN\w+|EPIPE|EAI_\w+|ENOTFOUND|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EPROTO|UND_ERR_(?:SOCKET|CLOSED|DESTROYED|RESPONSE\w*|HTTP\w*)|HPE_\w+|ERR_STREAM_PREMATURE_CLOSE|ERR_HTTP2_\w+|ConnectionRefused|ConnectionClosed|FailedToOpenSocket)$/;
const CERTIFICATE_CODE =
  /^(?:CERT_\w+|ERR_TLS_\w+|ERR_SSL_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:GET|VERIFY)_\w+)$/;

const NO_SUCH_MODEL =
  /\bmodels?\b.{0,120}?(?:\bnot (?:found|exist|available)\b|\bno longer\b|\bnot a valid model\b|\b(?:been|was|is|are) (?:deprecated|retired|decommissioned|discontinued|removed|shut down)\b)|\b(?:unknown|invalid|no such|non-?existent) model\b|model_not_found|model_decommissioned/i;
const FOR_TODAY = /\bper day\b|\bdaily (?:limit|quota)\b|\b[RT]PD\b/i;
const NO_MONEY =
  /insufficient_quota|insufficient (?:credits?|balance|funds)|credit balance is too low|billing_?(?:not_active|hard_limit)/i;
const WRONG_KEY =
  /API_KEY_INVALID|API[_ ]key (?:not valid|expired|not found)|(?:invalid|incorrect|missing)[_ ]api[_ ]key|invalid_grant|default credentials|api key is missing/i;

/**
 * Classifies the failure of a call; nothing else does. Reads a thrown value by its structure: errors of
 * `@google/genai`, the AI SDK and `fetch`, an `Error` with `status`, `headers` and `body`, and `CriteriaError`s.
 *
 * @param signal The call's signal. It distinguishes an aborted call from one that took too long, because SDKs throw the
 *   same error for both.
 */
export function classifyFailure(error: unknown, signal?: AbortSignal): Failure {
  try {
    return classify(error, signal);
  } catch {
    // Reading a getter or a proxy may throw.
    return { kind: 'unknown', retryable: false, message: 'an unreadable error was thrown' };
  }
}

function classify(error: unknown, signal: AbortSignal | undefined): Failure {
  if (signal?.aborted) return { kind: 'aborted', retryable: false, message: 'the call was cancelled' };
  if (CriteriaError.is(error)) return ofOurs(error);
  const facts = failureFacts(error);
  const wait = retryAfter(facts);
  const kind = kindOf(facts, wait, signal);
  return {
    kind,
    retryable: RETRYABLE.has(kind) && !isFinal(facts) && (wait ?? 0) <= LONGEST_WAIT,
    retryAfter: wait,
    status: facts.status,
    message: describe(kind, facts),
  };
}

/** Classifies a CriteriaError. Errors thrown by this package keep their kind; all others are final. */
function ofOurs(error: CriteriaError): Failure {
  const message = oneLine(error.problems[0]?.message ?? error.message);
  if (error.code === 'TIMEOUT') return { kind: 'timeout', retryable: true, message };
  if (error.code === 'ABORTED') return { kind: 'aborted', retryable: false, message };
  if (error.code === 'MISSING_ENVIRONMENT') return { kind: 'auth', retryable: false, message };
  if (error.code === 'CALL_FAILED' && error.cause !== undefined && error.cause !== error) {
    return { ...classify(error.cause, undefined), message };
  }
  return { kind: 'unknown', retryable: false, message };
}

function kindOf(facts: FailureFacts, wait: number | undefined, signal: AbortSignal | undefined): FailureKind {
  const { status, code = '', names } = facts;
  if (status !== undefined && status >= 300) return kindOfStatus(status, facts, wait);
  if (names.includes('AbortError') || code === 'UND_ERR_ABORTED') {
    // The SDK's own time limit was hit, because the caller's signal has not aborted.
    return signal === undefined && !names.includes('TimeoutError') ? 'aborted' : 'timeout';
  }
  if (TIMEOUT_CODE.test(code) || names.some((name) => /timeout/i.test(name))) return 'timeout';
  if (NETWORK_CODE.test(code) || CERTIFICATE_CODE.test(code)) return 'network';
  if (isBroken(facts)) return 'unreadable';
  const said = [facts.message, ...facts.causes].join(' ');
  if (names.includes('TypeError') && /^(?:fetch failed|terminated|failed to fetch|network ?error)/i.test(facts.message))
    return 'network';
  if (/socket hang up|other side closed|connection error|cannot connect to api/i.test(said)) return 'network';
  if (WRONG_KEY.test(said) || names.includes('AI_LoadAPIKeyError')) return 'auth';
  if (names.includes('AI_NoSuchModelError')) return 'not-found';
  return 'unknown';
}

/**
 * Whether retries are pointless: a certificate stays invalid, and no server on this machine starts on its own. For an
 * unknown status, the client decides.
 */
function isFinal(facts: FailureFacts): boolean {
  const { status, code = '', retryable } = facts;
  if (status === undefined) return CERTIFICATE_CODE.test(code) || isRefusedHere(facts);
  return status === 501 || status === 505 || (retryable === false && !KNOWN.has(status) && status >= 300);
}

function isRefusedHere({ code, address = '' }: FailureFacts): boolean {
  return code === 'ECONNREFUSED' && /^(?:127\.|::1$|::ffff:127\.)/.test(address);
}

const KNOWN: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504, 529]);

const KIND_OF_STATUS: Readonly<Record<number, FailureKind | undefined>> = {
  401: 'auth',
  402: 'quota',
  404: 'not-found',
  407: 'auth',
  408: 'timeout',
  410: 'not-found',
  503: 'overload',
  504: 'overload',
  529: 'overload',
};

function kindOfStatus(status: number, facts: FailureFacts, wait: number | undefined): FailureKind {
  const said = textOf(facts);
  if (status === 429) return isUsedUp(facts, said, wait) ? 'quota' : 'rate-limit';
  const known = KIND_OF_STATUS[status];
  if (known !== undefined) return known;
  if (status === 403) return NO_MONEY.test(said) ? 'quota' : 'auth';
  if (status >= 500) return 'server';
  if (status === 409 || status === 425) return facts.retryable === false ? 'bad-request' : 'server';
  if (WRONG_KEY.test(said)) return 'auth';
  if (NO_MONEY.test(said)) return 'quota';
  return NO_SUCH_MODEL.test(said) ? 'not-found' : 'bad-request';
}

/**
 * Whether a 429 will last longer than a few minutes: a daily quota, no quota at all, no credit, or a very long wait.
 */
function isUsedUp({ body }: FailureFacts, said: string, wait: number | undefined): boolean {
  const violations = detailsOf(body, 'QuotaFailure').flatMap((detail) =>
    Array.isArray(detail.violations) ? (detail.violations as (Record<string, unknown> | null)[]) : [],
  );
  if (violations.some((one) => /PerDay/i.test(String(one?.quotaId)) || String(one?.quotaValue) === '0')) return true;
  return NO_MONEY.test(said) || FOR_TODAY.test(said) || (wait !== undefined && wait > LONGEST_WAIT);
}

/** Whether there is an answer that cannot be read, such as broken JSON or an empty body. */
function isBroken({ names, status, message }: FailureFacts): boolean {
  const broken = ['SyntaxError', 'AI_JSONParseError', 'AI_EmptyResponseBodyError'];
  if (names.some((name) => broken.includes(name))) return true;
  return status !== undefined && status < 300 && /invalid json|parse/i.test(message);
}

/** Returns the text of a server's error: its message, type and code, or the whole body. */
function textOf({ body, message }: FailureFacts): string {
  const error = errorOf(body);
  const text = typeof body === 'string' ? body : undefined;
  const said = [error?.message, error?.type, error?.code, error?.status, error?.error, reasons(body), text ?? message];
  return said
    .filter((one) => typeof one === 'string')
    .join(' ')
    .slice(0, 4000);
}

function reasons(body: unknown): string {
  return detailsOf(body, 'ErrorInfo')
    .map(({ reason }) => String(reason))
    .join(' ');
}

const IN_WORDS: Readonly<Record<FailureKind, string>> = {
  'rate-limit': 'rate limit',
  overload: 'overloaded',
  server: 'server error',
  network: 'no connection',
  timeout: 'no answer in time',
  unreadable: 'an answer that cannot be read',
  quota: 'the quota is used up',
  auth: 'access refused',
  'not-found': 'not found',
  'bad-request': 'request refused',
  aborted: 'the call was cancelled',
  unknown: '',
};

function describe(kind: FailureKind, facts: FailureFacts): string {
  const { status } = facts;
  const http = status !== undefined && status >= 300 ? `HTTP ${status}` : '';
  const what = [IN_WORDS[kind], http === '' ? '' : `(${http})`].filter((part) => part !== '').join(' ');
  const details = detailsSaid(facts);
  const message = [what, details].filter((part) => part !== '').join(': ') || 'an error without a message';
  if (isRefusedHere(facts)) return `${message}: nothing listens there; is the server started?`;
  // --judge-model applies to models only.
  if (kind !== 'not-found' || !/model/i.test(details)) return message;
  return `${message.replace(/\.$/, '')}; if the model is no longer served, name another one with --judge-model`;
}

/** Returns the message from the server or the client, truncated. */
function detailsSaid({ body, message, causes, code }: FailureFacts): string {
  const error = errorOf(body);
  const own = [error?.message, error?.error].find((text) => typeof text === 'string' && text !== '') as
    | string
    | undefined;
  if (own !== undefined) return oneLine(own);
  if (typeof body === 'string') return oneLine(body);
  const cause = causes.at(-1) || code || '';
  const known = cause === '' || message.includes(cause) ? message : [message, cause].filter(Boolean).join(': ');
  return oneLine(known);
}

/** Formats text as one line without secrets. For an HTML page, only the title is used. */
function oneLine(text: string): string {
  const start = text.slice(0, 20_000);
  const plain = /<(?:!doctype|html|head|body)\b/i.test(start) ? pageInWords(start) : start;
  // Masked before it is truncated, because half a key would not be recognised.
  const masked = secretMask({ environment: process.env }).text(plain);
  const safe = masked.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return safe.length > LONGEST_MESSAGE ? `${safe.slice(0, LONGEST_MESSAGE).trimEnd()}…` : safe;
}
