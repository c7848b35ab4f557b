// Runs a turn with the given number of events of 1 kB each, and prints how many of them the agent received.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { httpAgent } from '../http-agent.ts';

const COUNT = Number(process.argv[2]);
const event = JSON.stringify({
  author: 'agent',
  invocationId: 'turn',
  content: { role: 'model', parts: [{ text: 'x'.repeat(900) }] },
});

const server = createServer(async (request, response) => {
  for await (const _ of request);
  if (request.url !== '/run_sse') {
    response.setHeader('content-type', 'application/json');
    return response.end(request.url === '/list-apps' ? '["app"]' : '{"id":"session","state":{}}');
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let count = 0; count < COUNT; count++) {
    if (!response.write(`data: ${event}\n\n`)) await once(response, 'drain');
  }
  return response.end();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;

const agent = httpAgent(`http://127.0.0.1:${port}`, { route: 'run_sse' });
const { signal } = new AbortController();
const key = { setId: 'set', caseId: 'case', repeat: 0 };
const session = await agent.open({ key, userId: 'user', state: {} }, signal);
const { invocation, error } = await session.send({ role: 'user', parts: [{ text: 'Go on.' }] });
const data = invocation.intermediateData;
const taken = data && 'invocationEvents' in data ? (data.invocationEvents ?? []).length : 0;
console.log(error?.message ?? `${taken} events`);
server.closeAllConnections();
server.close();
