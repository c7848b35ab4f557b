import { expect, it } from 'vitest';
import { studioOf, type TestStudio } from '../../__fixtures__/running-studio.ts';
import type { SessionDetail } from '../../api.ts';

/** An agent that starts to stream and then waits until it is stopped. `deaf` ignores the stop. */
const agent = `
const piece = (text, partial) => ({ author: 'desk', content: { role: 'model', parts: [{ text }] }, ...(partial ? { partial } : {}) });
export const rootAgent = {
  name: 'desk',
  async open() {
    const state = { turns: 0 };
    return {
      async send(content, { onEvent: on, signal, streaming }) {
        state.turns += 1;
        const text = content.parts[0].text;
        if (text === 'wait' || text === 'deaf') {
          on({ author: 'desk', content: { role: 'model', parts: [{ functionCall: { id: 'c', name: 'look_up', args: {} } }] } });
          on(piece('Let me ', true));
          on(piece('see', true));
          await new Promise((done, fail) => {
            if (text === 'wait') signal.addEventListener('abort', () => fail(signal.reason));
            else signal.addEventListener('abort', () => setTimeout(() => on(piece('too late')), 1100));
          });
        }
        if (streaming) on(piece('Well, ', true));
        on(piece('Well, hello'));
        return { invocation: { userContent: content, finalResponse: piece('Well, hello').content } };
      },
      state: async () => ({ ...state }),
      close: async () => {},
    };
  },
};
`;

const ids = { appName: 'desk', userId: 'user' };

async function begin(studio: TestStudio) {
  const { id } = (await studio.json('POST', '/api/apps/desk/sessions', {})).body as SessionDetail;
  const at = `/api/apps/desk/sessions/${id}`;
  const request = (text: string, more: object = {}) =>
    JSON.stringify({ ...ids, sessionId: id, newMessage: { role: 'user', parts: [{ text }] }, ...more });
  return {
    at,
    request,
    detail: async () => (await studio.json('GET', at)).body as SessionDetail,
    stream: async (text: string, streaming: boolean, signal: AbortSignal | null = null) =>
      studio.ask('/run_sse', { method: 'POST', body: request(text, { streaming }), signal }),
  };
}

function eventsIn(text: string): readonly Record<string, unknown>[] {
  return text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
}

/** The events of a stopped turn. */
const left = [
  { author: 'user', content: { parts: [expect.objectContaining({ text: expect.any(String) })] } },
  { content: { parts: [{ functionCall: { name: 'look_up' } }] } },
  { content: { parts: [{ text: 'Let me see' }] }, interrupted: true },
  { author: 'desk', errorCode: 'STOPPED', interrupted: true },
];

it.each([
  ['wait', 'that listens'],
  ['deaf', 'that does not listen'],
])('a stopped turn keeps its events so far, and the session accepts the next message: %s', async (text) => {
  const studio = await studioOf({ 'desk/agent.mjs': agent });
  const { at, detail, stream, request } = await begin(studio);
  const answer = stream(text, true);
  await expect.poll(async () => (await detail()).events.length).toBe(2);
  expect((await detail()).isBusy).toBe(true);
  expect((await studio.ask('/run', { method: 'POST', body: request('more') })).status).toBe(409);
  const stopped = await studio.json('POST', `${at}/stop`);
  expect(stopped).toMatchObject({ status: 200, body: { isBusy: false, events: left, state: { turns: 1 } } });
  expect(eventsIn(await (await answer).text()).at(-1)).toMatchObject({ errorCode: 'STOPPED' });

  const next = await studio.ask('/run', { method: 'POST', body: request('Hi') });
  expect(await next.json()).toMatchObject([{ content: { parts: [{ text: 'Well, hello' }] } }]);
  if (text === 'deaf') await new Promise((resolve) => setTimeout(resolve, 300));
  const { events, state } = await detail();
  expect(events).toMatchObject([...left, { author: 'user' }, { content: { parts: [{ text: 'Well, hello' }] } }]);
  expect(state).toEqual({ turns: 2 });
  const draft = (await studio.json('POST', `${at}/case`, {})).body;
  expect(draft).toMatchObject({ bare: { conversation: [{ userContent: { parts: [{ text: 'Hi' }] } }] } });
});

it('an agent is stopped when the client disconnects', async () => {
  const studio = await studioOf({ 'desk/agent.mjs': agent });
  const { detail, stream } = await begin(studio);
  const gone = new AbortController();
  const answer = await stream('wait', true, gone.signal);
  await expect.poll(async () => (await detail()).events.length).toBe(2);
  gone.abort();
  await expect(answer.text()).rejects.toThrow();
  await expect.poll(async () => (await detail()).isBusy).toBe(false);
  expect((await detail()).events).toMatchObject(left);
});

it('stopping an idle session does nothing', async () => {
  const studio = await studioOf({ 'desk/agent.mjs': agent });
  const { at } = await begin(studio);
  expect(await studio.json('POST', `${at}/stop`)).toMatchObject({ status: 200, body: { events: [] } });
});

it.each([
  [true, ['Well, ', 'Well, hello']],
  [false, ['Well, hello']],
])('partial events are sent only on request: streaming %s', async (streaming, texts) => {
  const studio = await studioOf({ 'desk/agent.mjs': agent });
  const { stream } = await begin(studio);
  const events = eventsIn(await (await stream('Hi', streaming)).text());
  const said = events.map(({ content }) => (content as { parts: { text: string }[] }).parts[0]?.text);
  expect(said).toEqual(texts);
});
