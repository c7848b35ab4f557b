import { startFakeAdkServer } from '@agent-criteria/test-servers';
import { expect, it, onTestFinished } from 'vitest';
import { studioOf, type TestStudio } from '../../__fixtures__/running-studio.ts';
import type { Branch, NeedsResending, SessionDetail } from '../../api.ts';

/** An agent that counts orders outside its sessions, like a tool with side effects. */
const shop = `let orders = 0;
export const rootAgent = (message, { history, state }) => {
  state.last = message;
  if (message === 'fail') throw new Error('it broke');
  orders += 1;
  return { text: message + ', after ' + history.length + ', order ' + orders, toolCalls: [{ name: 'order', args: { what: message } }] };
};
`;

/** An agent that accepts neither history nor state. */
const forgetful = `let orders = 0;
export const rootAgent = {
  name: 'forgetful',
  async open() {
    let turn = -1;
    return {
      async send(content, { onEvent: on }) {
        turn += 1;
        orders += 1;
        const text = content.parts[0].text;
        on({ author: 'forgetful', content: { role: 'model', parts: [{ functionCall: { id: 'c' + turn, name: 'order', args: {} } }] } });
        on({ author: 'forgetful', content: { role: 'user', parts: [{ functionResponse: { id: 'c' + turn, name: 'order', response: {} } }] } });
        on({ author: 'forgetful', content: { role: 'model', parts: [{ text: text + ', order ' + orders }] } });
        const at = Date.now();
        return {
          invocation: { userContent: content },
          trace: [{ id: 'm', kind: 'model', name: 'm', turn, startedAt: at, endedAt: at, usage: { promptTokenCount: 7, candidatesTokenCount: 3 } }],
        };
      },
      state: async () => null,
      close: async () => {},
    };
  },
};
`;

/** An agent that saves a file in each turn and reports the files that it started with. */
const filing = `export const rootAgent = {
  name: 'filing',
  supportsHistory: true,
  async open({ artifacts = [] }) {
    const versions = artifacts.flatMap((one) => one.versions);
    return {
      async send(content, { onEvent: on }) {
        const began = JSON.stringify(artifacts);
        on({ author: 'filing', content: { role: 'model', parts: [{ text: began }] }, actions: { stateDelta: {}, artifactDelta: { 'a.txt': versions.length } } });
        versions.push({ text: content.parts[0].text });
        return { invocation: { userContent: content } };
      },
      state: async () => null,
      artifacts: {
        list: async () => [{ name: 'a.txt', versions: [...versions.keys()] }],
        load: async (_, version) => versions[version] ?? null,
      },
      close: async () => {},
    };
  },
};
`;

const files = {
  'filing/agent.mjs': filing,
  'shop/agent.mjs': shop,
  'forgetful/agent.mjs': forgetful,
};

/** Starts a session with an app and returns helpers for its requests. */
async function chat(studio: TestStudio, app: string, state: object = {}) {
  const made = await studio.json('POST', `/api/apps/${app}/sessions`, { state });
  return talk(studio, app, (made.body as SessionDetail).id);
}

function talk(studio: TestStudio, app: string, id: string) {
  const at = `/api/apps/${app}/sessions/${id}`;
  const detail = async () => (await studio.json('GET', at)).body as SessionDetail;
  const send = (newMessage: unknown, more: object = {}) =>
    studio.json('POST', '/run', { appName: app, userId: 'user', sessionId: id, newMessage, ...more });
  return {
    id,
    at,
    detail,
    send,
    say: (text: string) => send({ role: 'user', parts: [{ text }] }),
    /** Lists the user's messages with their event ids. */
    async asked() {
      return (await detail()).events.filter(({ author, content }) => author === 'user' && content !== undefined);
    },
    texts: async () => textsOf((await detail()).events),
  };
}

function textsOf(events: readonly unknown[]): readonly string[] {
  const parts = (event: unknown) => (event as { content?: { parts?: { text?: string }[] } }).content?.parts ?? [];
  return events.flatMap(parts).flatMap(({ text }) => (text === undefined ? [] : [text]));
}

it('a branch continues from an earlier message without rerunning anything', async () => {
  const studio = await studioOf(files);
  const old = await chat(studio, 'shop', { city: 'Rome' });
  for (const text of ['apples', 'pears', 'plums']) await old.say(text);
  const before = await old.detail();
  const second = (await old.asked())[1];
  const { status, body } = await studio.json('POST', `${old.at}/branch`, { event: second?.id, text: 'nuts' });
  expect(status).toBe(200);
  const { session, messages } = body as Branch;
  expect(session).toMatchObject({
    continues: old.id,
    initialState: { city: 'Rome' },
    state: { city: 'Rome', last: 'apples' },
    closed: null,
  });
  expect(textsOf(session.events)).toEqual(['apples', 'apples, after 0, order 1']);
  expect(session.spans.map(({ name }) => name)).toEqual(['invocation', 'invoke_agent rootAgent']);
  expect(messages).toEqual([{ content: { role: 'user', parts: [{ text: 'nuts' }] } }]);
  const branch = talk(studio, 'shop', session.id);
  await branch.send(messages[0]?.content);
  // Order 4 shows that the earlier orders were not repeated.
  expect(await branch.texts()).toEqual(['apples', 'apples, after 0, order 1', 'nuts', 'nuts, after 1, order 4']);
  expect(await old.detail()).toEqual(before);
  await old.say('more');
  expect((await old.texts()).at(-1)).toBe('more, after 3, order 5');
});

