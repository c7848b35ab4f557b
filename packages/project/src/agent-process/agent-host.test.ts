// Long: starts many processes.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { folderOf, writeFiles } from '../../../../test/folder.ts';
import { freePort } from '../../../../test/free-port.ts';
import { type AgentLease, createAgentHost } from './agent-host.ts';

const home = process.cwd();
afterEach(() => process.chdir(home));

function hostOf(files: Readonly<Record<string, unknown>>) {
  process.chdir(folderOf(files));
  const host = createAgentHost({ path: 'agent.mjs', alsoOf: [join(process.cwd(), '.env')] });
  onTestFinished(() => host.close());
  return host;
}

const never = new AbortController().signal;
const start = { key: { setId: 's', caseId: 'c', repeat: 0 }, userId: 'u', state: {} };

async function answerOf({ agent }: AgentLease): Promise<unknown> {
  const session = await agent.open(start, never);
  const { invocation } = await session.send({ role: 'user', parts: [{ text: 'x' }] });
  return invocation.finalResponse?.parts?.[0]?.text;
}

it('createAgentHost() keeps the process until a file of the agent, or its .env, changes', async () => {
  const host = hostOf({
    'agent.mjs':
      "import { name } from './name.mjs'; export default () => [name, process.pid, String(process.env.TONE)].join(' ');",
    'name.mjs': "export const name = 'one';",
    'unrelated.mjs': '',
  });
  const first = await host.lease();
  const answer = await answerOf(first);
  expect(answer).toMatch(/^one \d+ undefined$/);
  first.release();
  writeFiles('.', { 'unrelated.mjs': 'export {};' });
  expect(host.changed()).toEqual([]);
  const same = await host.lease();
  expect(await answerOf(same)).toBe(answer);
  same.release();

  writeFiles('.', { 'name.mjs': "export const name = 'two';" });
  expect(host.changed()).toEqual([join(process.cwd(), 'name.mjs')]);
  const second = await host.lease();
  expect(await answerOf(second)).toMatch(/^two \d+ undefined$/);
  second.release();

  writeFiles('.', { '.env': 'TONE=kind\n' });
  const third = await host.lease();
  expect(await answerOf(third)).toMatch(/^two \d+ kind$/);
});

it('createAgentHost() lets a lease end with the code that it began with', async () => {
  const host = hostOf({ 'agent.mjs': "export default () => 'old';" });
  const before = await host.lease();
  writeFiles('.', { 'agent.mjs': "export default () => 'new';" });
  const after = await host.lease();
  expect(await Promise.all([answerOf(before), answerOf(after)])).toEqual(['old', 'new']);
  before.release();
  await expect.poll(() => answerOf(before).catch(({ message }) => message)).toContain('its process was ended');
  expect(await answerOf(after)).toBe('new');
});

it('createAgentHost() fails for a broken module, and loads it again once it is repaired', async () => {
  const host = hostOf({ 'agent.mjs': 'export default (' });
  await expect(host.lease()).rejects.toThrow('does not load');
  expect([...host.files().keys()]).toContain(join(process.cwd(), 'agent.mjs'));
  expect(host.changed()).toEqual([]);
  writeFileSync('agent.mjs', "export default () => 'repaired';");
  expect(host.changed()).toEqual([join(process.cwd(), 'agent.mjs')]);
  expect(await answerOf(await host.lease())).toBe('repaired');
});

it('createAgentHost() starts a new process after the old one released the port that both need', async () => {
  const source = (text: string) => `import { createServer } from 'node:http';
    const server = createServer().listen(Number(process.env.SHARED_PORT), '127.0.0.1');
    await new Promise((done, fail) => server.once('listening', done).once('error', fail));
    export default () => '${text}';`;
  const port = await freePort();
  const host = hostOf({ 'agent.mjs': source('old'), '.env': `SHARED_PORT=${port}\n` });
  const before = await host.lease();
  writeFiles('.', { 'agent.mjs': source('new') });
  const after = host.lease();
  setTimeout(() => before.release(), 1500);
  expect(await answerOf(await after)).toBe('new');
});

it('createAgentHost() tries again if the old process has ended by the time that the new one reports the busy port', async () => {
  const source = (text: string) => `import { createServer } from 'node:http';
    import { existsSync, writeFileSync } from 'node:fs';
    const server = createServer().listen(Number(process.env.SHARED_PORT), '127.0.0.1');
    await new Promise((done, fail) => server.once('listening', done).once('error', fail)).catch(async (error) => {
      writeFileSync('refused', '');
      while (!existsSync('go')) await new Promise((done) => setTimeout(done, 20));
      throw error;
    });
    export default () => '${text}';`;
  const port = await freePort();
  const isFree = () =>
    freePort(port).then(
      () => true,
      () => false,
    );
  const host = hostOf({ 'agent.mjs': source('old'), '.env': `SHARED_PORT=${port}\n` });
  const before = await host.lease();
  writeFiles('.', { 'agent.mjs': source('new') });
  const after = host.lease();
  await expect.poll(() => existsSync('refused'), { timeout: 30_000 }).toBe(true);
  before.release();
  await expect.poll(isFree, { timeout: 30_000 }).toBe(true);
  // The host hears of the end of a process when its streams are closed, too.
  await new Promise((done) => setTimeout(done, 500));
  writeFiles('.', { go: '' });
  expect(await answerOf(await after)).toBe('new');
});

it('createAgentHost() starts a new process after one has exited', async () => {
  const host = hostOf({
    'agent.mjs':
      "export default (text) => (globalThis.count = (globalThis.count ?? 0) + 1) > 1 ? process.exit(1) : 'fine';",
  });
  const first = await host.lease();
  expect(await answerOf(first)).toBe('fine');
  await expect(answerOf(first)).rejects.toThrow('exit code 1');
  expect(await answerOf(await host.lease())).toBe('fine');
});

it('createAgentHost() lets a debugger connect on a port, and on a free one while the old process holds it', async () => {
  const port = await freePort();
  const source = (name: string) => `import { url } from 'node:inspector'; export default () => '${name} ' + url();`;
  process.chdir(folderOf({ 'agent.mjs': source('first') }));
  const host = createAgentHost({ path: 'agent.mjs', alsoOf: [], inspect: port });
  onTestFinished(() => host.close());
  const first = await host.lease();
  expect(await answerOf(first)).toContain(`first ws://127.0.0.1:${port}/`);
  writeFiles('.', { 'agent.mjs': source('second') });
  const second = await host.lease();
  expect(await answerOf(second)).toMatch(/^second ws:/);
  expect(await answerOf(second)).not.toContain(`:${port}/`);
  first.release();
  second.release();
  await expect.poll(() => answerOf(first).catch(({ message }) => message)).toContain('its process was ended');
  writeFiles('.', { 'agent.mjs': source('third') });
  expect(await answerOf(await host.lease())).toContain(`third ws://127.0.0.1:${port}/`);
});
