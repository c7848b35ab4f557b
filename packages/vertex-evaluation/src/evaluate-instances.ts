import {
  CriteriaError,
  isCallSkipped,
  type Json,
  type ModelAccess,
  type Range,
  type Tools,
} from '@agent-criteria/core';
import { adviceFor } from './advice.ts';
import { apiKeyTransport } from './api-key-transport.ts';
import { clientTransport } from './client-transport.ts';
import { type Connection, connectionOf, type Environment } from './connection.ts';
import { type MetricResult, readMetricResult, scoreOf } from './metric-result.ts';
import type { EvaluationServiceOptions } from './options.ts';
import { givenAnswer } from './read-answer.ts';
import { evaluationRetries } from './retries.ts';
import { SERVICE_FAILURE } from './service-failure.ts';
import type { EvaluationTransport } from './transport.ts';

/** The name of the service in limits, recordings, prices and reports. */
export const EVALUATION_SERVICE = 'vertex-evaluation';

const ANY: Range = { min: Number.NEGATIVE_INFINITY, max: null, better: 'higher' };

/** How the service is asked. */
export interface EvaluateInstancesOptions {
  readonly options: EvaluationServiceOptions;
  /** The scores that the criterion takes: a cache keeps no answer with another. Default: any. */
  readonly range?: Range | undefined;
  /** Default: as options and environment say. */
  readonly transport?: EvaluationTransport | undefined;
  /** What is sent, where ids in it change from run to run: the request stands for it in caches and recordings. Default: the request. */
  readonly body?: Json | undefined;
}

/**
 * Asks the service for one metric through `tools.call`: under the run's cache, recording, limits, budget and retries.
 *
 * @throws CriteriaError CALL_FAILED with what to do about it, MISSING_ENVIRONMENT; whatever the tools throw for a call that was
 * never made, and the reason of the signal.
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
        // Here, not above: an answer that is recorded needs no credentials.
        connection = connected(options, process.env);
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

/** Who answers, where it is not Google's own address: a stand-in must not fill the cache of the service. */
function endpointOf({ options, transport }: EvaluateInstancesOptions): string | undefined {
  if (transport !== undefined) return 'your own transport';
  return connectionOf(options, process.env).connection?.apiEndpoint;
}

/** Where the service would be asked, and with which credentials. */
export function evaluationAccess(
  how: Pick<EvaluateInstancesOptions, 'options' | 'transport'>,
  environment: Environment,
): ModelAccess {
  if (how.transport !== undefined) return { service: 'your own transport', credentials: null, problems: [] };
  return connectionOf(how.options, environment).access;
}

function connected(options: EvaluationServiceOptions, environment: Environment): Connection {
  const { connection, access } = connectionOf(options, environment);
  if (connection === null) throw new CriteriaError(access.problems);
  return connection;
}

/** One for each place, so that signing in is done once. */
const transports = new Map<string, EvaluationTransport>();

function transportOf(connection: Connection): EvaluationTransport {
  if (connection.by === 'api-key') return apiKeyTransport(connection.apiKey, connection.apiEndpoint);
  const key = JSON.stringify(connection);
  const transport = transports.get(key) ?? clientTransport(connection);
  transports.set(key, transport);
  return transport;
}

/** The failure with what to do about it. */
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

/** What happened, as the service says it where it does, and how often it was asked. */
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
  /** Where Google says the reason, and the code of a system call. */
  readonly details: string;
  readonly status: unknown;
}

/** An error and what caused it, at most eight. */
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
