// A client of the Model Context Protocol: starts `agent-criteria mcp` for the working folder, sends it requests over
// standard input, one after another, and prints its answers. Each argument is a request: `tools/list`, or the name of a
// tool, perhaps followed by a space and arguments as JSON.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';

const bin = 'node_modules/@agent-criteria/cli/src/bin.ts';
const server = spawn(process.execPath, [...process.execArgv, bin, 'mcp'], { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

let id = 0;
async function request(method, params) {
  id += 1;
  send({ id, method, params });
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the server ended before it answered ${method}`);
    const answer = JSON.parse(value);
    if (answer.id === id) return answer;
  }
}

function toolText({ name, description, inputSchema, annotations }) {
  const { properties = {}, required = [] } = inputSchema;
  const names = Object.keys(properties).map((key) => (required.includes(key) ? key : `${key}?`));
  return `${name}(${names.join(', ')})${annotations.readOnlyHint ? '' : ', not only reads'}: ${description}`;
}

const clientInfo = { name: 'corpus', version: '1.0.0' };
const { result } = await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
send({ method: 'notifications/initialized' });
console.log(`${result.serverInfo.name}, protocol ${result.protocolVersion}\n${result.instructions}\n`);

for (const asked of process.argv.slice(2)) {
  const [, name, given = '{}'] = /^(\S+) ?(.+)?$/.exec(asked) ?? [];
  console.log(`> ${asked}`);
  if (name === 'tools/list') {
    const { tools } = (await request(name, {})).result;
    console.log(`${tools.map(toolText).join('\n')}\n`);
  } else {
    const answer = await request('tools/call', { name, arguments: JSON.parse(given) });
    const { content, isError } = answer.result ?? { content: [{ text: JSON.stringify(answer.error) }], isError: true };
    console.log(`${isError ? 'error: ' : ''}${content.map(({ text }) => text).join('\n')}\n`);
  }
}

server.stdin.end();
const [code] = await once(server, 'close');
console.log(`the server ended with exit code ${code}`);