it('a branch from the first message keeps the other parts of that message', async () => {
  const studio = await studioOf(files);
  const old = await chat(studio, 'forgetful', { city: 'Rome' });
  const picture = { inlineData: { mimeType: 'image/png', data: 'AA==' } };
  await old.send({ role: 'user', parts: [{ text: 'this?' }, picture] });
  const [first] = await old.asked();
  const { body } = await studio.json('POST', `${old.at}/branch`, { event: first?.id, text: 'that?' });
  expect(body).toMatchObject({
    session: { events: [], state: { city: 'Rome' } },
    messages: [{ content: { role: 'user', parts: [{ text: 'that?' }, picture] } }],
  });
});

it('earlier messages are resent only after the user has confirmed their cost', async () => {
  const studio = await studioOf(files);
  const old = await chat(studio, 'forgetful', { city: 'Rome' });
  for (const text of ['apples', 'pears', 'plums']) await old.say(text);
  const wish = { event: (await old.asked())[2]?.id, text: 'nuts' };
  const refused = await studio.json('POST', `${old.at}/branch`, wish);
  expect(refused).toMatchObject({
    status: 200,
    body: { session: null, why: expect.stringContaining('cannot go on from') },
  });
  expect((refused.body as NeedsResending).resending).toEqual({
    messages: 2,
    modelCalls: 2,
    tokens: 20,
    tools: [{ name: 'order', calls: 2 }],
  });
  expect((await studio.json('GET', '/api/apps/forgetful/sessions')).body).toHaveLength(1);
  const { body } = await studio.json('POST', `${old.at}/branch`, { ...wish, resend: true });
  const { session, messages } = body as Branch;
  expect(session).toMatchObject({ continues: old.id, events: [], state: { city: 'Rome' } });
  expect(messages.map(({ content }) => textsOf([{ content }]))).toEqual([['apples'], ['pears'], ['nuts']]);
  // The server does not send the messages itself.
  await old.say('more');
  expect((await old.texts()).at(-1)).toBe('more, order 4');
});

it.each([
  ['python', true],
  ['typescript', false],
] as const)("a branch asks the agent's server whether it can continue from a history (%s)", async (dialect, goesOn) => {
  const server = await startFakeAdkServer({ dialect });
  onTestFinished(() => server.close());
  const studio = await studioOf({}, { folder: `${server.url}/apps/my_app` });
  const old = await chat(studio, 'my_app');
  for (const text of ['one', 'two']) await old.say(text);
  const asked = server.requests.filter(({ path }) => path.startsWith('/run')).length;
  const second = (await old.asked())[1];
  const branched = await studio.json('POST', `${old.at}/branch`, { event: second?.id, text: 'three' });
  if (!goesOn) expect((branched.body as NeedsResending).resending.messages).toBe(1);
  else expect(server.sessions.at(-1)?.events).toMatchObject([{ author: 'user' }, { author: 'my_app' }]);
  expect(server.requests.filter(({ path }) => path.startsWith('/run'))).toHaveLength(asked);
  expect(server.sessions).toHaveLength(goesOn ? 2 : 1);
});

it('a branch has the artifacts that were saved before its message', async () => {
  const studio = await studioOf(files);
  const old = await chat(studio, 'filing');
  for (const text of ['one', 'two', 'three']) await old.say(text);
  const last = (await old.asked())[2];
  const { body } = await studio.json('POST', `${old.at}/branch`, { event: last?.id, text: 'four' });
  const { session, messages } = body as Branch;
  const branch = talk(studio, 'filing', session.id);
  await branch.send(messages[0]?.content);
  expect((await branch.texts()).at(-1)).toBe('[{"name":"a.txt","versions":[{"text":"one"},{"text":"two"}]}]');
  expect((await studio.json('GET', `${branch.at}/artifacts`)).body).toEqual([{ name: 'a.txt', versions: [0, 1, 2] }]);
});

it('a branch from an unknown message is rejected', async () => {
  const studio = await studioOf(files);
  const old = await chat(studio, 'shop');
  await old.say('apples');
  const answer = (await old.detail()).events.at(-1);
  const branch = (body: object) => studio.json('POST', `${old.at}/branch`, body);
  expect(await branch({ event: 'none', text: 'x' })).toMatchObject({ status: 404 });
  expect(await branch({ event: answer?.id, text: 'x' })).toMatchObject({ status: 404 });
  expect(await branch({ event: (await old.asked())[0]?.id, text: ' ' })).toMatchObject({ status: 422 });
});

it('state can change between turns if the agent supports it, and a branch starts from the earlier state', async () => {
  const studio = await studioOf(files);
  const old = await chat(studio, 'shop', { city: 'Rome' });
  await old.say('apples');
  await studio.json('PATCH', old.at, { stateDelta: { city: 'Oslo' } });
  await old.say('pears');
  expect(await old.detail()).toMatchObject({ state: { city: 'Oslo', last: 'pears' }, takesState: true });
  const [first, second] = await old.asked();
  const branchAt = async (event: unknown) =>
    ((await studio.json('POST', `${old.at}/branch`, { event, text: 'nuts' })).body as Branch).session;
  expect((await branchAt(first?.id)).state).toEqual({ city: 'Rome' });
  expect((await branchAt(second?.id)).state).toEqual({ city: 'Oslo', last: 'apples' });
  const draft = await studio.json('POST', `${old.at}/case`, {});
  expect(draft.body).toMatchObject({ notes: [expect.stringContaining('changed by hand')] });

  const other = await chat(studio, 'forgetful');
  await other.say('apples');
  expect((await other.detail()).takesState).toBe(false);
  expect(await studio.json('PATCH', other.at, { stateDelta: { city: 'Oslo' } })).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('only at its beginning') },
  });
});
