import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../test/folder.ts';
import { capture } from './__fixtures__/captured-io.ts';

const agent = `export const rootAgent = () => 'Hello';`;

describe('agent-criteria studio', () => {
  it('serves the folder until it is interrupted', async () => {
    const folder = folderOf({ 'greeter/agent.mjs': agent, 'agent-criteria.config.json': { repeats: 2 } });
    const stop = new AbortController();
    let seen: unknown;
    let output = '';
    const { code, err } = await capture(['studio', folder, '--port', '0', '--no-open'], {
      out: (text) => {
        output += text;
      },
      raw: async (text) => {
        const link = text.trim();
        const opened = await fetch(link, { redirect: 'manual' });
        const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
        seen = await (await fetch(new URL('/list-apps', link), { headers: { cookie } })).json();
        stop.abort();
      },
      drain: () => stop.signal,
    });
    expect(code).toBe(0);
    expect(seen).toEqual(['greeter']);
    expect(output).toContain('Agents: greeter');
    expect(err).toContain('agent-criteria.config.json');
  });

  it('reports a missing package', async () => {
    const nothing = await capture(['studio', folderOf({ 'a.txt': '' }), '--no-open']);
    expect(nothing).toMatchObject({ code: 2, err: expect.stringContaining('there is no agent and no eval set') });
    const port = await capture(['studio', '.', '--port', '70000']);
    expect(port).toMatchObject({ code: 2, err: expect.stringContaining('--port must be a whole number') });
    expect(await capture(['studio', 'a', 'b'])).toMatchObject({ code: 2 });
  });

  it('warns if no token is required', async () => {
    const folder = folderOf({ 'agent.mjs': agent });
    const stop = AbortSignal.abort();
    const { code, err } = await capture(['studio', folder, '--port', '0', '--no-open', '--allow-unauthenticated'], {
      drain: () => stop,
    });
    expect(code).toBe(0);
    expect(err).toContain('every program on this machine');
  });
});
