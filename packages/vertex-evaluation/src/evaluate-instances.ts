import {
  CriteriaError,
  isCallSkipped,
  type Json,
  type ModelAccess,
  type Range,
  type ServiceRetries,
  type Tools,
} from '@agent-criteria/core';
import { adviceFor } from './advice.ts';
import { type Connection, connectionOf, type Environment } from './connection.ts';
import { type MetricResult, readMetricResult, scoreOf } from './metric-result.ts';
import type { EvaluationServiceOptions } from './options.ts';
import {
  apiKeyTransport,
  clientTransport,
  type EvaluationTransport,
  givenAnswer,
  SERVICE_FAILURE,
} from './transport.ts';

/** The service's name in limits, recordings, prices and reports. */
export const EVALUATION_SERVICE = 'vertex-evaluation';

/** The retries of Google's Python SDK: five attempts, after 1, 2, 4 and 8 seconds plus a random part of a second. */
export const evaluationRetries: ServiceRetries = {
  statuses: [408, 409, 429, 499, 500, 502, 503, 504],
  maxRetries: 4,
  delay: (failed) => (2 ** (failed - 1) + Math.random()) * 1000,
};

const ANY: Range = { min: Number.NEGATIVE_INFINITY, max: null, better: 'higher' };

/** Options of a request to the service. */
export interface EvaluateInstancesOptions {
  readonly options: EvaluationServiceOptions;
  /** The range of scores that the criterion accepts. Answers with other scores are not cached. Default: any score. */
  readonly range?: Range | undefined;
  /** The transport. Default: chosen according to options and environment. */
  readonly transport?: EvaluationTransport | undefined;
  /**
   * The body to send, if it contains ids that change from run to run. Caches and recordings use the request instead.
   * Default: the request.
   */
  readonly body?: Json | undefined;
}

/**
 * Requests one metric from the service through `tools.call`, under the run's cache, recordings, limits, budget and
 * retries.
 *
 * @throws CriteriaError CALL_FAILED with advice, or MISSING_ENVIRONMENT; the tools' errors for a skipped call; the
 * signal's reason.
 */
export async function evaluateInstances(
  tools: Tools,
  request: Json,
  how: EvaluateInstancesOptions,
): Promise<MetricResult> {
  const { options, transport, body, range = ANY } = how;
  const { requestsPerSecond } = options;
  const isCoherence = typeof request === 'object' && request !== null && 'coherenceInput' in request;
  const read = (answer: Json) => readMetricResult(answer, isCoherence ? 'coherenceResult' : 'metricResults');
  let connection: Connection | null = null;
  try {
    const { answer } = await tools.call<Json, Json>(
      {
        service: EVALUATION_SERVICE,
        request,
        requestsPerSecond,
        retries: evaluationRetries,
        endpoint: endpointOf(how),
        isCacheable: (given) => !('missing' in scoreOf(read(given), range)),
      },
      async (asked, signal) => {
        const sent = body ?? asked;
        if (transport !== undefined) return givenAnswer(await transport(sent, signal));
        // Checked here rather than above, because a recorded answer needs no credentials.
        const found = connectionOf(options, process.env);
        if (found.connection === null) throw new CriteriaError(found.access.problems);
        connection = found.connection;
        return (await transportOf(connection)(sent, signal)) as Json;
      },
    );
    return read(answer);
  } catch (error) {
    tools.signal.throwIfAborted();
    if (isCallSkipped(error) || (CriteriaError.is(error) && error.code === 'MISSING_ENVIRONMENT')) throw error;
    throw explained(error, connection);
  }
}

/** Returns the address if it is not Google's, because another server must not fill the cache of the service. */
function endpointOf({ options, transport }: EvaluateInstancesOptions): string | undefined {
  if (transport !== undefined) return 'your own transport';
  return connectionOf(options, process.env).connection?.apiEndpoint;
}

/** Returns the address of the service and its credentials. */
export function evaluationAccess(
  how: Pick<EvaluateInstancesOptions, 'options' | 'transport'>,
  environment: Environment,
): ModelAccess {
  if (how.transport !== undefined) return { service: 'your own transport', credentials: null, problems: [] };
  return connectionOf(how.options, environment).access;
}

/** One transport per address, so that signing in happens only once. */
const transports = new Map<string, EvaluationTransport>();

function transportOf(connection: Connection): EvaluationTransport {
  if (connection.by === 'api-key') return apiKeyTransport(connection.apiKey, connection.apiEndpoint);
  const key = JSON.stringify(connection);
  const transport = transports.get(key) ?? clientTransport(connection);
  transports.set(key, transport);
  return transport;
}

/** Adds advice to the failure. */
function explained(error: unknown, connection: Connection | null): CriteriaError {
  const chain = chainOf(error);
  const said = chain.map((one) => `${one.message} ${one.details}`).join(' ');
  const status = chain.map((one) => one.status).find((one) => typeof one === 'number');
  const advice = adviceFor({ status, said, connection });
  const what = `${EVALUATION_SERVICE}: ${wordsOf(error, chain)}`;
  const message = advice === '' ? what : `${what.replace(/\.$/, '')}. ${advice}`;
  const code = CriteriaError.is(error) ? error.code : 'CALL_FAILED';
  return new CriteriaError({ code, message }, { cause: error });
}

/** Describes the failure in the service's words, with the number of attempts. */
function wordsOf(error: unknown, chain: readonly Link[]): string {
  const told = CriteriaError.is(error) ? (error.problems[0]?.message ?? '') : '';
  const ofService = chain.find(({ name }) => name === SERVICE_FAILURE)?.message;
  const attempts = / \(\d+ attempts\)$/.exec(told)?.[0] ?? '';
  if (ofService !== undefined) return ofService.replace(/\.$/, '') + attempts;
  if (told !== '')
    return told.startsWith(EVALUATION_SERVICE) ? told.slice(EVALUATION_SERVICE.length).replace(/^:? /, '') : told;
  // Google's client wraps an error in one that repeats it.
  const messages = chain
    .map(({ message }) => message.replace(/\s+/g, ' ').trim())
    .filter((message, index, all) => message !== '' && all.findIndex((other) => other.includes(message)) === index);
  return messages.join(': ') || 'it failed without a message';
}

interface Link {
  readonly name: unknown;
  readonly message: string;
  /** Google's reason, and the error code of a system call. */
  readonly details: string;
  readonly status: unknown;
}

/** An error and its causes, at most eight. */
function chainOf(error: unknown): readonly Link[] {
  const chain: Link[] = [];
  let next: unknown = error;
  while (typeof next === 'object' && next !== null && chain.length < 8) {
    const { name, message, status, code, body, cause } = next as Readonly<Record<string, unknown>>;
    const details = [code, body === undefined ? '' : JSON.stringify(body)];
    chain.push({ name, message: String(message ?? ''), details: details.join(' ').slice(0, 4000), status });
    next = cause;
  }
  return chain;
}
