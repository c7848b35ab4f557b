// Long: starts many processes.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CriteriaError, type Json } from '@agent-criteria/core';
import type { ToolCall } from '@agent-criteria/core/host';
import { secretMask } from '@agent-criteria/masking';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { folderOf, writeFiles } from '../../../../test/folder.ts';
import {
  type AgentProcess,
  type AgentProcessOptions,
  filesOfFailure,
  startAgentProcess,
} from './start-agent-process.ts';

const home = process.cwd();
afterEach(() => process.chdir(home));

/** Starts the agent of a module, in a project with these other files. */
async function started(
  source: string,
  options: Partial<AgentProcessOptions> & { readonly more?: Readonly<Record<string, unknown>> } = {},
) {
  const { more = {}, ...own } = options;
  process.chdir(folderOf({ 'agent.mjs': source, ...more }));
  const one = await startAgentProcess({ path: 'agent.mjs', ...own });
  onTestFinished(() => one.close());
  return one;
}

const start = { key: { setId: 's', caseId: 'c', repeat: 0 }, userId: 'u', state: {} };
const message = (text: string) => ({ role: 'user', parts: [{ text }] });
const never = new AbortController().signal;

/** Opens a session, and returns a function that sends it a text and returns the text of the answer. */
async function talkTo({ agent }: Pick<AgentProcess, 'agent'>, more: object = {}) {
  const session = await agent.open({ ...start, ...more }, never);
  const say = async (text: string, options = {}): Promise<unknown> => {
    const { invocation } = await session.send(message(text), options);
    return invocation.finalResponse?.parts?.[0]?.text;
  };
  return Object.assign(say, { session });
}

describe('turns of an agent in a process of its own', () => {
  const source = `export default function counter(text, { state, history, signal, content }) {
    if (text === 'fail') throw new TypeError('the database is down');
    if (content.parts.length > 1) return content.parts[1].inlineData.data.length + ' ' + content.parts[1].inlineData.displayName;
    if (text === 'much') return 'x'.repeat(40e6);
    if (text === 'wait') return new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)));
    if (text === 'interrupt') {
      process.kill(process.pid, 'SIGINT');
      return new Promise((answer) => setTimeout(() => answer('still here'), 50));
    }
    if (text === 'variable') return String(process.env.ONLY_THERE);
    state.count = (state.count ?? 0) + 1;
    return [text, state.count, history.length].join(' ');
  }
  counter.supportsFiles = true;`;
  let one: AgentProcess;
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'agent-criteria-test-'));
    writeFiles(folder, { 'agent.mjs': source, '.env': 'ONLY_THERE=yes\n' });
    process.chdir(folder);
    one = await startAgentProcess({ path: 'agent.mjs' });
    process.chdir(home);
  });
  afterAll(async () => {
    await one.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('have the name, the state and the history of their session', async () => {
    expect(one.agent).toMatchObject({ name: 'counter', supportsHistory: true });
    const [first, second] = [await talkTo(one), await talkTo(one, { state: { count: 7 } })];
    expect([await first('a'), await first('b'), await second('c')]).toEqual(['a 1 0', 'b 2 1', 'c 8 0']);
    expect(await first.session.state()).toEqual({ count: 2 });
    expect(await second.session.state()).toEqual({ count: 8 });
  });

  it('fail with the message and the stack of their own error', async () => {
    const say = await talkTo(one);
    const { error } = await say.session.send(message('fail')).catch((thrown: Error) => ({ error: thrown }));
    expect(error).toMatchObject({ message: expect.stringContaining('the database is down') });
    expect(error?.stack).toMatch(/agent\.mjs:2:/);
    expect(await say('again')).toBe('again 1 0');
  });

  it('have the variables of the .env of their agent, which this process does not get', async () => {
    expect(await (await talkTo(one))('variable')).toBe('yes');
    expect(process.env.ONLY_THERE).toBeUndefined();
  });

  it('can be stopped, and the session answers the next one', async () => {
    const say = await talkTo(one);
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(say('wait', { signal: stop.signal })).rejects.toThrow('enough');
    expect(await say('next')).toMatch(/^next 1/);
  });

  it('go on when Ctrl-C in a terminal reaches their process, too', async () => {
    expect(await (await talkTo(one))('interrupt')).toBe('still here');
  });

  it('fail if their answer is too large, and the session answers the next one', async () => {
    const say = await talkTo(one);
    await expect(say('much')).rejects.toThrow('larger than 32 MB');
    expect(await say('little')).toMatch(/^little 1/);
  });

  it('have the files of their message, and fail if these are too large', async () => {
    const { session } = await talkTo(one);
    const withFile = (data: string) => ({
      role: 'user',
      parts: [{ text: 'Look' }, { inlineData: { mimeType: 'image/png', data, displayName: 'cat.png' } }],
    });
    expect(one.agent.supportsFiles).toBe(true);
    const { invocation } = await session.send(withFile('A'.repeat(4e6)));
    expect(invocation.finalResponse?.parts).toEqual([{ text: '4000000 cat.png' }]);
    await expect(session.send(withFile('A'.repeat(34e6)))).rejects.toThrow('at most 32.0 MB can be sent');
    expect((await session.send(withFile('AA=='))).invocation.finalResponse?.parts).toEqual([{ text: '4 cat.png' }]);
  });
});

