import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { homeFiles, homeSet, rawRequest, restarted, studioOf } from '../__fixtures__/running-studio.ts';
import { startStudio } from '../start-studio.ts';

const CASE = '/dev/apps/echo/eval_sets/home/evals/greets';

/** Opens a link as a browser would. @returns its cookie. */
async function cookieOf(link: string): Promise<string> {
  const { headers } = await fetch(link, { redirect: 'manual' });
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

describe('admission', () => {
  it('requires the token from programs', async () => {
    const { url, token } = await studioOf();
    const get = (headers: Record<string, string>) => fetch(`${url}/list-apps`, { headers });
    expect((await get({ authorization: `Bearer ${token}` })).status).toBe(200);
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Basic ${token}` }]) {
      const refused = await get(headers as Record<string, string>);
      expect(refused.status).toBe(401);
      expect(await refused.json()).toEqual({ detail: expect.stringContaining('Open the link') });
    }
    expect((await fetch(`${url}/list-apps?token=wrong`)).status).toBe(401);
    expect((await fetch(`${url}/health`)).status).toBe(401);
  });

  it('gives a browser that opens the link a cookie that scripts and other sites cannot read', async () => {
    const { url, link } = await studioOf();
    const opened = await fetch(link.replace('/?', '/a?x=1&'), { redirect: 'manual' });
    expect(opened.status).toBe(303);
    expect(opened.headers.get('location')).toBe('/a?x=1');
    const cookie = opened.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^agent_criteria_studio_\d+=[\w-]{43};/);
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Strict/);
    // A session cookie has no expiry, so it ends with the browser or the server.
    expect(cookie).not.toMatch(/Expires|Max-Age|Domain/i);
    const answer = await fetch(`${url}/list-apps`, { headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect(answer.status).toBe(200);
  });

  it('does not accept the cookie as a token, or the token as a cookie', async () => {
    const { url, link, token } = await studioOf();
    const cookie = await cookieOf(link);
    const [name, value] = cookie.split('=');
    expect(value).not.toBe(token);
    const status = async (headers: Record<string, string>) => (await fetch(`${url}/list-apps`, { headers })).status;
    expect(await status({ cookie })).toBe(200);
    expect(await status({ cookie: `${name}=${token}` })).toBe(401);
    expect(await status({ authorization: `Bearer ${value}` })).toBe(401);
    expect((await fetch(`${url}/list-apps?token=${value}`)).status).toBe(401);
    expect((await fetch(`${url}/list-apps?code=${value}`)).status).toBe(401);
  });

  it('by cookie outlives a restart of the studio, but is not valid for another one', async () => {
    const first = await studioOf();
    const second = await studioOf();
    const cookies = [await cookieOf(first.link), await cookieOf(second.link)].join('; ');
    const status = async ({ url }: { readonly url: string }, cookie: string) =>
      (await fetch(`${url}/list-apps`, { headers: { cookie } })).status;
    // Browsers send both cookies to both servers.
    expect([await status(first, cookies), await status(second, cookies)]).toEqual([200, 200]);
    const renamed = (cookie: string) => cookie.replace(/\d+=/, `${new URL(second.url).port}=`);
    expect(await status(second, renamed(await cookieOf(first.link)))).toBe(401);
    // Admitting another browser does not lock out the first one.
    const before = await cookieOf(first.link);
    await cookieOf(first.oneTimeLink());
    expect(await status(first, before)).toBe(200);
    await first.close();
    const port = Number(new URL(first.url).port);
    const again = await restarted(first, { port });
    expect(again.token).toBe(first.token);
    expect(await status(again, before)).toBe(200);
    await again.close();
    const other = await studioOf(homeFiles, { port });
    expect(await status(other, before)).toBe(401);
    expect(await status(other, await cookieOf(other.link))).toBe(200);
  });

  it('ends after 30 days, even if the studio runs on', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const studio = await studioOf();
    const cookie = await cookieOf(studio.link);
    const statuses = async () => [
      (await studio.ask('/list-apps')).status,
      (await fetch(`${studio.url}/list-apps`, { headers: { cookie } })).status,
      (await fetch(studio.link, { redirect: 'manual' })).status,
    ];
    expect(await statuses()).toEqual([200, 200, 303]);
    vi.setSystemTime(Date.now() + 30 * 24 * 60 * 60 * 1000);
    expect(await statuses()).toEqual([401, 401, 401]);
    const detail = await (await studio.ask('/list-apps')).json();
    expect(detail).toEqual({ detail: expect.stringContaining('expired after 30 days: start agent-criteria studio') });
  });

  it('by a one-time link works only once, and the link does not contain the token', async () => {
    const { token, oneTimeLink } = await studioOf();
    const link = oneTimeLink();
    expect(link).not.toContain(token);
    const opened = await fetch(link, { redirect: 'manual' });
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/']);
    expect(opened.headers.get('set-cookie')).toMatch(/^agent_criteria_studio_\d+=[\w-]{43};/);
    expect(opened.headers.get('set-cookie')).not.toContain(token);
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(401);
    expect((await fetch(oneTimeLink().slice(0, -1))).status).toBe(401);
  });

  it('by the link never redirects to another server', async () => {
    const { url, token } = await studioOf();
    const answer = await fetch(`${url}//evil.example/?token=${token}`, { redirect: 'manual' });
    expect(answer.headers.get('location')).toBe('/evil.example/');
  });

  it('without a token still requires the right host and origin', async () => {
    const { url, token } = await studioOf(homeFiles, { allowUnauthenticated: true });
    expect(token).toBeNull();
    expect((await fetch(`${url}/list-apps`)).status).toBe(200);
    expect((await rawRequest(url, '/list-apps', { host: 'evil.example' })).status).toBe(403);
    expect((await rawRequest(url, '/list-apps', { origin: 'http://evil.example' })).status).toBe(403);
    expect((await rawRequest(url, '/list-apps', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });
});

describe('host and origin checks', () => {
  it.each([
    ['127.0.0.1:PORT', 200],
    ['localhost:PORT', 200],
    ['[::1]:PORT', 200],
    ['LOCALHOST:PORT', 200],
    ['127.0.0.1', 403],
    ['127.0.0.1:1', 403],
    ['evil.example', 403],
    ['evil.example:PORT', 403],
    ['127.0.0.1.evil.example:PORT', 403],
    ['localhost.:PORT', 403],
  ])('answer a request whose Host is %s with status %d', async (host, status) => {
    const { url, token } = await studioOf();
    const headers = { host: host.replace('PORT', new URL(url).port), authorization: `Bearer ${token}` };
    expect((await rawRequest(url, '/list-apps', headers)).status).toBe(status);
  });

  it.each([
    ['http://127.0.0.1:PORT', 200],
    ['http://localhost:PORT', 200],
    ['https://127.0.0.1:PORT', 403],
    ['http://127.0.0.1:1', 403],
    ['http://evil.example', 403],
    ['null', 403],
  ])('answer a request whose Origin is %s with status %d', async (origin, status) => {
    const { url, token } = await studioOf();
    const headers = { origin: origin.replace('PORT', new URL(url).port), authorization: `Bearer ${token}` };
    expect((await rawRequest(url, '/list-apps', headers)).status).toBe(status);
  });

  it('reject requests from a foreign page, even with the cookie', async () => {
    const { url, link } = await studioOf();
    const cookie = await cookieOf(link);
    const foreign = { cookie, 'sec-fetch-site': 'cross-site' };
    expect((await rawRequest(url, '/list-apps', foreign)).status).toBe(403);
    expect((await rawRequest(url, '/list-apps', { ...foreign, 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect((await rawRequest(url, '/list-apps', { ...foreign, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });
});

describe('responses', () => {
  it("have a policy that allows only the studio's own resources, even for rejected requests", async () => {
    const { ask, url } = await studioOf();
    for (const answer of [await ask('/list-apps'), await ask('/nothing'), await fetch(`${url}/list-apps`)]) {
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('have status 404 and a detail for anything that does not exist', async () => {
    const { json } = await studioOf();
    expect(await json('GET', '/nothing')).toEqual({ status: 404, body: { detail: 'Not Found' } });
    expect((await json('GET', '/dev/apps/other/eval_sets')).status).toBe(404);
  });

  it('have status 413 for a body that is too large and 411 for a body without a length', async () => {
    const { ask, folder } = await studioOf(homeFiles, { maxBodyBytes: 1000 });
    const body = JSON.stringify({ eval_set: { eval_set_id: 'big', eval_cases: ['x'.repeat(2000)] } });
    const streamed = new Blob([body]).stream();
    expect((await ask('/dev/apps/echo/eval-sets', { method: 'POST', body })).status).toBe(413);
    const init = { method: 'POST', body: streamed, duplex: 'half' } as RequestInit;
    expect((await ask('/dev/apps/echo/eval-sets', init)).status).toBe(411);
    expect(existsSync(join(folder, 'echo/big.evalset.json'))).toBe(false);
  });
});

describe('a browser that is refused', () => {
  const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  it.each([
    ['an old link', '/?token=old', {}, 401, 'open the link that it printed'],
    ['a page of another site', '/', { 'sec-fetch-site': 'cross-site' }, 403, 'copying it into the address bar'],
    ['another host name', '/', { host: 'evil.example' }, 403, '127.0.0.1'],
    ['no page', '/nothing', { authorization: 'Bearer TOKEN' }, 404, 'Open the studio'],
    ['no app', '/dev/apps/%3Cb%3E/eval_sets', { authorization: 'Bearer TOKEN' }, 404, 'Open the studio'],
  ] as const)('gets a page that says what to do: %s', async (_, path, headers, status, words) => {
    const { url, token } = await studioOf();
    const own = Object.entries(headers).map(([name, value]) => [name, value.replace('TOKEN', token ?? '')]);
    const answer = await rawRequest(url, path, { ...html, ...Object.fromEntries(own) });
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(/^<!doctype html>/);
    expect(answer.text).toContain(words);
    expect(answer.text).not.toMatch(/<script|<b>|<link rel="stylesheet"/);
    // A program still gets JSON.
    const plain = await rawRequest(url, path, Object.fromEntries(own));
    expect(JSON.parse(plain.text)).toHaveProperty('detail');
    expect(plain.status).toBe(status);
  });

  it('gets no scripts, no files, and only the one style that its policy names', async () => {
    const { url } = await studioOf();
    const answer = await fetch(url, { headers: html });
    const policy = answer.headers.get('content-security-policy') ?? '';
    const style = /<style>([\s\S]*)<\/style>/.exec(await answer.text())?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src 'sha256-${hash}'`);
    expect(policy).not.toContain('script-src');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('paths in requests', () => {
  const OUTSIDE = { eval_set_id: 'secret', eval_cases: [] };
  const escapes = [
    '..',
    '../secret',
    '%2e%2e',
    '%2e%2e%2fsecret',
    '..%2fsecret',
    '..%5csecret',
    '%252e%252e%252fsecret',
    'home%00',
    '%00',
    '/secret',
    '%2fsecret',
    '%',
    '%ff',
  ];

  it.each(escapes)('never lead outside the folder: %s', async (way) => {
    const { url, token, folder } = await studioOf({ ...homeFiles, 'secret.evalset.json': OUTSIDE }, {});
    const headers = { authorization: `Bearer ${token}` };
    for (const [method, path] of [
      ['GET', `/dev/apps/${way}/eval_sets`],
      ['GET', `/dev/apps/echo/eval_sets/${way}`],
      ['DELETE', `/dev/apps/echo/eval_sets/${way}`],
      ['POST', `/dev/apps/echo/eval_sets/${way}`],
      ['GET', `/dev/apps/echo/eval_sets/${way}/evals`],
      ['GET', `/dev/apps/echo/eval_sets/${way}/evals/greets`],
      ['GET', `/dev/apps/echo/eval_sets/home/evals/${way}`],
      ['DELETE', `/dev/apps/echo/eval_sets/home/evals/${way}`],
    ] as const) {
      const { status, text } = await rawRequest(url, path, headers, method);
      expect([400, 404], `${method} ${path}: ${status} ${text}`).toContain(status);
      expect(text).not.toContain('kept');
    }
    expect(JSON.parse(readFileSync(join(folder, 'secret.evalset.json'), 'utf8'))).toEqual(OUTSIDE);
    expect(JSON.parse(readFileSync(join(folder, 'echo/home.evalset.json'), 'utf8'))).toEqual(homeSet);
  });

  it.each(['__proto__', 'constructor', 'toString'])('do not resolve to inherited properties: %s', async (name) => {
    const { json } = await studioOf();
    expect((await json('GET', `/dev/apps/${name}/eval_sets`)).status).toBe(404);
    expect((await json('GET', `/dev/apps/echo/eval_sets/${name}`)).status).toBe(404);
    expect((await json('GET', `/dev/apps/echo/eval_sets/home/evals/${name}`)).status).toBe(404);
  });

  it('do not follow links outside the folder', async () => {
    const outside = folderOf({ 'set.evalset.json': OUTSIDE, 'agent.mjs': 'export const rootAgent = () => "no";' });
    const folder = folderOf(homeFiles);
    symlinkSync(join(outside, 'set.evalset.json'), join(folder, 'echo/linked.evalset.json'));
    symlinkSync(outside, join(folder, 'elsewhere'));
    mkdirSync(join(folder, 'other'));
    writeFileSync(join(folder, 'other/x.evalset.json'), JSON.stringify(OUTSIDE));
    symlinkSync(join(outside, 'agent.mjs'), join(folder, 'other/agent.mjs'));
    const settings = { runsFolder: join(folder, '.agent-criteria/runs') };
    const studio = await startStudio({ folder, port: 0, environment: {}, applyEnvironment: false, settings });
    onTestFinished(() => studio.close());
    // The sets of "other" can be edited, but the agent behind the link is not loaded.
    expect(studio.apps).toEqual(['echo', 'other']);
    const headers = { authorization: `Bearer ${studio.token}` };
    expect(await (await fetch(`${studio.url}/dev/apps/echo/eval_sets`, { headers })).json()).toEqual(['home']);
    expect((await fetch(`${studio.url}/dev/apps/echo/eval_sets/linked`, { headers })).status).toBe(404);
  });
});

describe('the server', () => {
  it('listens only on 127.0.0.1, and does not start on a port that is taken', async () => {
    const { url } = await studioOf();
    const port = Number(new URL(url).port);
    await expect(studioOf(homeFiles, { port })).rejects.toThrow(`port ${port} is taken`);
    await expect(fetch(`http://[::1]:${port}${CASE}`)).rejects.toThrow();
  });

  it('prefers its port of the last start, and takes another one while that is taken', async () => {
    const first = await studioOf();
    const beside = await restarted(first, { port: undefined });
    expect(beside.url).not.toBe(first.url);
    await beside.close();
    await first.close();
    expect((await restarted(first, { port: undefined })).url).toBe(first.url);
  });
});
