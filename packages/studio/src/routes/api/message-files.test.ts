// Long: starts agents in processes of their own.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startFakeAdkServer } from '@agent-criteria/test-servers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { studioOf, type TestStudio } from '../../__fixtures__/running-studio.ts';
import type { CaseDraft, RunDetail, SessionDetail, SessionSummary } from '../../api.ts';

/** An agent that names the files of each message, with their first bytes. */
const sees = `export function rootAgent(message, { content }) {
  const files = content.parts.flatMap(({ inlineData: file }) =>
    file ? [file.displayName + ' ' + file.mimeType + ' ' + Buffer.from(file.data, 'base64').length] : []);
  return message + ': ' + files.join(', ');
}
rootAgent.supportsFiles = true;
`;
const blind = `export function desk(message) { return 'You said ' + message; }
export default desk;
`;
/** Larger than what the masks of texts take for a text. */
const PICTURE = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.alloc(2000, 0xfe)]);
const picture = file('image/png', PICTURE, 'cat.png');

function file(mimeType: string, bytes: Uint8Array | string, displayName: string) {
  return { inlineData: { mimeType, data: Buffer.from(bytes).toString('base64'), displayName } };
}

async function opened(studio: TestStudio, app = 'sees') {
  const at = `/api/apps/${app}/sessions`;
  const { id } = (await studio.json('POST', at, { state: {} })).body as SessionDetail;
  const detail = async () => (await studio.json('GET', `${at}/${id}`)).body as SessionDetail;
  return {
    id,
    at: `${at}/${id}`,
    detail,
    /** Sends a message and waits for the end of its turn. */
    async send(...parts: readonly object[]) {
      const answer = await studio.json('POST', `${at}/${id}/turns`, { content: { role: 'user', parts } });
      await (await studio.ask(`${at}/${id}/turn`)).text();
      return answer;
    },
    parts: async () => (await detail()).events.map(({ content }) => (content as { parts: unknown }).parts),
  };
}

