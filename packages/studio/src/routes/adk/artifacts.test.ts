import { expect, it } from 'vitest';
import { studioOf } from '../../__fixtures__/running-studio.ts';
import type { ArtifactContent, SessionDetail } from '../../api.ts';

const hostile = '../../etc/‮txt.<script>alert(1)</script>"\r\nX-Evil: 1.html';
const html = '<script>alert(document.domain)</script>';
const base64 = (text: string) => Buffer.from(text).toString('base64');

const saved = {
  'note.txt': [{ text: 'first' }, { text: 'second' }],
  'data.json': [{ inlineData: { mimeType: 'application/json', data: base64('{"a":[1]}') } }],
  'dot.png': [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }],
  'page.html': [{ inlineData: { mimeType: 'text/html', data: base64(html) } }],
  'draw.svg': [{ inlineData: { mimeType: 'image/svg+xml', data: base64(`<svg xmlns="x">${html}</svg>`) } }],
  'odd.bin': [{ inlineData: { mimeType: 'image/png, text/html', data: 'AAECAw==' } }],
  'away.pdf': [{ fileData: { mimeType: 'application/pdf', fileUri: 'https://example.com/away.pdf' } }],
  [hostile]: [{ inlineData: { mimeType: 'text/html\r\nX-Evil: 1', data: base64(html) } }],
};

const agentSaving = (saved: unknown) => `const saved = ${JSON.stringify(saved)};
export const rootAgent = {
  name: 'desk',
  open: async () => ({
    send: async (content) => ({ invocation: { userContent: content, finalResponse: { parts: [{ text: 'Saved.' }] } } }),
    state: async () => null,
    artifacts: {
      list: async () => Object.entries(saved).map(([name, all]) => ({ name, versions: [...all.keys()] })),
      load: async (name, version) => saved[name]?.[version] ?? null,
    },
    close: async () => {},
  }),
};
`;

async function saving(files: unknown = saved, options = {}) {
  const studio = await studioOf({ 'desk/agent.mjs': agentSaving(files) }, options);
  const { id } = (await studio.json('POST', '/api/apps/desk/sessions', {})).body as SessionDetail;
  const at = `/api/apps/desk/sessions/${id}/artifacts`;
  const ofAdk = `/apps/desk/users/user/sessions/${id}/artifacts`;
  expect((await studio.json('GET', at)).body).toEqual([]);
  const newMessage = { role: 'user', parts: [{ text: 'save' }] };
  await studio.json('POST', '/run', { appName: 'desk', userId: 'user', sessionId: id, newMessage });
  const pathOf = (name: string, version = 0) => `${at}/${encodeURIComponent(name)}/${version}`;
  const shown = async (name: string, version?: number) =>
    (await studio.json('GET', pathOf(name, version))).body as ArtifactContent;
  return { studio, at, ofAdk, pathOf, shown };
}

it('the studio lists artifacts with their versions and previews safe content', async () => {
  const { studio, at, shown, pathOf } = await saving();
  const { body } = await studio.json('GET', at);
  expect(body).toEqual(Object.entries(saved).map(([name, all]) => ({ name, versions: [...all.keys()] })));
  expect(await shown('note.txt', 1)).toEqual({
    name: 'note.txt',
    version: 1,
    mimeType: 'text/plain',
    bytes: 6,
    shown: { kind: 'text', text: 'second', isCut: false },
  });
  expect((await shown('data.json')).shown).toEqual({ kind: 'json', value: { a: [1] } });
  expect((await shown('dot.png')).shown).toEqual({ kind: 'image', source: 'data:image/png;base64,iVBORw0KGgo=' });
  // Documents that could run scripts are shown as text.
  for (const name of ['page.html', 'draw.svg']) {
    expect((await shown(name)).shown).toMatchObject({ kind: 'text', text: expect.stringContaining(html) });
  }
  expect((await shown('odd.bin')).shown).toEqual({ kind: 'none' });
  // A file stored elsewhere is shown as its address, without being fetched.
  expect((await shown('away.pdf')).shown).toMatchObject({ kind: 'text', text: 'https://example.com/away.pdf' });
  expect((await studio.json('GET', pathOf('note.txt', 2))).status).toBe(404);
  expect((await studio.json('GET', pathOf('none'))).status).toBe(404);
});

