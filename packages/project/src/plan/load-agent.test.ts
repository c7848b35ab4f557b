import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AgentAdapter } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { message } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { adaptAgent, findAgent, installedAdapters, loadAgent } from './load-agent.ts';

async function answerOf(path: string): Promise<{ name: string; answer: unknown }> {
  const agent = await loadAgent(path);
  const start = { key: { setId: 's', caseId: 'c', repeat: 0 }, userId: 'u', state: {} };
  const session = await agent.open(start, new AbortController().signal);
  const { invocation } = await session.send(message('user', 'Hi'));
  return { name: agent.name, answer: invocation.finalResponse?.parts?.[0]?.text };
}

describe('loadAgent', () => {
  it.each([
    [
      'agent.ts',
      "const name: string = 'ts'; export const agent = (text: string): string => [text, name].join(' ');",
      'Hi ts',
    ],
    ['agent.mts', "export const agent = (text: string) => text + ' mts';", 'Hi mts'],
    ['agent.cts', "export const agent = (text: string) => text + ' cts';", 'Hi cts'],
    ['agent.js', "module.exports.agent = (text) => text + ' js';", 'Hi js'],
    ['agent.mjs', "export const agent = (text) => text + ' mjs';", 'Hi mjs'],
    ['agent.cjs', "exports.agent = (text) => text + ' cjs';", 'Hi cjs'],
  ])('loads %s', async (name, source, answer) => {
    expect((await answerOf(join(folderOf({ [name]: source }), name))).answer).toBe(answer);
  });

  it.each([
    [
      "export const agent = () => 'agent'; export const rootAgent = () => 'root'; export default () => 'default';",
      'root',
    ],
    ["export const agent = () => 'agent'; export default () => 'default';", 'agent'],
    ["export const other = 1; export default () => 'default';", 'default'],
    ["export const agent = () => 'agent'; export const root_agent = () => 'as in Python';", 'as in Python'],
  ])('chooses rootAgent, then agent, then default: %s', async (source, answer) => {
    for (const file of ['a.ts', 'a.mjs'])
      expect((await answerOf(join(folderOf({ [file]: source }), file))).answer).toBe(answer);
  });

  it('names an agent after its function, or else after its folder', async () => {
    const folder = folderOf({
      'kitchen/agent.ts': "export default async () => 'x';",
      'hall/agent.cjs': "exports.agent = () => 'x';",
      'attic/agent.ts': "export default function butler() { return 'x'; }",
    });
    const names = await Promise.all(
      ['kitchen', 'hall/agent.cjs', 'attic'].map(async (room) => (await loadAgent(join(folder, room))).name),
    );
    expect(names).toEqual(['kitchen', 'hall', 'butler']);
  });

  it('prefers an adapter, and otherwise uses an object that has an open method unchanged', async () => {
    const folder = folderOf({
      'a.ts': 'export const agent = { name: "mine", open() {} }; export const rootAgent = undefined;',
    });
    expect((await loadAgent(join(folder, 'a.ts'))).name).toBe('mine');
    const adapter: AgentAdapter = {
      kind: 'agent-adapter',
      specVersion: 3,
      name: 'test',
      origin: { package: 'test', version: '1.0.0' },
      accepts: (exported) => typeof exported === 'object' && exported !== null && 'name' in exported,
      adapt: (exported, file) => ({
        name: `${(exported as { name: string }).name} of ${file}`,
        open: () => Promise.reject(new Error('no')),
      }),
    };
    const registry = createRegistry([adapter]);
    expect((await loadAgent(join(folder, 'a.ts'), registry)).name).toBe(`mine of ${join(folder, 'a.ts')}`);
  });

  it.each([
    [
      'export const helper = 1;',
      'the module exports no agent: export it as rootAgent, agent or default (it exports helper)',
    ],
    ['', 'the module exports no agent: export it as rootAgent, agent or default (it exports nothing)'],
    [
      'export const agent = { tools: [] };',
      'its export "agent": a value of type object is not an agent: use an async function',
    ],
  ])('rejects the module %j', async (source, told) => {
    for (const name of ['a.ts', 'a.mjs']) {
      const file = join(folderOf({ [name]: source }), name);
      await expect(loadAgent(file)).rejects.toMatchObject({
        code: 'AGENT_NOT_FOUND',
        message: expect.stringContaining(`${file}: ${told}`),
      });
    }
  });
});

