import { join } from 'node:path';
import { type AgentAdapter, createRegistry } from '@agent-criteria/core';
import { message } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../__fixtures__/folder.ts';
import { findAgent, loadAgent } from './load-agent.ts';

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
  ])('takes rootAgent, then agent, then default: %s', async (source, answer) => {
    for (const file of ['a.ts', 'a.mjs'])
      expect((await answerOf(join(folderOf({ [file]: source }), file))).answer).toBe(answer);
  });

  it('names an agent after its function, else after its folder', async () => {
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

  it('takes an object with open as it is, and an adapter before all else', async () => {
    const folder = folderOf({
      'a.ts': 'export const agent = { name: "mine", open() {} }; export const rootAgent = undefined;',
    });
    expect((await loadAgent(join(folder, 'a.ts'))).name).toBe('mine');
    const adapter: AgentAdapter = {
      kind: 'agent-adapter',
      specVersion: 1,
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
      'the module exports no agent: export one as rootAgent, agent or default (it exports helper)',
    ],
    ['', 'the module exports no agent: export one as rootAgent, agent or default (it exports nothing)'],
    [
      'export const agent = { tools: [] };',
      'its export "agent": a value of type object is no agent: give an async function',
    ],
  ])('refuses a module that says %j', async (source, told) => {
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
  ])('finds the agent of a folder with %j', async (names, found) => {
    const folder = folderOf(Object.fromEntries(names.map((name) => [name, ''])));
    expect(await findAgent(folder)).toBe(join(folder, found));
  });

  it('refuses what is not there, a folder without agent, and what is no module', async () => {
    const folder = folderOf({ 'agent.py': '', 'agent/agent.txt': '' });
    const told = (path: string, text: string) => ({
      code: 'AGENT_NOT_FOUND',
      message: expect.stringContaining(`${path}: ${text}`),
    });
    const none = join(folder, 'none');
    await expect(findAgent(none)).rejects.toMatchObject(told(none, 'there is no such file or folder'));
    await expect(findAgent(folder)).rejects.toMatchObject(
      told(folder, 'the folder has no agent: expected one of agent.ts'),
    );
    const python = join(folder, 'agent.py');
    await expect(findAgent(python)).rejects.toMatchObject(
      told(python, 'this is no module: an agent is written in one of .ts'),
    );
  });
});