describe('a message with files', () => {
  it('reaches an agent in a process of its own, is kept on disk, and becomes a case that is run with them', async () => {
    const studio = await studioOf({ 'sees/agent.mjs': sees }, { agentProcesses: true });
    const chat = await opened(studio);
    const csv = file('text/csv', 'a,b\n1,2\n', 'sums & more.csv');
    expect((await chat.send({ text: 'Look' }, picture, csv)).status).toBe(200);
    const said = [{ text: 'Look' }, picture, csv];
    const answer = [{ text: 'Look: cat.png image/png 2004, sums & more.csv text/csv 8' }];
    expect(await chat.parts()).toEqual([said, answer]);

    // The session is read by another studio on the same folder.
    await studio.close();
    const again = await studioOf({}, { folder: studio.folder, agentProcesses: true });
    const kept = (await again.json('GET', chat.at)).body as SessionDetail;
    expect(kept.events.map(({ content }) => (content as { parts: unknown }).parts)).toEqual([said, answer]);

    const { evalCase } = (await again.json('POST', `${chat.at}/case`, {})).body as CaseDraft;
    expect(evalCase.conversation?.[0]?.userContent.parts).toEqual(said);
    await again.json('POST', '/api/apps/sees/sets', { id: 'seen' });
    const saved = await again.json('POST', '/api/apps/sees/sets/seen/cases', { ...evalCase, evalId: 'look' });
    expect(saved.status).toBe(200);
    const written = JSON.parse(readFileSync(join(studio.folder, 'sees/seen.evalset.json'), 'utf8'));
    expect(written.eval_cases[0].conversation[0].user_content.parts[1]).toEqual({
      inline_data: { mime_type: 'image/png', data: PICTURE.toString('base64'), display_name: 'cat.png' },
    });

    const run = { app: 'sees', sets: ['seen'], metrics: [{ metricName: 'response_match_score', threshold: 1 }] };
    const begun = await again.json('POST', '/api/runs', run);
    expect(begun).toMatchObject({ status: 200 });
    const { id } = begun.body as { readonly id: string };
    await expect
      .poll(
        async () => {
          const { body } = await again.json('GET', `/api/runs/${id}`);
          const { outcome, summary } = body as RunDetail;
          return outcome === null ? null : summary.verdict;
        },
        { timeout: 20_000 },
      )
      .toBe('passed');
  });

  it('is refused before it is sent if the agent takes only text', async () => {
    const studio = await studioOf({ 'desk/agent.mjs': blind });
    expect((await studio.json('GET', '/api/apps/desk/agent')).body).toMatchObject({
      name: 'desk',
      supportsFiles: false,
    });
    const chat = await opened(studio, 'desk');
    expect(await chat.send({ text: 'Look' }, picture)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('The agent “desk” takes only text, so it would never see a file.') },
    });
    expect((await chat.detail()).events).toEqual([]);
    expect((await chat.send({ text: 'Look' })).status).toBe(200);
  });

  it.each([
    [422, file('image/png"><b>', 'x', 'a.png')],
    [422, { inlineData: { mimeType: 'image/png', data: 'no base64!' } }],
    [422, file('image/png', 'x', '../../a.png')],
    [413, file('image/png', Buffer.alloc(10_000_001), 'a.png')],
  ])('is refused with %i if a file cannot be sent', async (status, part) => {
    const studio = await studioOf({ 'sees/agent.mjs': sees });
    const chat = await opened(studio);
    expect((await chat.send({ text: 'Look' }, part)).status).toBe(status);
    expect((await chat.detail()).events).toEqual([]);
  });

  it('reaches the agent with a secret that is masked on disk, in answers and in the case', async () => {
    const SECRET = 'correct-horse-battery';
    const studio = await studioOf({ 'sees/agent.mjs': sees }, { environment: { DB_PASSWORD: SECRET } });
    const chat = await opened(studio);
    const text = `${'x'.repeat(2000)}\npassword=${SECRET}\n`;
    await chat.send(file('application/octet-stream', text, 'notes'));
    expect(JSON.stringify(await chat.parts())).toContain(String(text.length));
    const folder = join(studio.folder, '.agent-criteria');
    const stored = (readdirSync(folder, { recursive: true }) as string[])
      .map((name) => join(folder, name))
      .filter((path) => path.endsWith('.json') && statSync(path).isFile())
      .map((path) => readFileSync(path, 'utf8'));
    const draft = await studio.json('POST', `${chat.at}/case`, {});
    for (const given of [await chat.detail(), draft.body, ...stored.map((one) => JSON.parse(one))]) {
      expect(textsOfFiles(given)).not.toContain(SECRET);
    }
    expect(textsOfFiles(await chat.detail())).toContain('[masked: DB_PASSWORD]');
    expect(textsOfFiles(draft.body)).toContain('[masked: DB_PASSWORD]');
    expect(stored.map((one) => textsOfFiles(JSON.parse(one))).join()).toContain('[masked: DB_PASSWORD]');
  });

  it('names its session in the list if it has no text', async () => {
    const studio = await studioOf({ 'sees/agent.mjs': sees });
    await (await opened(studio)).send(picture);
    const [session] = (await studio.json('GET', '/api/apps/sees/sessions')).body as SessionSummary[];
    expect(session).toMatchObject({ opening: 'cat.png', messages: 1 });
  });

  it('reaches an agent behind a URL as the part that ADK’s server takes', async () => {
    const server = await startFakeAdkServer();
    onTestFinished(() => server.close());
    const studio = await studioOf({}, { folder: `${server.url}/apps/my_app` });
    expect((await studio.json('GET', '/api/apps/my_app/agent')).body).toMatchObject({ supportsFiles: true });
    const chat = await opened(studio, 'my_app');
    expect((await chat.send({ text: 'Look' }, picture)).status).toBe(200);
    const { body } = server.requests.findLast(({ path }) => path.startsWith('/run'))!;
    expect(body).toMatchObject({ newMessage: { role: 'user', parts: [{ text: 'Look' }, picture] } });
  });
});

function textsOfFiles(value: unknown): string {
  const found: string[] = [];
  JSON.stringify(value, (key, field) => {
    if (key === 'inlineData') found.push(Buffer.from(String(field.data), 'base64').toString());
    return field;
  });
  return found.join('\n');
}
