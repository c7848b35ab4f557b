import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { studioOf, type TestStudio } from '../__fixtures__/running-studio.ts';

// Authenticated requests that no browser sends, such as contradictory ones and those for files elsewhere, do no harm.

/** Sends raw text. @returns the status of each response until the studio closes the connection. */
async function raw({ url }: TestStudio, text: string): Promise<readonly number[]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(text);
  socket.end();
  // `once` would throw the error of an aborted connection.
  await new Promise((done) => socket.on('close', done));
  expect(answer).not.toMatch(/greets|root:/);
  return [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
}

type Written = (host: string, token: string) => string;
const get =
  (path: string, ...headers: readonly string[]): Written =>
  (host, token) =>
    [`GET ${path} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${token}`, ...headers, '', ''].join('\r\n');
const SETS = '/dev/apps/echo/eval_sets/home';
const post =
  (...headers: readonly string[]): Written =>
  (host, token) =>
    [`POST ${SETS} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${token}`, ...headers, '', '0\r\n\r\n{}'].join(
      '\r\n',
    );

it.each<readonly [string, Written, number]>([
  ['two hosts', (host, token) => get('/list-apps', 'Host: evil.example')(host, token), 403],
  [
    'two origins',
    (host, token) => get('/list-apps', `Origin: http://${host}`, 'Origin: http://evil.example')(host, token),
    403,
  ],
  ['no host', (_, token) => `GET /list-apps HTTP/1.1\r\nAuthorization: Bearer ${token}\r\n\r\n`, 400],
  [
    'an old version without a host',
    (_, token) => `GET /list-apps HTTP/1.0\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    400,
  ],
  ['two lengths', post('Content-Length: 2', 'Content-Length: 5'), 400],
  ['a length beside chunks', post('Content-Length: 2', 'Transfer-Encoding: chunked'), 400],
  ['a negative length', post('Content-Length: -1'), 400],
  ['chunks in an unknown coding', post('Transfer-Encoding: chunked, identity'), 400],
  ['a whole address of another host', get('http://evil.example/list-apps'), 200],
  ['an upgrade', get('/list-apps', 'Connection: Upgrade', 'Upgrade: websocket'), 200],
  ['a tunnel', (host) => `CONNECT evil.example:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 400],
  ['a header of 200 kB', get('/list-apps', `X: ${'x'.repeat(200_000)}`), 431],
  ['a path out of the folder', get('/dev-ui/../../../../../../etc/passwd'), 404],
  ['a header with a line break', get('/list-apps', 'X: y\nOrigin: http://evil.example'), 400],
  ['no request', () => '\u0000\u0001\u0002\r\n\r\n', 400],
])('the studio answers a malformed request and keeps running: %s', async (_, written, status) => {
  const studio = await studioOf();
  const { host } = new URL(studio.url);
  const got = await raw(studio, written(host, studio.token ?? ''));
  // A connection that is closed before its response is read leaks nothing either.
  expect(status === 200 ? [[200]] : [[status], []]).toContainEqual(got);
  expect((await studio.json('GET', '/list-apps')).body).toEqual(['echo']);
});

it.each([
  ['a hundred thousand levels', '['.repeat(100_000) + ']'.repeat(100_000)],
  ['a hundred thousand objects', '{"a":'.repeat(100_000) + 1 + '}'.repeat(100_000)],
  ['keys of the prototype', '{"__proto__":{"appName":"echo"},"constructor":{"prototype":{"x":1}}}'],
  ['no JSON', '\ud800{'],
])('the studio rejects a body and keeps running: %s', async (_, body) => {
  const studio = await studioOf();
  for (const [method, path] of [
    ['POST', '/run'],
    ['POST', '/api/runs'],
    ['POST', '/dev/apps/echo/eval-sets'],
    ['PUT', '/api/apps/echo/sets/home/config'],
  ] as const) {
    const { status } = await studio.ask(path, { method, body, headers: { 'if-match': '*' } });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThanOrEqual(500);
  }
  expect(Object.prototype).not.toHaveProperty('appName');
  expect(Object.prototype).not.toHaveProperty('x');
  expect((await studio.json('GET', '/list-apps')).body).toEqual(['echo']);
});

it('the studio still answers while hundreds of requests are incomplete', async () => {
  const studio = await studioOf();
  const { port } = new URL(studio.url);
  const sockets = Array.from({ length: 300 }, () => connect(Number(port), '127.0.0.1'));
  try {
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) socket.on('error', () => undefined).write('GET /list-apps HTTP/1.1\r\nHost: ');
    expect((await studio.json('GET', '/list-apps')).body).toEqual(['echo']);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});
