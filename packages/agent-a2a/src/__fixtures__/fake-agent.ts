import { type FakeServer, type Fault, type SeenRequest, startServer } from '@agent-criteria/test-servers';
import { onTestFinished } from 'vitest';

/** A request as a fake agent gets it. */
export interface Called extends SeenRequest {
  /** The JSON-RPC method. */
  readonly call: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The index among the calls of this method. */
  readonly index: number;
}

/** An answer of a fake agent: results of JSON-RPC as a stream, one result, or anything else. */
export type Answered = readonly object[] | { readonly result: object } | { readonly error: object } | Fault;

export interface FakeAgent extends FakeServer {
  readonly calls: readonly Called[];
}

/** Starts a server on 127.0.0.1 with a card, by default of a streaming agent of version 0.3, which ends with the test. */
export async function startFakeAgent(
  answer: (called: Called) => Answered | Promise<Answered>,
  card: (url: string) => object = () => ({}),
): Promise<FakeAgent> {
  const calls: Called[] = [];
  let url = '';
  const server = await startServer({}, async (request) => {
    if (request.method === 'GET') {
      if (request.path !== '/.well-known/agent-card.json') return { status: 404, body: {} };
      const capabilities = { streaming: true };
      const plain = { name: 'dice', url: `${url}/rpc`, protocolVersion: '0.3.0', capabilities };
      return { status: 200, body: { ...plain, ...card(url) } };
    }
    const { method: call, params } = request.body as { method: string; params: Record<string, unknown> };
    const called = { ...request, call, params, index: calls.filter((one) => one.call === call).length };
    calls.push(called);
    return replyTo(await answer(called));
  });
  url = server.url;
  onTestFinished(() => server.close());
  return Object.assign(server, { calls });
}

function replyTo(answer: Answered): Fault {
  if (Array.isArray(answer)) {
    return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: answer.map(eventOf).join('') };
  }
  if ('result' in answer || 'error' in answer) {
    return { status: 200, body: { jsonrpc: '2.0', id: 1, ...(answer as object) } };
  }
  return answer as Fault;
}

/** Writes a result as a server-sent event. */
export function eventOf(result: object): string {
  return `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`;
}

const ids = { taskId: 't', contextId: 'c' };

/** A task of version 0.3. */
export function taskIn(state: string, more: object = {}): object {
  return { kind: 'task', id: 't', contextId: 'c', status: { state }, ...more };
}

/** A change of the state of a task, with a message of the agent. */
export function statusOf(state: string, parts: readonly object[] | null = null, more: object = {}): object {
  messages += 1;
  const message = { kind: 'message', messageId: `m-${messages}`, role: 'agent', parts };
  return { kind: 'status-update', ...ids, status: { state, ...(parts === null ? {} : { message }) }, ...more };
}
let messages = 0;

export function artifactOf(artifactId: string, parts: readonly object[], more: object = {}): object {
  return { kind: 'artifact-update', ...ids, artifact: { artifactId, parts }, ...more };
}

export const textPart = (text: string): object => ({ kind: 'text', text });
