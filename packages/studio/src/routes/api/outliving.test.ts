import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { restarted, studioOf, type TestStudio } from '../../__fixtures__/running-studio.ts';
import type { SessionDetail, SessionEvent, SessionSummary, StudioInfo } from '../../api.ts';

/** An agent that knows its earlier conversation, and one that does not and answers in pieces until it is let go. */
const files = {
  'shop/agent.mjs': `export const rootAgent = (message, { history, state }) => {
    state.last = message;
    return { text: message + ', after ' + history.length + ', in ' + (state.city ?? 'no city') };
  };`,
  'desk/agent.mjs': `
    const said = (text, partial) => ({ author: 'desk', content: { role: 'model', parts: [{ text }] }, ...(partial ? { partial } : {}) });
    export const rootAgent = {
      name: 'desk',
      async open({ state }) {
        let turns = 0;
        return {
          async send(content, { onEvent: on, signal }) {
            turns += 1;
            if (content.parts[0].text === 'wait') {
              on(said('Let me ', true));
              on(said('see ', true));
              await new Promise((done, fail) => {
                globalThis.letGo = done;
                signal.addEventListener('abort', () => fail(signal.reason));
              });
            }
            if (content.parts[0].text === 'mute') await new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)));
            on(said('Turn ' + turns + ' in ' + state.city));
            return { invocation: { userContent: content } };
          },
          state: async () => state,
          close: async () => {},
        };
      },
    };`,
};

async function begin(studio: TestStudio, app: string, state: object = { city: 'Rome' }) {
  const { id } = (await studio.json('POST', `/api/apps/${app}/sessions`, { state })).body as SessionDetail;
  return opened(studio, app, id);
}

function opened(studio: TestStudio, app: string, id: string) {
  const at = `/api/apps/${app}/sessions/${id}`;
  const detail = async () => (await studio.json('GET', at)).body as SessionDetail;
  const send = (text: string) => studio.json('POST', `${at}/turns`, { content: { role: 'user', parts: [{ text }] } });
  return {
    id,
    at,
    detail,
    send,
    /** Sends a message and waits for the answer. */
    async say(text: string): Promise<string> {
      await send(text);
      await (await studio.ask(`${at}/turn`)).text();
      return textOf((await detail()).events.at(-1));
    },
    follow: () => studio.ask(`${at}/turn`),
  };
}

function textOf(event: SessionEvent | undefined): string {
  const { parts = [] } = (event?.content ?? {}) as { readonly parts?: readonly { readonly text: string }[] };
  return parts.map(({ text }) => text).join('');
}

function eventsOf(stream: string): readonly (readonly [string, unknown])[] {
  return stream
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
      return [field('event'), JSON.parse(field('data'))] as const;
    });
}

it('a chat continues after a restart, with its conversation, state and trace', async () => {
  const first = await studioOf(files);
  const chat = await begin(first, 'shop');
  expect(await chat.say('apples')).toBe('apples, after 0, in Rome');
  const before = await chat.detail();
  await first.close();
  const second = await restarted(first);
  const listed = (await second.json('GET', '/api/apps/shop/sessions')).body as SessionSummary[];
  expect(listed).toMatchObject([{ id: chat.id, opening: 'apples', messages: 1 }]);
  const again = opened(second, 'shop', chat.id);
  expect(await again.detail()).toEqual(before);
  expect(await again.say('pears')).toBe('pears, after 1, in Rome');
  await second.json('PATCH', again.at, { stateDelta: { city: 'Oslo' } });
  expect(await again.say('plums')).toBe('plums, after 2, in Oslo');
});

it('a state that is changed after a restart, before the agent is asked, is that of the agent', async () => {
  const first = await studioOf(files);
  const [shop, desk] = [await begin(first, 'shop'), await begin(first, 'desk')];
  for (const chat of [shop, desk]) await chat.say('one');
  await first.close();
  const second = await restarted(first);
  for (const [app, { id }] of [['shop', shop] as const, ['desk', desk] as const]) {
    const chat = opened(second, app, id);
    const changed = await second.json('PATCH', chat.at, { stateDelta: { city: 'Oslo' } });
    expect((changed.body as SessionDetail).events.at(-1)).toMatchObject({ actions: { stateDelta: { city: 'Oslo' } } });
    expect(await chat.say('two')).toContain('in Oslo');
  }
});

it('an agent that takes no history starts over after a restart, and the session says before which message', async () => {
  const first = await studioOf(files);
  const chat = await begin(first, 'desk');
  expect(await chat.say('one')).toBe('Turn 1 in Rome');
  await first.close();
  const again = opened(await restarted(first), 'desk', chat.id);
  expect(await again.say('two')).toBe('Turn 1 in Rome');
  const { startedOver, events } = await again.detail();
  expect(textOf(events.find(({ id }) => id === startedOver[0]))).toBe('two');
});

