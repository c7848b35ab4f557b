import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../../test/folder.ts';
import { homeFiles, rawRequest, studioOf } from '../../__fixtures__/running-studio.ts';

const page = `<html><head><base href="./"><link rel="preconnect" href="https://fonts.example"><link rel="stylesheet" href="s.css" onload="this.media='all'"></head>
<body><script src="./main.js" type="module"></script><script>run()</script></body></html>`;
const files = {
  'web/index.html': page,
  'web/main.js': 'run();',
  'web/assets/config/runtime-config.json': { backendUrl: 'http://evil.example' },
  'secret.txt': 'secret',
};

describe("ADK's web UI", () => {
  it('is served from its folder with our config and content security policy', async () => {
    const { ask } = await studioOf(homeFiles, { adkWeb: join(folderOf(files), 'web') });
    expect(await (await ask('/')).text()).toContain('Agent Criteria studio');
    expect((await ask('/dev-ui', { redirect: 'manual' })).headers.get('location')).toBe('/dev-ui/');
    const index = await ask('/dev-ui/?app=echo');
    expect(index.headers.get('content-type')).toContain('text/html');
    const ours = page
      .replace('<link rel="preconnect" href="https://fonts.example">', '')
      .replace('</head>', '<link rel="stylesheet" href="/app/adk-web-fonts.css"></head>');
    expect(await index.text()).toBe(ours);
    const policy = index.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src 'self' 'wasm-unsafe-eval' 'unsafe-hashes' 'sha256-[^']+' 'sha256-[^']+';/);
    expect(policy).not.toMatch(/https?:|\*|script-src[^;]*'unsafe-(inline|eval)'/);
    const script = await ask('/dev-ui/main.js');
    expect(script.headers.get('content-type')).toContain('text/javascript');
    expect(await (await ask('/dev-ui/assets/config/runtime-config.json')).json()).toEqual({ backendUrl: '' });
    expect((await ask('/dev-ui/none.js')).status).toBe(404);
  });

  it('gets the fonts of its icons from us, whether their rules are in the page or linked', async () => {
    const linked = '<link href="https://fonts.example/icon?family=Material+Icons" rel="stylesheet">';
    const face = (url: string) => `@font-face{font-family:'Material Icons';src:url(${url}) format('woff2');}`;
    const inline = `<style>${face('https://fonts.example/a.woff2')}.material-icons{font-size:24px}${face('"//x/a"')}</style>`;
    const own = face('./own.woff2');
    const web = folderOf({ 'index.html': `<html><head>${linked}${inline}<style>${own}</style></head></html>` });
    const { ask } = await studioOf(homeFiles, { adkWeb: web });
    const ours = '<link rel="stylesheet" href="/app/adk-web-fonts.css">';
    expect(await (await ask('/dev-ui/')).text()).toBe(
      `<html><head><style>.material-icons{font-size:24px}</style><style>${own}</style>${ours}</head></html>`,
    );
    const fonts = await (await ask('/app/adk-web-fonts.css')).text();
    expect(fonts).not.toMatch(/https?:/);
    const files = [...fonts.matchAll(/url\("?\.\/([^")]+)"?\)/g)].map(([, file = '']) => file);
    expect(new Set(files).size).toBe(1);
    for (const file of files) {
      const font = await ask(`/app/${file}`);
      expect(font.headers.get('content-type')).toBe('font/woff2');
      expect(Buffer.from(await font.arrayBuffer()).toString('latin1', 0, 4)).toBe('wOF2');
    }
  });

  it('lists current runs: what reads them is not kept between changes of signals', async () => {
    const code = 'class A{evalHistorySorted=aB(()=>{return 1});caseHistory=$(()=>[]);other=aB(()=>2)}';
    const web = folderOf({ 'index.html': page, 'main.js': code });
    const { ask } = await studioOf(homeFiles, { adkWeb: web });
    expect(await (await ask('/dev-ui/main.js')).text()).toBe(
      'class A{evalHistorySorted=(read=>read)(()=>{return 1});caseHistory=(read=>read)(()=>[]);other=aB(()=>2)}',
    );
  });

  it('gets an empty stylesheet for each colour theme that its build lacks', async () => {
    const web = folderOf({ 'index.html': page, 'prism-light.css': 'b{}' });
    const { ask } = await studioOf(homeFiles, { adkWeb: web });
    const dark = await ask('/dev-ui/prism-dark.css');
    expect([dark.status, dark.headers.get('content-type'), await dark.text()]).toEqual([200, 'text/css', '']);
    expect(await (await ask('/dev-ui/prism-light.css')).text()).toBe('b{}');
    expect((await ask('/dev-ui/other.css')).status).toBe(404);
  });

  it('never serves files outside its folder, and nothing to unauthenticated requests', async () => {
    const studio = await studioOf(homeFiles, { adkWeb: join(folderOf(files), 'web') });
    const headers = { authorization: `Bearer ${studio.token}` };
    for (const path of [
      '../secret.txt',
      '%2e%2e/secret.txt',
      '..%2fsecret.txt',
      '%2e%2e%2fsecret.txt',
      'assets',
      '%00',
    ]) {
      const { status, text } = await rawRequest(studio.url, `/dev-ui/${path}`, headers);
      expect([400, 404], path).toContain(status);
      expect(text).not.toBe('secret');
    }
    expect((await rawRequest(studio.url, '/dev-ui/')).status).toBe(401);
  });

  it('gives advice if the folder does not contain it', async () => {
    await expect(studioOf(homeFiles, { adkWeb: folderOf({}) })).rejects.toThrow('dist/browser');
    const { ask } = await studioOf();
    expect((await ask('/dev-ui/')).status).toBe(404);
  });
});