describe('findAgent', () => {
  it.each([
    [['index.js', 'agent.js', 'agent.ts'], 'agent.ts'],
    [['index.ts', 'agent.mjs'], 'agent.mjs'],
    [['index.ts', 'index.js'], 'index.ts'],
    [['index.mjs'], 'index.mjs'],
    [['agent.ts', 'app.cjs', 'index.ts'], 'app.cjs'],
    [['agent.cts', 'index.ts'], 'agent.cts'],
    [['app.mts', 'app.js', 'agent.ts'], 'app.mts'],
  ])('finds the agent of a folder with %j', async (names, found) => {
    const folder = folderOf(Object.fromEntries(names.map((name) => [name, ''])));
    expect(await findAgent(folder)).toBe(join(folder, found));
  });

  it('rejects a missing path, a folder without an agent and a file that is not a module', async () => {
    const folder = folderOf({ 'agents/weather/agent.py': '', 'agent.txt': '' });
    const told = (path: string, text: string) => ({
      code: 'AGENT_NOT_FOUND',
      message: expect.stringContaining(`${path}: ${text}`),
    });
    const none = join(folder, 'none');
    await expect(findAgent(none)).rejects.toMatchObject(told(none, 'there is no such file or folder'));
    await expect(findAgent(folder)).rejects.toMatchObject(
      told(folder, 'the folder has no agent: expected one of app.ts, app.mts, app.cts, app.js'),
    );
    const text = join(folder, 'agent.txt');
    await expect(findAgent(text)).rejects.toMatchObject(
      told(text, 'this is not a module: an agent file must end in one of .ts'),
    );
    const python = join(folder, 'agents/weather');
    for (const path of [python, join(python, 'agent.py')]) {
      await expect(findAgent(path)).rejects.toMatchObject(
        told(path, 'this is a Python agent, which runs in its own server: start it with adk api_server '),
      );
      await expect(findAgent(path)).rejects.toThrow(
        `adk api_server ${join(folder, 'agents')}, then evaluate http://127.0.0.1:8000/apps/weather instead of the folder`,
      );
    }
  });
});

const adapter = (accepts: AgentAdapter['accepts']): AgentAdapter => ({
  kind: 'agent-adapter',
  specVersion: 3,
  name: 'test',
  origin: { package: 'test', version: '1.0.0' },
  accepts,
  adapt: (value, file) => ({
    name: `${typeof value === 'string' ? value : (value as { name: string }).name} of ${file}`,
    open: () => Promise.reject(new Error('no')),
  }),
});
const marks = `const mark = (name, key, more = {}) => ({ name, [Symbol.for('google.adk.' + key)]: true, ...more });
  const agent = (name) => mark(name, 'baseAgent'); const workflow = (name) => mark(name, 'workflow.workflow');
  const app = (name) => mark(name, 'app', { rootAgent: agent('root of ' + name) });`;
const adkLike = `const leaf = { name: 'leaf', async *runAsync() {} };
  export const other = { name: 'other', async *runAsync() {} };
  export const rootAgent = { name: 'root', async *runAsync() {}, subAgents: [leaf], findAgent: (name) => [leaf].find((agent) => agent.name === name) };`;

describe('loadAgent with the name of an agent', () => {
  const registry = createRegistry([
    adapter((value) => typeof value === 'object' && value !== null && 'runAsync' in value),
  ]);

  it.each([
    ['root', 'root'],
    ['leaf', 'leaf'],
    ['other', 'other'],
  ])("finds %s below the module's agent or among its exports", async (agentName, found) => {
    const file = join(folderOf({ 'agent.mjs': adkLike }), 'agent.mjs');
    expect((await loadAgent(file, registry, { agentName })).name).toBe(`${found} of ${file}`);
  });

  it('finds an agent that is a function', async () => {
    const folder = folderOf({
      'agent.ts': "export const agent = () => 'a'; export async function flights() { return 'f'; }",
    });
    expect((await loadAgent(folder, registry, { agentName: 'flights' })).name).toBe('flights');
  });

  it('rejects an unknown name and lists the known ones', async () => {
    const file = join(folderOf({ 'agent.mjs': adkLike }), 'agent.mjs');
    await expect(loadAgent(file, registry, { agentName: 'leef' })).rejects.toMatchObject({
      code: 'AGENT_NOT_FOUND',
      message: `${file}: there is no agent named "leef"; did you mean "leaf"? (known: root, other, leaf)`,
    });
  });
});

