import { agentChecks } from '@agent-criteria/core/testing';
import {
  type FakeAdkAgent,
  type FakeServer,
  faults,
  type SeenRequest,
  says,
  startFakeAdkServer,
  startServer,
} from '@agent-criteria/test-servers';
import { afterEach, describe, it } from 'vitest';
import { endpointAgent, httpAgent } from './pure.ts';

const servers: FakeServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };

function dice(): FakeAdkAgent {
  const known = new Set<string>();
  return function* ({ text, session }) {
    const call = (name: string, args: object, response: object) => [
      { content: { role: 'model', parts: [{ functionCall: { id: name, name, args } }] }, usageMetadata },
      { content: { role: 'user', parts: [{ functionResponse: { id: name, name, response } }] } },
    ];
    if (text.startsWith('Roll')) yield* call('roll', { sides: 6 }, { value: 4 });
    if (text.startsWith('Break')) yield* call('broken', {}, { error: 'out of order' });
    if (text.startsWith('Fail')) yield { errorCode: '403', errorMessage: 'no key' };
    if (text.startsWith('Count')) session.state.count = Number(session.state.count) + 1;
    if (text.startsWith('I am Ada')) known.add(session.id);
    const isKnown = known.has(session.id) || JSON.stringify(session.events).includes('I am Ada');
    yield { ...says(isKnown ? 'Hello, Ada.' : 'Hello.'), usageMetadata };
  };
}

describe('an agent behind a server of ADK for Python', () => {
  it.each(
    agentChecks({
      async agent() {
        const server = await startFakeAdkServer({ apps: { my_app: dice() }, silentOn: 'Wait.' });
        servers.push(server);
        return httpAgent(`${server.url}/apps/my_app`);
      },
      answer: { message: 'Hi', text: 'Hello.' },
      call: { message: 'Roll.', call: { name: 'roll', args: { sides: 6 } }, response: { value: 4 } },
      failedCall: { message: 'Break.', name: 'broken', error: 'out of order' },
      usage: { message: 'Roll.', modelCalls: 2 },
      trace: { message: 'Roll.', kinds: ['agent', 'tool'] },
      memory: { tell: 'I am Ada.', ask: 'Who am I?', text: 'Ada' },
      history: 'supported',
      state: { initial: { count: 1, nested: { a: [1] } }, message: 'Count.', after: { count: 2 } },
      endless: { message: 'Wait.' },
      failure: { message: 'Fail.', error: 'no key' },
      stub: { notSupported: 'the tools run behind the server' },
    }),
  )('$name', ({ check }) => check());
});

/** Answers as a chat API does, which is sent the conversation and the state with each message. */
function chat({ body }: SeenRequest) {
  const { message, history, state } = body as {
    readonly message: string;
    readonly history: readonly { readonly content: string }[];
    readonly state: { readonly count?: number };
  };
  if (message === 'Wait.') return faults.hang;
  if (message === 'Fail.') return { status: 200, body: { error: { message: 'no key' } } };
  const isKnown = history.some(({ content }) => content.includes('I am Ada'));
  const calls = {
    'Roll.': [{ name: 'roll', args: { sides: 6 }, result: { value: 4 } }],
    'Break.': [{ name: 'broken', args: {}, error: 'out of order' }],
  };
  return {
    status: 200,
    body: {
      text: isKnown ? 'Hello, Ada.' : 'Hello.',
      calls: calls[message as keyof typeof calls] ?? [],
      usage: [1, 2].map(() => ({ prompt_tokens: 10, completion_tokens: 5 })),
      state: message === 'Count.' ? { ...state, count: Number(state.count) + 1 } : state,
    },
  };
}

describe('an agent behind any HTTP endpoint', () => {
  it.each(
    agentChecks({
      async agent() {
        const server = await startServer({}, chat);
        servers.push(server);
        return endpointAgent({
          url: `${server.url}/chat`,
          body: { message: '{{message}}', history: ['{{history}}'], state: '{{state}}' },
          answer: '$.text',
          calls: '$.calls',
          usage: '$.usage',
          state: '$.state',
        });
      },
      answer: { message: 'Hi', text: 'Hello.' },
      call: { message: 'Roll.', call: { name: 'roll', args: { sides: 6 } }, response: { value: 4 } },
      failedCall: { message: 'Break.', name: 'broken', error: 'out of order' },
      usage: { message: 'Roll.', modelCalls: 2 },
      trace: { message: 'Roll.', kinds: ['agent'] },
      memory: { tell: 'I am Ada.', ask: 'Who am I?', text: 'Ada' },
      history: 'supported',
      state: { initial: { count: 1, nested: { a: [1] } }, message: 'Count.', after: { count: 2 } },
      endless: { message: 'Wait.' },
      failure: { message: 'Fail.', error: 'no key' },
      stub: { notSupported: 'the tools run behind the endpoint' },
    }),
  )('$name', ({ check }) => check());
});
