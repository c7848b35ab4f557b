import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { exchange, type HttpAnswer, type HttpRequest } from './exchange.ts';

/** Starts a local server that records the requests it receives. */
async function serving(answer: RequestListener) {
  const seen = { connections: 0, closed: 0, requests: [] as { method: string; headers: object; body: string }[] };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.requests.push({ method: request.method ?? '', headers: request.headers, body });
    answer(request, response);
  });
  server.on('connection', (socket) => {
    seen.connections += 1;
    socket.on('close', () => {
      seen.closed += 1;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return { seen, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/path?query`) };
}

const never = new AbortController().signal;
const textOf = ({ text }: HttpAnswer) => text();
const startOf = ({ start }: HttpAnswer) => start();

function ask<T>(url: URL, read: (answer: HttpAnswer) => Promise<T>, more: Partial<HttpRequest> = {}): Promise<T> {
  return exchange(url, { method: 'POST', body: { a: 'ü' }, signal: never, maxBytes: 1000, ...more }, read);
}

describe('exchange()', () => {
  it('sends JSON with headers, and returns status, headers and text', async () => {
    const { seen, url } = await serving((_request, response) => {
      response.writeHead(404, { 'x-reason': 'gone' }).end('not here');
    });
    const given = await ask(url, async ({ status, headers, text }) => [status, headers['x-reason'], await text()], {
      headers: { 'x-mine': 'yes' },
    });
    expect(given).toEqual([404, 'gone', 'not here']);
    expect(seen.requests[0]).toMatchObject({
      method: 'POST',
      body: '{"a":"ü"}',
      headers: { 'content-type': 'application/json', 'content-length': '10', 'x-mine': 'yes' },
    });
    await ask(url, textOf, { method: 'GET', body: undefined });
    expect(seen.requests[1]).toMatchObject({ method: 'GET', body: '' });
    expect(seen.requests[1]?.headers).not.toHaveProperty('content-type');
  });

  it('does not follow redirects', async () => {
    const { seen, url } = await serving((_request, response) => {
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(await ask(url, async ({ status }) => status)).toBe(307);
    expect(seen.requests).toHaveLength(1);
  });

  it('keeps a connection alive if the response was read to its end, and closes it otherwise', async () => {
    const { seen, url } = await serving((_request, response) => response.end('yes'));
    for (let count = 0; count < 3; count++) expect(await ask(url, textOf)).toBe('yes');
    expect(seen).toMatchObject({ connections: 1, closed: 0 });
    await ask(url, async () => 'unread');
    await expect.poll(() => seen.closed).toBe(1);
    const close = { headers: { connection: 'close' } };
    await ask(url, textOf, close);
    await ask(url, textOf, close);
    await expect.poll(() => seen).toMatchObject({ connections: 3, closed: 3 });
  });

  it('does not use a connection again that it asked to close, even if the server keeps it alive', async () => {
    const { seen, url } = await serving((_request, response) => {
      response.writeHead(200, { connection: 'keep-alive' }).end('kept');
    });
    const headers = { connection: 'close' };
    for (const _time of [1, 2]) expect(await ask(url, textOf, { headers })).toBe('kept');
    expect(seen.connections).toBe(2);
  });

  it('resends a request on a new connection if the idle one was closed before anything was sent', async () => {
    const { seen, url } = await serving((_request, response) => {
      // Read the socket now, because a finished response has none. The server restarts the timeout of an idle
      // connection.
      const { socket } = response;
      response.on('close', () => setTimeout(() => socket?.destroy(), 20)).end('yes');
    });
    expect(await ask(url, textOf)).toBe('yes');
    await expect.poll(() => seen.closed).toBe(1);
    expect(await ask(url, textOf)).toBe('yes');
    expect(seen.requests).toHaveLength(2);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ])('decompresses %s', async (encoding, pack) => {
    const { url } = await serving((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(pack('packed'));
    });
    expect(await ask(url, textOf)).toBe('packed');
    expect(await ask(url, startOf)).toBe('packed');
  });

  it('throws a SyntaxError if the body cannot be decompressed', async () => {
    const { url } = await serving((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain');
    });
    await expect(ask(url, textOf)).rejects.toBeInstanceOf(SyntaxError);
  });
});

describe('exchange() with a response that is too long', () => {
  const endless: RequestListener = (_request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
    };
    response.on('drain', more);
    more();
  };

  it('throws and closes the connection', async () => {
    const { seen, url } = await serving(endless);
    await expect(ask(url, textOf, { maxBytes: 1024 * 1024 })).rejects.toThrow('the answer is larger than 1 MB');
    await expect(ask(url, textOf, { tooLong: () => new Error('my limit') })).rejects.toThrow('my limit');
    await expect.poll(() => seen.closed).toBe(2);
  });

  it('throws if only the decompressed body is too long', async () => {
    const { url } = await serving((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(10_000)));
    });
    await expect(ask(url, textOf)).rejects.toThrow('cannot be decompressed');
  });

  it('can read only the beginning of the body', async () => {
    const { seen, url } = await serving(endless);
    expect(await ask(url, startOf)).toHaveLength(1024 * 1024);
    await expect.poll(() => seen.closed).toBe(1);
  });
});

describe('exchange() when interrupted', () => {
  it.each<[string, RequestListener]>([
    ['before the answer', () => undefined],
    ['in the middle of the answer', (_request, response) => void response.writeHead(200).write('half')],
  ])('rejects when the signal aborts %s, and leaves nothing behind', async (_when, answer) => {
    const { seen, url } = await serving(answer);
    const controller = new AbortController();
    const added = vi.spyOn(controller.signal, 'addEventListener');
    const given = ask(url, textOf, { signal: controller.signal });
    await expect.poll(() => seen.requests.length).toBe(1);
    controller.abort('enough');
    await expect(given).rejects.toBe('enough');
    await expect.poll(() => seen.closed).toBe(1);
    expect(added).toHaveBeenCalledTimes(1);
    await expect(ask(url, textOf, { signal: controller.signal })).rejects.toBe('enough');
    expect(seen.requests).toHaveLength(1);
  });

  it('leaves no listener on the signal once the response has been read', async () => {
    const { url } = await serving((_request, response) => response.end('yes'));
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    for (let count = 0; count < 3; count++) await ask(url, textOf, { signal });
    await expect.poll(() => removed.mock.calls.length).toBe(added.mock.calls.length);
  });

  it.each<[string, RequestListener, string]>([
    ['without an answer', (_request, response) => response.socket?.destroy(), 'without an answer'],
    [
      'in the middle of it',
      (_request, response) => {
        response.writeHead(200, { 'content-length': 1000 });
        response.write('half', () => response.socket?.destroy());
      },
      'in the middle of its answer',
    ],
  ])('reports a connection closed by the server %s', async (_when, answer, words) => {
    const { url } = await serving(answer);
    await expect(ask(url, textOf)).rejects.toMatchObject({
      code: 'ECONNRESET',
      message: `the server closed the connection ${words}`,
    });
  });
});