describe('an agent in a process of its own', () => {
  it('reports events in order, changes of the state and artifacts', async () => {
    const one = await started(`export default {
      name: 'reporter',
      async open(start) {
        const state = { ...start.state };
        return {
          id: start.sessionId,
          async send(content, { onEvent }) {
            for (let count = 0; count < 100; count++) onEvent({ count });
            return { invocation: { userContent: content, finalResponse: { parts: [{ text: 'done' }] } } };
          },
          state: async () => state,
          changeState: async (delta) => void Object.assign(state, delta),
          artifacts: {
            list: async () => [{ name: 'a.txt', versions: [0] }],
            load: async (name, version) => (version === 0 ? { text: 'content' } : null),
          },
          close: async () => undefined,
        };
      },
    };`);
    const { session } = await talkTo(one, { sessionId: 'mine' });
    expect(session.id).toBe('mine');
    const events: Json[] = [];
    await session.send(message('go'), { onEvent: (event) => void events.push(event) });
    expect(events).toEqual(Array.from({ length: 100 }, (_, count) => ({ count })));
    await session.changeState?.({ a: 1 });
    expect(await session.state()).toEqual({ a: 1 });
    expect(await session.artifacts?.list()).toEqual([{ name: 'a.txt', versions: [0] }]);
    expect(await session.artifacts?.load('a.txt', 0)).toEqual({ text: 'content' });
    expect(await session.artifacts?.load('a.txt', 1)).toBeNull();
  });

  it('asks this process for the answers of simulated tools, and learns why there is none', async () => {
    const calls = pathToFileURL(join(import.meta.dirname, '../../../calls/src/index.ts')).href;
    const source = `import { openStubs } from '${calls}';
      export default {
        name: 'caller',
        supportsStubs: true,
        async open({ key, stubs = [], environment }, signal) {
          const answers = openStubs(stubs, key, environment);
          return {
            id: 'one',
            async send(userContent) {
              const { response } = await answers.call('look_up', { place: userContent.parts[0].text }, signal);
              return { invocation: { userContent, finalResponse: { parts: [{ text: JSON.stringify(response) }] } } };
            },
            state: async () => null,
            close: async () => undefined,
          };
        },
      };`;
    const stubs = [{ toolName: 'look_up', mockStrategyType: 'simulator' }];
    const answer = async ({ tool, args }: ToolCall) => {
      if (args.place === 'nowhere') throw new CriteriaError({ code: 'BUDGET_SPENT', message: 'no money left' });
      return { tool, ...args };
    };
    const one = await started(source);
    const say = await talkTo(one, { stubs, environment: { unlistedTools: 'real', answer } });
    expect(await say('Oslo')).toBe('{"tool":"look_up","place":"Oslo"}');
    await expect(say('nowhere')).rejects.toMatchObject({ code: 'BUDGET_SPENT', message: 'no money left' });
    const other = await talkTo(one, { environment: { unlistedTools: 'error', answer } });
    await expect(other('Oslo')).rejects.toThrow('no stub lists');
  });

  it('masks secrets that only it knows, and those that only this process knows', async () => {
    const mask = secretMask({ environment: { THEIR_API_KEY: 'known-over-there' } });
    const say = await talkTo(
      await started(
        `process.env.LATE_TOKEN = 'set-while-loading';
         export default () => 'set-while-loading and known-over-there and in-the-file-only';`,
        { mask, more: { '.env': 'SHOP_API_KEY=in-the-file-only\n' } },
      ),
    );
    expect(await say('?')).toBe('[masked: LATE_TOKEN] and [masked: THEIR_API_KEY] and [masked: SHOP_API_KEY]');
  });

  it('is not ended if a turn waits forever, which fails with the reason of the stop', async () => {
    const one = await started("export default (text) => text === 'wait' ? new Promise(() => undefined) : 'fine';", {
      grace: 50,
    });
    const say = await talkTo(one);
    await expect(say('wait', { signal: AbortSignal.timeout(100) })).rejects.toThrow(/timeout/i);
    expect(await (await talkTo(one))('other')).toBe('fine');
  });

  it('is ended if a turn computes forever after it was stopped', async () => {
    const one = await started("export default (text) => { while (text === 'loop'); return 'fine'; };", { grace: 1000 });
    const [looping, other] = [await talkTo(one), await talkTo(one)];
    const loop = looping('loop', { signal: AbortSignal.timeout(100) });
    await expect(loop).rejects.toThrow(/timeout/i);
    await expect(other('?')).rejects.toThrow('did not react for 2 s after it was stopped');
    expect(await one.ended).toContain('did not react');
  });

  it('fails all turns with the reason if it exits', async () => {
    const one = await started(
      "export default (text) => text === 'exit' ? process.exit(0) : new Promise(() => undefined);",
    );
    const [waiting, exiting] = [await talkTo(one), await talkTo(one)];
    const both = await Promise.allSettled([waiting('?'), exiting('exit')]);
    for (const { reason: error } of both as PromiseRejectedResult[]) {
      expect(error).toBeInstanceOf(CriteriaError);
      expect(error).toMatchObject({ code: 'AGENT_FAILED' });
      expect(error.message).toBe(
        'the agent has no answer: its process ended with exit code 0, perhaps by process.exit',
      );
    }
    await expect(one.agent.open(start, never)).rejects.toThrow('exit code 0');
  });

  it('reports no faster than its events are read, and is ended at the limit for one turn', async () => {
    const one = await started(`export default {
      name: 'flood',
      open: async () => ({
        id: 'x',
        async send(content, { onEvent }) {
          const text = 'x'.repeat(1_000_000);
          for (;;) onEvent({ text, memory: process.memoryUsage().rss });
        },
        state: async () => null,
        close: async () => undefined,
      }),
    };`);
    const { session } = await talkTo(one);
    let most = 0;
    let count = 0;
    const onEvent = (event: Json): void => {
      count += 1;
      most = Math.max(most, (event as { readonly memory: number }).memory);
    };
    await expect(session.send(message('go'), { onEvent })).rejects.toThrow('events of one turn are larger than 64 MB');
    expect(count).toBeGreaterThan(50);
    expect(most).toBeLessThan(500e6);
  });

  it('knows the files that it has imported and read, also later, without packages and hidden folders', async () => {
    const one = await started(
      `import { readFileSync } from 'node:fs';
       import { readFile } from 'node:fs/promises';
       import { name } from './lib/name.mjs';
       import 'some-package';
       readFileSync('.git/config');
       const prompt = readFileSync(new URL('prompt.md', import.meta.url), 'utf8');
       export default async (text) => {
         if (text === 'later') await import('./lib/later.mjs');
         return name + prompt + (await readFile('late.txt', 'utf8'));
       };`,
      {
        more: {
          'lib/name.mjs': "export const name = 'N';",
          'lib/later.mjs': '',
          'lib/unused.mjs': '',
          'node_modules/some-package/package.json': { name: 'some-package', main: 'index.js' },
          'node_modules/some-package/index.js': '',
          '.git/config': '',
          'prompt.md': 'P',
          'late.txt': 'L',
        },
      },
    );
    const names = () =>
      [...one.files.keys()].map((file) => file.slice(process.cwd().length + 1).replaceAll('\\', '/')).sort();
    expect(names()).toEqual(['agent.mjs', 'lib/name.mjs', 'prompt.md']);
    expect(await (await talkTo(one))('later')).toBe('NPL');
    expect(names()).toEqual(['agent.mjs', 'late.txt', 'lib/later.mjs', 'lib/name.mjs', 'prompt.md']);
  });

  it('loads TypeScript, whose files it knows', async () => {
    process.chdir(
      folderOf({
        'agent.ts':
          "import { name } from './name.js';\nexport const rootAgent = (text: string): string => name + ' ' + text;",
        'name.ts': "export const name: string = 'typed';",
      }),
    );
    const one = await startAgentProcess({ path: 'agent.ts' });
    onTestFinished(() => one.close());
    expect(await (await talkTo(one))('hello')).toBe('typed hello');
    expect([...one.files.keys()].map((file) => file.split(/[\\/]/).at(-1)).sort()).toEqual(['agent.ts', 'name.ts']);
  });
});

describe('an agent that does not load in its process', () => {
  it('is refused with the error of its module, and with the files to watch', async () => {
    const error = await started("import './broken.mjs';\nexport default () => 'x';", {
      more: { 'broken.mjs': 'export const x = ;' },
    }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'AGENT_FAILED' });
    expect(error.message).toContain('the agent module does not load');
    expect([...filesOfFailure(error).keys()].map((file) => file.split(/[\\/]/).at(-1)).sort()).toEqual([
      'agent.mjs',
      'broken.mjs',
    ]);
    writeFiles('.', { 'broken.mjs': 'export const x = 1;' });
    const repaired = await startAgentProcess({ path: 'agent.mjs' });
    await repaired.close();
    expect(readFileSync(join(process.cwd(), 'broken.mjs'), 'utf8')).toContain('= 1');
  });

  it('is refused if its module ends the process', async () => {
    await expect(started('process.exit(3);')).rejects.toThrow('its process ended with exit code 3');
  });
});
