import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ask, signal } from './__fixtures__/calls.ts';
import { answering, httpModel, type Reply, serve, type TestServer } from './__fixtures__/http-model.ts';
import { withRetry, withTimeout } from './__fixtures__/wrappers.ts';
import type { CallEvent } from './call-event.ts';

// Uses real servers and the real `fetch`, so that errors are the ones that users get.

const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serving(...replies: readonly Reply[]): Promise<TestServer> {
  const server = await serve(...replies);
  servers.push(server);
  return server;
}

const quick = { firstDelay: 2, longestDelay: 4 };

async function ended(server: { url: string }, timeout = 5_000) {
  const events: CallEvent[] = [];
  const model = withRetry(withTimeout(httpModel(server.url), timeout), {
    ...quick,
    onEvent: (event) => events.push(event),
  });
  const result = await model.generate(ask('hi'), signal()).catch((error: Error) => error);
  return { result, kinds: events.map((event) => (event.type === 'retrying' ? event.kind : event.type)) };
}

const cutAtOnce: Reply = (response) => response.socket?.destroy();
const cutInTheMiddle: Reply = (response) => {
  response.writeHead(200, { 'content-length': 1000 });
  response.write('{"text":"ye', () => response.socket?.destroy());
};
const broken: Reply = (response) => response.end('{"text":"ye');
const html: Reply = (response) => {
  response.writeHead(502, { 'content-type': 'text/html' });
  response.end('<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><p>sorry</p></body></html>');
};
const slow: Reply = (response) => {
  response.writeHead(200);
  response.write('{"text":');
};

describe('callPolicies() with an HTTP server', () => {
  it.each<[string, Reply, string]>([
    ['429', answering('{"error":{"message":"slow down"}}', 429), 'rate-limit'],
    ['503', answering('busy', 503), 'overload'],
    ['502 of HTML', html, 'server'],
    ['a socket cut before the answer', cutAtOnce, 'network'],
    ['a socket cut in the middle of the answer', cutInTheMiddle, 'network'],
    ['broken JSON', broken, 'unreadable'],
  ])('recovers from %s', async (_name, reply, kind) => {
    const server = await serving(reply, reply, answering('at last'));
    const { result, kinds } = await ended(server);
    expect(result).toMatchObject({ text: 'at last', from: 'live' });
    expect(kinds).toEqual([kind, kind]);
    expect(server.count()).toBe(3);
  });

  it('waits as long as Retry-After requests', async () => {
    const server = await serving(answering('', 429, { 'retry-after': '1' }), answering());
    const begun = performance.now();
    await ended(server);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
  });

  it('aborts an endless body and closes its connection', async () => {
    const server = await serving(slow, answering('at last'));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const ending = ended(server, 200);
    await expect.poll(() => server.count()).toBe(1);
    // The time limit of the first attempt, plus the wait before the second.
    await vi.advanceTimersByTimeAsync(200);
    await vi.advanceTimersByTimeAsync(4);
    const { result, kinds } = await ending;
    expect(result).toMatchObject({ text: 'at last' });
    expect(kinds).toEqual(['timeout']);
    await expect.poll(() => server.cut()).toBe(1);
  });

  it.each<[number, string, RegExp]>([
    [400, '{"error":{"message":"Unknown field \\"foo\\""}}', /request refused \(HTTP 400\): Unknown field "foo"/],
    [401, '{"error":{"message":"who are you?"}}', /access refused \(HTTP 401\): who are you\?/],
    [
      404,
      '{"error":{"message":"The model `old` does not exist"}}',
      /not found \(HTTP 404\): The model `old` does not exist; if .* --judge-model/,
    ],
  ])('fails at once after HTTP %d', async (status, body, message) => {
    const server = await serving(answering(body, status));
    const { result } = await ended(server);
    expect(result).toMatchObject({ code: 'CALL_FAILED', message: expect.stringMatching(message) });
    expect(server.count()).toBe(1);
  });

  it('fails at once if no local server is listening', async () => {
    const server = await serve(answering());
    await server.close();
    const { result, kinds } = await ended(server);
    expect(result).toMatchObject({
      code: 'CALL_FAILED',
      message: expect.stringMatching(
        /^http\/test: no connection: .*ECONNREFUSED.*nothing listens there; is the server started\?$/,
      ),
    });
    expect(kinds).toEqual([]);
  });

  it('rejects at once when the signal aborts, and closes the connection', async () => {
    const server = await serving(slow);
    const controller = new AbortController();
    const call = withRetry(withTimeout(httpModel(server.url))).generate(ask('hi'), controller.signal);
    await expect.poll(() => server.count()).toBe(1);
    controller.abort('enough');
    await expect(call).rejects.toBe('enough');
    await expect.poll(() => server.cut()).toBe(1);
  });
});
