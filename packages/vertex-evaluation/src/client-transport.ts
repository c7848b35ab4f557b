import { setMaxListeners } from 'node:events';
import type { Json } from '@agent-criteria/core';
import { readAnswer } from './read-answer.ts';
import { serviceFailure } from './service-failure.ts';
import type { EvaluationTransport } from './transport.ts';

export interface ClientTransportOptions {
  readonly project: string;
  readonly location: string;
  readonly apiEndpoint?: string | undefined;
}

/** What is used of Google's client. */
interface Sender {
  send(path: string, body: string, signal: AbortSignal): Promise<Response>;
}

/** Application default credentials, through Google's client, which is loaded at the first call. */
export function clientTransport({ project, location, apiEndpoint }: ClientTransportOptions): EvaluationTransport {
  let connected: Promise<Sender> | undefined;
  return (body, signal) =>
    whileWanted(signal, async (own) => {
      connected ??= connect({ project, location, apiEndpoint });
      const sender = await connected;
      own.throwIfAborted();
      const path = `projects/${project}/locations/${location}:evaluateInstances`;
      const response = await sender.send(path, JSON.stringify(body), own).catch((error: unknown) => {
        throw readable(error);
      });
      return readAnswer(await response.text());
    });
}

async function connect({ project, location, apiEndpoint }: ClientTransportOptions): Promise<Sender> {
  const { Client } = await import('@google-cloud/vertexai');
  // What sends is `protected`. Its own retries would lose the status.
  class EvaluationClient extends Client implements Sender {
    async send(path: string, body: string, abortSignal: AbortSignal): Promise<Response> {
      const { responseInternal } = await this.apiClient.request({ path, httpMethod: 'POST', body, abortSignal });
      return responseInternal;
    }
  }
  return new EvaluationClient({ project, location, ...(apiEndpoint === undefined ? {} : { apiEndpoint }) });
}

/** Google's client puts status and body of an answer into one message. */
function readable(error: unknown): unknown {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return error;
  return serviceFailure(error.status, error.message);
}

/**
 * Google's client leaves a listener on every signal that it gets, and signing in cannot be interrupted: it gets a signal of this
 * call alone, and nobody waits for it.
 */
async function whileWanted(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Json>): Promise<Json> {
  signal.throwIfAborted();
  setMaxListeners(0, signal);
  const controller = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  const abort = (): void => controller.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([ended, work(controller.signal)]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
