// Isolated: it mocks a module.
import { createRegistry } from '@agent-criteria/core/host';
import { expect, it, vi } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { loadAgent } from './load-agent.ts';

/** Simulates a project without the adapter, because this workspace has it. */
vi.mock(import('../files/import-module.ts'), async (original) => {
  const modules = await original();
  const resolveFrom: typeof modules.resolveFrom = async (name, folder) =>
    /agent-(?:ai-sdk|a2a)/.test(name) ? undefined : modules.resolveFrom(name, folder);
  return { ...modules, resolveFrom };
});

it('an agent of the AI SDK is rejected with an install line for its adapter if that is missing', async () => {
  const like = "export const agent = { version: 'agent-v1', generate() {}, stream() {} };";
  await expect(loadAgent(folderOf({ 'agent.mjs': like }), createRegistry())).rejects.toMatchObject({
    code: 'AGENT_NOT_FOUND',
    message: expect.stringContaining('npm install --save-dev @agent-criteria/agent-ai-sdk'),
  });
});

it.each(['a2a+http://127.0.0.1:1', 'https://host/.well-known/agent-card.json'])(
  'the agent of the A2A protocol at %s is rejected with an install line for its adapter if that is missing',
  async (url) => {
    await expect(loadAgent(url, createRegistry())).rejects.toMatchObject({
      code: 'AGENT_NOT_FOUND',
      message: expect.stringMatching(/A2A protocol.*npm install --save-dev @agent-criteria\/agent-a2a/),
    });
  },
);
