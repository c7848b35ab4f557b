import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Captured, captureAsGiven } from '../../packages/cli/src/__fixtures__/captured-io.ts';
import { importModule } from '../../packages/project/src/files/import-module.ts';
import { type Answer, type Asked, startFakeResponses } from './fixtures/fake-responses.ts';
import { projectWith } from './fixtures/installed.ts';
import { files, guide, programs, readme } from './fixtures/pages.ts';

// The page about agents of the AI SDK and the README of its adapter, followed as a new user would: with the AI SDK's own
// client of OpenAI, and a server that behaves like OpenAI's.

const blocks = (opening: string): readonly string[] =>
  Array.from(guide.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)).flatMap(([, found, body = '']) =>
    found === opening ? body : [],
  );
const [orders = '', plans = ''] = blocks('json eval-set');
const [config = ''] = blocks('json eval-config');
const [prices = ''] = blocks('json project-config');
const [output = '', failure = '', cost = ''] = blocks('text');

/** Answers as a model would that follows the instructions on the page. */
const model: Answer = ({ instructions, items }: Asked) => {
  const last = items.at(-1);
  const number = items.findLast(({ args }) => args !== null)?.args as { number?: string } | undefined;
  if (last?.type === 'function_call_output') return `Order ${number?.number} ${is(JSON.parse(last.text).status)}.`;
  const asked = /\d{4}/.exec(last?.text ?? '')?.[0];
  if (asked !== undefined) return { call: 'find_order', args: { number: asked } };
  const plan = /plan of the customer is (\w+)/.exec(instructions)?.[1];
  return plan === undefined ? 'What is the number of your order?' : `You have the plan ${plan}.`;
};
const is = (status: string) => (status.startsWith('sent') ? `was ${status}` : `is ${status}`);

const snippets = join(import.meta.dirname, '.snippets', 'guide');
let close = (): void => undefined;

beforeAll(async () => {
  const server = await startFakeResponses(model);
  close = server.close;
  // The client reads it when it is imported.
  vi.stubEnv('OPENAI_BASE_URL', server.url);
});
afterAll(() => {
  vi.unstubAllEnvs();
  close();
  rmSync(snippets, { recursive: true, force: true });
});

it('every program on the pages about the AI SDK is one of those that run', () => {
  expect(programs).toHaveLength(Object.keys(files).length);
  for (const page of [guide, readme]) expect(page).not.toMatch(/^```(js|ts|typescript)$/m);
});

describe.each([6, 7])('with AI SDK %i, the page', (major) => {
  const folder = join(snippets, String(major));
  const runs = join(folder, 'runs');
  const command = async (line: string, key = 'test-key'): Promise<Captured> => {
    vi.stubEnv('OPENAI_API_KEY', key);
    const args = line.split(' ').map((word) => (/^[\w.-]+\.(ts|json)$/.test(word) ? join(folder, word) : word));
    return captureAsGiven([...args, '--runs_folder', runs], { environment: { OPENAI_API_KEY: key } });
  };
  /** Compares what a command prints, of which the page leaves out the paths of folders. */
  const shows = ({ out, err }: Captured, shown: string): void => {
    const printed = out.replaceAll(`${folder}/`, '');
    for (const line of shown.split('\n')) expect(printed, err).toContain(line);
  };

  beforeAll(() => {
    projectWith(major, folder, {
      'package.json': '{ "type": "module" }',
      ...files,
      'orders.evalset.json': orders,
      'test_config.json': config,
      'plans.evalset.json': plans,
    });
  });

  it('has an agent and an eval set that pass, with the output that it shows', async () => {
    const passed = await command('eval agent.ts orders.evalset.json');
    expect(passed.code, passed.err).toBe(0);
    shows(passed, output);
  });

  it('shows the output of a case that fails', async () => {
    const at = orders.lastIndexOf('"number": "4712"');
    const wrong = `${orders.slice(0, at)}${orders.slice(at).replace('4712', '#4712')}`;
    writeFileSync(join(folder, 'wrong.evalset.json'), wrong);
    const failed = await command('eval agent.ts wrong.evalset.json');
    expect(failed.code, failed.err).toBe(1);
    shows(failed, failure);
    const shown = await command('show last two_orders');
    expect(shown.out, shown.err).toContain('agent: 4 calls, 560 tokens in, 48 out');
    const page = join(folder, 'report.html');
    expect(await command(`report --format html --output ${page}`)).toMatchObject({ code: 0 });
    expect(readFileSync(page, 'utf8')).toContain('#4712');
  });

  it('shows the cost of turns once the model has a price', async () => {
    const priced = projectWith(major, join(snippets, `priced-${major}`), {
      'package.json': '{ "type": "module" }',
      ...files,
      'orders.evalset.json': orders,
      'test_config.json': config.replace('"max_turn_tokens": 2000', '"max_turn_cost": 0.001'),
      'agent-criteria.config.json': prices,
    });
    const result = await command(`eval ${join(priced, 'agent.ts')} ${join(priced, 'orders.evalset.json')}`);
    expect(result.code, result.err).toBe(0);
    shows(result, cost);
  });

  it('has a route that answers, and whose function passes the same eval set', async () => {
    const passed = await command('eval chat.eval.ts orders.evalset.json');
    expect(passed.out).toContain('2 passed of 2 cases');
    expect(passed.code, passed.err).toBe(0);
    const { POST } = await importModule(join(folder, 'app/api/chat/route.ts'));
    const message = { id: '1', role: 'user', parts: [{ type: 'text', text: 'Where is my order 4711?' }] };
    const body = JSON.stringify({ messages: [message] });
    const response = await (POST as (request: Request) => Promise<Response>)(
      new Request('http://127.0.0.1/api/chat', { method: 'POST', body }),
    );
    expect(await response.text()).toContain('Order 4711 was sent on Monday.');
  });

  it('has an agent that gets the state of a case', async () => {
    const passed = await command('eval plans.ts plans.evalset.json');
    expect(passed.out).toContain('1 passed of 1 case');
    expect(passed.code, passed.err).toBe(0);
  });

  it('says that a missing key is an error, with exit code 3', async () => {
    const missing = await command('eval agent.ts orders.evalset.json', '');
    expect(missing.out).toContain('two_orders: error');
    expect(missing.out).toContain('API key');
    expect(missing.code).toBe(3);
  });

  it('agrees with the README of the adapter, whose agent passes the same eval set', async () => {
    const passed = await command('eval support.ts orders.evalset.json');
    expect(passed.out).toContain('2 passed of 2 cases');
    expect(passed.code, passed.err).toBe(0);
  });
});