describe('an agent behind a URL', () => {
  it('is passed to the adapter that accepts it', async () => {
    const registry = createRegistry([adapter((value) => typeof value === 'string' && value.startsWith('https://'))]);
    expect((await loadAgent('https://host/agent', registry)).name).toBe('https://host/agent of https://host/agent');
    expect(await findAgent('HTTP://host/agent')).toBe('HTTP://host/agent');
    await expect(loadAgent('https://host/agent', registry, { agentName: 'x' })).rejects.toMatchObject({
      code: 'USAGE',
    });
  });

  it('is rejected with an install line for the adapter if it is missing', async () => {
    // Runs in another folder, because this workspace has the adapter installed.
    const script = `import { loadAgent } from ${JSON.stringify(new URL('load-agent.ts', import.meta.url).href)};
      await loadAgent('http://host/agent').catch((error) => console.log(error.code, error.message));`;
    const { NODE_PATH: _, ...env } = process.env;
    const options = ['--conditions=@agent-criteria/source', '--no-warnings', '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: folderOf({}), env });
    expect(stdout).toContain('AGENT_NOT_FOUND http://host/agent: ');
    expect(stdout).toContain('npm install --save-dev @agent-criteria/agent-http');
  });
});

describe('an agent of @google/adk', () => {
  it.each([
    ["export const rootAgent = agent('b'); const a = app('a'); export { a as app };", 'a'],
    ["export const rootApp = app('a'); export const other = app('b'); export default app('c');", 'a'],
    ["export default app('a'); export const other = app('b'); export const rootAgent = agent('c');", 'a'],
    ["export const anything = app('a'); export const rootAgent = agent('b');", 'a'],
    ["const b = agent('b'); export { b as app }; export const rootAgent = agent('a');", 'a'],
    ["export const rootAgent = workflow('a'); export default agent('b');", 'a'],
    ["const b = agent('b'); export { b as agent }; export default workflow('a');", 'a'],
    ["const a = agent('a'); export { a as agent }; export const first = agent('b');", 'a'],
    ["export const able = agent('a'); const b = agent('b'); export { b as agent };", 'a'],
    ["export const able = agent('b'); function a() {} export { a as agent };", 'a'],
    // Node sorts exports by name, not by their order in the source.
    ["export const one = 1; export const two = agent('b'); export const three = workflow('a');", 'a'],
    ["function a() {} export { a as default }; export const first = agent('b');", 'a'],
  ])('is chosen as by adk run: %s', async (exports, found) => {
    const registry = createRegistry([adapter((value) => typeof value === 'object')]);
    const folder = folderOf({ 'default/agent.mjs': `${marks}\n${exports}` });
    expect((await loadAgent(join(folder, 'default'), registry)).name.split(' of ')[0]).toBe(found);
  });

  it('is given the path of its file if it was made by adkAgent', async () => {
    const source = `export default { name: 'made', open() {}, [Symbol.for('@agent-criteria/agent-adk/source')]: {} };`;
    const file = join(folderOf({ 'agent.mjs': source }), 'agent.mjs');
    const registry = createRegistry([adapter((value) => typeof value === 'object')]);
    expect((await loadAgent(file, registry)).name).toBe(`made of ${file}`);
  });

  const installed = {
    'node_modules/@agent-criteria/agent-adk/package.json': {
      name: '@agent-criteria/agent-adk',
      type: 'module',
      exports: { './pure': './pure.js' },
    },
    'node_modules/@agent-criteria/agent-adk/pure.js': `export const adk = { kind: 'agent-adapter', specVersion: 3, name: 'adk',
      origin: { package: '@agent-criteria/agent-adk', version: '1.0.0' }, accepts: (value) => 'runAsync' in value,
      adapt: (value) => ({ name: 'adapted ' + value.name, open() {} }) };`,
  };

  it('is adapted by our adapter if it is installed', async () => {
    const folder = folderOf({ 'agent.mjs': adkLike, ...installed });
    expect((await loadAgent(folder, createRegistry())).name).toBe('adapted root');
  });

  it('is rejected with an install line for the adapter if it is missing', async () => {
    const told = {
      code: 'AGENT_NOT_FOUND',
      message: expect.stringContaining('npm install --save-dev @agent-criteria/agent-adk'),
    };
    await expect(loadAgent(folderOf({ 'agent.mjs': adkLike }), createRegistry())).rejects.toMatchObject(told);
    await expect(adaptAgent({ name: 'app', rootAgent: { runAsync() {} } }, createRegistry())).rejects.toMatchObject(
      told,
    );
  });
});

describe('an agent of the A2A protocol', () => {
  it.each(['a2a+http://127.0.0.1:1', 'http://127.0.0.1:1/.well-known/agent-card.json'])(
    'at %s is adapted by our adapter for it',
    async (url) => {
      expect(await loadAgent(url, createRegistry())).toMatchObject({ name: '127.0.0.1:1', supportsFiles: true });
      const [adapter] = await installedAdapters(url);
      expect(adapter).toMatchObject({ name: 'a2a', origin: { package: '@agent-criteria/agent-a2a' } });
    },
  );
});

describe('an agent of the AI SDK', () => {
  const like = "export const supportAgent = { version: 'agent-v1', id: 'support', generate() {}, stream() {} };";
  const name = '@agent-criteria/agent-ai-sdk';

  it('is found under any name, and adapted by our adapter if it is installed', async () => {
    const folder = folderOf({
      'agent.mjs': `export const other = 1; ${like}`,
      [`node_modules/${name}/package.json`]: { name, type: 'module', exports: { './pure': './pure.js' } },
      [`node_modules/${name}/pure.js`]: `export const aiSdk = { kind: 'agent-adapter', specVersion: 3, name: 'ai-sdk',
        origin: { package: '${name}', version: '1.0.0' }, accepts: (value) => value.version === 'agent-v1',
        adapt: (value) => ({ name: 'adapted ' + value.id, open() {} }) };`,
    });
    expect((await loadAgent(folder, createRegistry())).name).toBe('adapted support');
  });
});
