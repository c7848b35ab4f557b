import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { freePort } from '../../../../test/free-port.ts';
import { openProject } from '../config/open-project.ts';
import { createAgentHosts } from './agent-hosts.ts';

const home = process.cwd();
afterEach(() => process.chdir(home));

it('createAgentHosts() gives the first of several agents the port for a debugger, and the others a free one', async () => {
  const source = "import { url } from 'node:inspector'; export default () => url();";
  process.chdir(folderOf({ 'one/agent.mjs': source, 'two/agent.mjs': source }));
  const inspect = await freePort();
  const hosts = createAgentHosts({ project: await openProject({ agent: '.' }), environment: process.env, inspect });
  onTestFinished(() => hosts.close());
  const addressOf = async (name: string) => {
    const { agent } = await hosts.of({ file: join(process.cwd(), name, 'agent.mjs'), agentName: undefined }).lease();
    const start = { key: { setId: 's', caseId: 'c', repeat: 0 }, userId: 'u', state: {} };
    const session = await agent.open(start, new AbortController().signal);
    const { invocation } = await session.send({ role: 'user', parts: [{ text: 'x' }] });
    return new URL(String(invocation.finalResponse?.parts?.[0]?.text));
  };
  const [one, two] = [await addressOf('one'), await addressOf('two')];
  expect(Number(one.port)).toBe(inspect);
  expect(Number(two.port)).not.toBe(inspect);
  expect([one, two].map(({ protocol, hostname }) => `${protocol}${hostname}`)).toEqual([
    'ws:127.0.0.1',
    'ws:127.0.0.1',
  ]);
});