it('a turn goes on without its client, which can follow it again from its first event', async () => {
  const studio = await studioOf(files);
  const chat = await begin(studio, 'desk');
  expect(await chat.send('wait')).toMatchObject({ status: 200 });
  const gone = new AbortController();
  const left = await studio.ask(`${chat.at}/turn`, { signal: gone.signal });
  gone.abort();
  await expect(left.text()).rejects.toThrow();
  expect(await chat.detail()).toMatchObject({ isBusy: true, turnFrom: 0 });
  expect(await chat.send('more')).toMatchObject({ status: 409 });
  const followed = await chat.follow();
  (globalThis as unknown as { letGo(): void }).letGo();
  expect(eventsOf(await followed.text())).toMatchObject([
    ['message', { parts: [{ text: 'wait' }] }],
    ['event', { partial: true, content: { parts: [{ text: 'Let me see ' }] } }],
    ['event', { content: { parts: [{ text: 'Turn 1 in Rome' }] } }],
    ['end', {}],
  ]);
  expect((await chat.detail()).events.map(textOf)).toEqual(['wait', 'Turn 1 in Rome']);
  expect(eventsOf(await (await chat.follow()).text())).toEqual([['end', {}]]);
});

it('a turn that nobody follows can be stopped', async () => {
  const studio = await studioOf(files);
  const chat = await begin(studio, 'desk');
  await chat.send('mute');
  const { body } = await studio.json('POST', `${chat.at}/stop`);
  expect(body).toMatchObject({ isBusy: false, turnFrom: null });
  expect((body as SessionDetail).events).toMatchObject([
    { author: 'user', content: { parts: [{ text: 'mute' }] } },
    { errorCode: 'STOPPED', errorMessage: 'Stopped by the user.' },
  ]);
});

it('a message that never reached an agent leaves the session as it was', async () => {
  const studio = await studioOf({ 'broken/agent.mjs': 'export const rootAgent = ;' });
  const chat = await begin(studio, 'broken');
  expect((await chat.send('Hi')).status).toBeGreaterThanOrEqual(400);
  expect(await chat.detail()).toMatchObject({ isBusy: false, events: [] });
});

it('a turn that runs when the studio ends keeps its message, and says so', async () => {
  const first = await studioOf(files);
  const chat = await begin(first, 'desk');
  await chat.send('mute');
  await first.close();
  const { events, isBusy } = await opened(await restarted(first), 'desk', chat.id).detail();
  expect(isBusy).toBe(false);
  expect(events).toMatchObject([
    { content: { parts: [{ text: 'mute' }] } },
    { errorCode: 'STOPPED', errorMessage: 'The studio ended before the agent had answered.' },
  ]);
});

it('a deleted session does not come back', async () => {
  const first = await studioOf(files);
  const chat = await begin(first, 'shop');
  await chat.say('apples');
  await first.json('DELETE', chat.at);
  await first.close();
  const second = await restarted(first);
  expect((await second.json('GET', '/api/apps/shop/sessions')).body).toEqual([]);
  expect((await second.json('GET', chat.at)).status).toBe(404);
});

it('a session of an ADK client is kept with its events, and secrets are masked in its file', async () => {
  const first = await studioOf(files, { environment: { SHOP_API_KEY: 'correct-horse-battery' } });
  const at = '/apps/shop/users/ann/sessions/mine';
  const events = [{ author: 'user', content: { parts: [{ text: 'my key is correct-horse-battery' }] } }];
  await first.json('POST', at, { state: { key: 'correct-horse-battery' }, events });
  await first.close();
  const folder = join(first.folder, '.agent-criteria', 'sessions');
  const stored = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of stored) {
    expect(readFileSync(join(parentPath, name), 'utf8')).not.toContain('correct-horse');
  }
  expect((await (await restarted(first)).json('GET', at)).body).toMatchObject({
    id: 'mine',
    userId: 'ann',
    events: [{ content: { parts: [{ text: 'my key is [masked: SHOP_API_KEY]' }] } }],
  });
});

it('files that are not sessions are ignored, and the start page says so', async () => {
  const first = await studioOf(files);
  await begin(first, 'shop');
  await first.close();
  const folder = join(first.folder, '.agent-criteria', 'sessions');
  const [app = ''] = readdirSync(folder).filter((name) => name !== '.gitignore');
  writeFileSync(join(folder, app, `${'0'.repeat(40)}.json`), '{"format": 1}');
  const { notices } = (await (await restarted(first)).json('GET', '/api/studio')).body as StudioInfo;
  expect(notices).toEqual([expect.stringContaining('was ignored: it is not a session of the studio')]);
});
