import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LanguageModel } from '@agent-criteria/core';

/** Handles one request. The last handler also serves all later requests. */
export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

export interface TestServer {
  readonly url: string;
  /** Returns the number of requests. */
  count(): number;
  /** Returns the number of connections that closed before their answer was sent. */
  cut(): number;
  close(): Promise<void>;
}

export async function serve(...replies: readonly Reply[]): Promise<TestServer> {
  let count = 0;
  let cut = 0;
  const server = createServer((request, response) => {
    const reply = replies[Math.min(count, replies.length - 1)] as Reply;
    count += 1;
    response.on('close', () => {
      if (!response.writableFinished) cut += 1;
    });
    request.resume().on('end', () => reply(response, request));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/generate`,
    count: () => count,
    cut: () => cut,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export function answering(text = 'yes', status = 200, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(status === 200 ? JSON.stringify({ text, usage: { inputTokens: 3, outputTokens: 2 } }) : text);
  };
}

/** Creates a model that uses `fetch`, as users would write one: HTTP errors have a status, headers and a body. */
export function httpModel(url: string, id = 'http/test'): LanguageModel {
  return {
    id,
    async generate(request, signal) {
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(request), signal });
      const body = await response.text();
      if (!response.ok) {
        const failed = { status: response.status, headers: response.headers, body };
        throw Object.assign(new Error(`the server answered ${response.status}`), failed);
      }
      const { text, usage } = JSON.parse(body);
      return { text, finish: 'stop', usage, from: 'live' };
    },
  };
}