it.each(Object.keys(saved))('the artifact %j is sent as a download that browsers do not open', async (name) => {
  const { studio, pathOf } = await saving();
  const { status, headers } = await studio.ask(`${pathOf(name)}/file`);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/octet-stream');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="[^"\\/\r\n]+"; filename\*=UTF-8''[\w.%~'-]+$/,
  );
  expect(headers.get('x-evil')).toBeNull();
  expect(decodeURIComponent(headers.get('content-disposition') ?? '')).not.toMatch(/[\u202e\r\n]|\.\.\//);
});

it("the artifact routes of ADK answer in ADK's format", async () => {
  const { studio, ofAdk } = await saving();
  expect((await studio.json('GET', ofAdk)).body).toEqual(Object.keys(saved));
  expect((await studio.json('GET', `/dev${ofAdk}/note.txt`)).body).toEqual({ text: 'second' });
  expect((await studio.json('GET', `${ofAdk}/note.txt?version=0`)).body).toEqual({ text: 'first' });
  expect((await studio.json('GET', `${ofAdk}/note.txt/versions`)).body).toEqual([0, 1]);
  expect((await studio.json('GET', `${ofAdk}/note.txt/versions/0`)).body).toEqual({ text: 'first' });
  expect((await studio.json('GET', `${ofAdk}/${encodeURIComponent(hostile)}/versions/0`)).status).toBe(200);
  expect((await studio.json('GET', `${ofAdk}/none`)).status).toBe(404);
});

it('secrets in artifact names and text are masked, and other content is unchanged', async () => {
  const secret = 'correct-horse-battery-staple';
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(secret)]);
  const leaking = {
    [`${secret}.txt`]: [{ text: 'first' }, { text: `It is ${secret}` }],
    'key.md': [{ inlineData: { mimeType: 'text/markdown; charset=utf-8', data: base64(`The key: ${secret}`) } }],
    'data.json': [{ inlineData: { mimeType: 'application/json', data: base64(JSON.stringify({ [secret]: secret })) } }],
    'dot.png': [{ inlineData: { mimeType: 'image/png', data: bytes.toString('base64') } }],
  };
  const { studio, at, ofAdk, pathOf } = await saving(leaking, { environment: { SHOP_API_KEY: secret } });
  const names = Object.keys(leaking).map((name) => name.replace(secret, '[masked: SHOP_API_KEY]'));
  const answers: string[] = [];
  for (const path of [at, ofAdk]) answers.push(await (await studio.ask(path)).text());
  expect(JSON.parse(answers[1] as string)).toEqual(names);
  for (const name of names.slice(0, 3)) {
    const version = name.endsWith('.txt') ? 1 : 0;
    const adk = `${ofAdk}/${encodeURIComponent(name)}`;
    for (const path of [pathOf(name, version), adk, `${adk}/versions`, `${adk}/versions/${version}`]) {
      const { status, text } = await got(await studio.ask(path));
      expect([status, path]).toEqual([200, path]);
      answers.push(text, Buffer.from(text.match(/"data":"([^"]+)"/)?.[1] ?? '', 'base64').toString('utf8'));
    }
    const file = await studio.ask(`${pathOf(name, version)}/file`);
    answers.push(file.headers.get('content-disposition') ?? '');
    const text = await file.text();
    expect(text).toContain('[masked: SHOP_API_KEY]');
    answers.push(text);
  }
  expect(answers.join('\n')).not.toContain(secret);
  const image = await (await studio.ask(`${pathOf('dot.png')}/file`)).arrayBuffer();
  expect(Buffer.from(image)).toEqual(bytes);
});

async function got(response: Response) {
  return { status: response.status, text: await response.text() };
}
