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
    expect(await index.text()).toBe(page.replace('<link rel="preconnect" href="https://fonts.example">', ''));
    const policy = index.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src 'self' 'wasm-unsafe-eval' 'unsafe-hashes' 'sha256-[^']+' 'sha256-[^']+';/);
    expect(policy).not.toMatch(/https?:|\*|script-src[^;]*'unsafe-(inline|eval)'/);
    const script = await ask('/dev-ui/main.js');
    expect(script.headers.get('content-type')).toContain('text/javascript');
    expect(await (await ask('/dev-ui/assets/config/runtime-config.json')).json()).toEqual({ backendUrl: '' });
    expect((await ask('/dev-ui/none.js')).status).toBe(404);
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
