import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { folderOf } from '../../../../../test/folder.ts';
import { echoAgent, homeFiles, studioOf, type TestStudio } from '../../__fixtures__/running-studio.ts';
import type { ImportFile, ImportLine, ShownImport } from '../../api.ts';

const fixture = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../convert/src/__fixtures__/${name}`, import.meta.url)));

const row = (at: number) => JSON.stringify({ id: `c${at}`, question: `How warm is room ${at}?`, answer: `${at} °C` });

/** The folder of temporary files, which is this test's own. */
let temporary = '';
const keptFiles = () => readdirSync(temporary).filter((name) => name.startsWith('agent-criteria-import-'));
beforeEach(() => {
  temporary = join(folderOf({}), 'tmp');
  mkdirSync(temporary);
  vi.stubEnv('TMPDIR', temporary);
  expect(tmpdir()).toBe(temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

async function sent(studio: TestStudio, name: string, content: Buffer | string): Promise<ImportFile> {
  const answer = await studio.ask(`/api/imports?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    body: new Uint8Array(Buffer.from(content)),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as ImportFile;
}

async function lines<Value>(studio: TestStudio, path: string, body: object = {}) {
  const answer = await studio.ask(`/api/imports/${path}`, { method: 'POST', body: JSON.stringify(body) });
  const text = await answer.text();
  if (answer.status !== 200) return { status: answer.status, last: null, text };
  const all = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ImportLine<Value>);
  return { status: 200, last: all.at(-1) as { readonly done?: Value; readonly failed?: string }, text };
}

describe('a file to import', () => {
  it('is read and shown, with its format, columns, labels and first conversations, and nothing is stored', async () => {
    const studio = await studioOf();
    const { id, name, size } = await sent(studio, 'C:\\logs\\rows.csv', fixture('rows.csv'));
    expect([name, size]).toEqual(['rows.csv', fixture('rows.csv').length]);
    const { last } = await lines<ShownImport>(studio, `${id}/preview`);
    expect(last?.done).toMatchObject({
      files: [{ file: 'rows.csv', text: 'csv', format: 'rows', columns: { user: '$.question', label: '$.label' } }],
      conversations: 2,
      labels: { pass: 1, fail: 1 },
      problems: [],
      evalSetId: 'rows',
    });
    expect(last?.done?.first[0]).toMatchObject({
      id: 'q1',
      label: 'pass',
      moreTurns: 0,
      turns: [{ user: 'How warm is it?', answer: '21 °C' }],
    });
    expect(existsSync(join(studio.folder, '.agent-criteria/runs'))).toBe(false);
    const columns = ['answer=$.reference', 'label='];
    const { last: mapped } = await lines<ShownImport>(studio, `${id}/preview`, { columns });
    expect(mapped?.done).toMatchObject({ labels: { pass: 0, fail: 0 }, first: [{}, { turns: [{ answer: 'You' }] }] });
  });

  it('becomes a run that is listed with its labels, and is deleted afterwards', async () => {
    const studio = await studioOf();
    const { id } = await sent(studio, 'log.jsonl', fixture('openai-chat.jsonl'));
    const { last } = await lines<{ readonly run: string }>(studio, `${id}/run`, { name: 'July', by: 'ada' });
    const run = last?.done?.run ?? '';
    const { body } = await studio.json('GET', '/api/runs');
    expect(body).toMatchObject({ runs: [{ id: run, name: 'July' }] });
    const labels = readFileSync(join(studio.folder, '.agent-criteria/runs', run, 'labels.jsonl'), 'utf8');
    expect(labels.match(/"by":"ada"/g)).toHaveLength(2);
    // The run names the file, not the folder in which it was kept meanwhile.
    expect(await (await studio.ask(`/api/runs/${run}`)).text()).not.toContain('agent-criteria-import-');
    expect(keptFiles()).toEqual([]);
    expect((await lines(studio, `${id}/preview`)).status).toBe(404);
  });

  it('becomes an eval set of an agent, once', async () => {
    const studio = await studioOf();
    const first = await sent(studio, 'log.jsonl', [row(1), row(2), row(3)].join('\n'));
    const { last } = await lines(studio, `${first.id}/cases`, { app: 'echo', set: 'rooms', sample: 2 });
    expect(last?.done).toEqual({ app: 'echo', set: 'rooms', cases: 2 });
    const { body } = await studio.json('GET', '/api/apps/echo/sets/rooms/cases');
    expect(body).toMatchObject({ total: 2 });
    const { id } = await sent(studio, 'log.jsonl', row(1));
    const again = await lines(studio, `${id}/cases`, { app: 'echo', set: 'rooms' });
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('choose another id')]);
    const outside = await lines(studio, `${id}/cases`, { app: 'echo', set: '../rooms' });
    expect([outside.status, outside.text]).toEqual([422, expect.stringContaining('letters, digits and underscores')]);
    expect((await lines(studio, `${id}/cases`, { app: 'none', set: 'x' })).status).toBe(404);
  });

  it('with mistakes lists them with their lines, is not imported, and can be imported without them', async () => {
    const studio = await studioOf();
    const { id } = await sent(studio, 'log.jsonl', `${row(1)}\n{"id":\n${row(3)}`);
    const { last } = await lines<ShownImport>(studio, `${id}/preview`);
    expect(last?.done).toMatchObject({
      conversations: 2,
      problems: [expect.stringMatching(/^log\.jsonl line 2: /)],
    });
    const { last: run } = await lines(studio, `${id}/run`);
    expect(run?.failed).toMatch(/^log\.jsonl line 2: /);
    expect(readdirSync(join(studio.folder, '.agent-criteria/runs'))).toEqual([]);
    const { last: set } = await lines(studio, `${id}/cases`, { app: 'echo', set: 'a', skipInvalid: true });
    expect(set?.done).toMatchObject({ cases: 2 });
  });

  it('that is no conversation says what it would have to be', async () => {
    const studio = await studioOf();
    const { id } = await sent(studio, 'picture.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]));
    const { last } = await lines<ShownImport>(studio, `${id}/preview`);
    expect(last?.done?.problems).toEqual([expect.stringMatching(/^picture\.png: .*UTF-8/)]);
    const empty = await studio.ask('/api/imports?name=a.csv', { method: 'POST' });
    expect([empty.status, await empty.text()]).toEqual([422, expect.stringContaining('“a.csv” is empty')]);
    const wrong = await lines(studio, `${id}/preview`, { as: 'xml' });
    expect(wrong.last?.failed).toContain('There is no format “xml”. The formats: messages, ');
    const column = await lines(studio, `${id}/preview`, { columns: ['anser=$.x'] });
    expect(column.last?.failed).toContain('did you mean');
    for (const body of [{ sample: 0 }, { unique: 'yes' }, { where: 'a=b' }, { columns: [1] }]) {
      expect((await lines(studio, `${id}/preview`, body)).status).toBe(422);
    }
  });

  it('that is too large is refused before it is sent, with the command for it', async () => {
    const studio = await studioOf(homeFiles, { maxImportBytes: 100, maxBodyBytes: 10 });
    expect((await studio.json('GET', '/api/imports')).body).toMatchObject({ maxBytes: 100, masksSecrets: true });
    await sent(studio, 'a.csv', 'question,answer\nx,y');
    const refused = await studio.ask('/api/imports?name=a.csv', { method: 'POST', body: 'x'.repeat(101) });
    expect([refused.status, await refused.text()]).toEqual([413, expect.stringContaining('agent-criteria import')]);
  });

  it('is deleted on request, and when the studio ends', async () => {
    const studio = await studioOf();
    const first = await sent(studio, 'a.csv', 'question,answer\nx,y');
    const second = await sent(studio, 'a.csv', 'question,answer\nx,y');
    expect(keptFiles()).toHaveLength(2);
    await studio.json('DELETE', `/api/imports/${first.id}`);
    expect(keptFiles()).toHaveLength(1);
    await studio.close();
    expect(keptFiles()).toEqual([]);
    expect(second.id).not.toBe(first.id);
  });

  it('that a page gives up while it is sent leaves nothing behind', async () => {
    const studio = await studioOf();
    await new Promise<void>((settle) => {
      const { port } = new URL(studio.url);
      const headers = { authorization: `Bearer ${studio.token}`, 'content-length': '1000000' };
      const path = '/api/imports?name=a.csv';
      const sending = request({ host: '127.0.0.1', port, path, method: 'POST', headers });
      sending.on('error', () => settle());
      sending.write('question,answer\n');
      const wait = setInterval(() => {
        if (keptFiles().length === 0) return;
        clearInterval(wait);
        sending.destroy();
        settle();
      }, 2);
    });
    await expect.poll(() => keptFiles()).toEqual([]);
  });

  it('is no longer read once the page gives up the request, and leaves no run', async () => {
    const studio = await studioOf();
    const { id } = await sent(studio, 'log.jsonl', Array.from({ length: 20_000 }, (_, at) => row(at)).join('\n'));
    const end = new AbortController();
    const path = `/api/imports/${id}/run`;
    const answer = await studio.ask(path, { method: 'POST', body: '{}', signal: end.signal });
    const reader = answer.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    const [line = ''] = Buffer.from(value ?? [])
      .toString()
      .split('\n');
    expect(JSON.parse(line)).toMatchObject({ progress: { bytes: expect.any(Number), size: expect.any(Number) } });
    end.abort();
    const runs = join(studio.folder, '.agent-criteria/runs');
    await expect.poll(() => readdirSync(runs)).toEqual([]);
    // It is still there for another try.
    expect((await lines<ShownImport>(studio, `${id}/preview`)).last?.done).toMatchObject({ conversations: 20_000 });
  });

  it('cannot be sent, read or deleted by other pages, or without the token', async () => {
    const studio = await studioOf();
    const { id } = await sent(studio, 'a.csv', 'question,answer\nx,y');
    for (const [method, path] of [
      ['POST', '/api/imports?name=a.csv'],
      ['POST', `/api/imports/${id}/run`],
      ['DELETE', `/api/imports/${id}`],
    ] as const) {
      const foreign = await studio.ask(path, { method, headers: { origin: 'http://evil.example' } });
      expect(foreign.status).toBe(403);
      expect((await fetch(studio.url + path, { method })).status).toBe(401);
    }
    expect(keptFiles()).toHaveLength(1);
  });

  it('with secrets is shown and stored without them', async () => {
    const key = 'sk-proj-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGh';
    const studio = await studioOf(
      { 'echo/agent.mjs': echoAgent, 'echo/.env': 'DESK_PASSWORD=open-sesame-please\n' },
      { environment: {} },
    );
    const text = JSON.stringify({ question: `Use ${key}`, answer: 'I used open-sesame-please' });
    const { id } = await sent(studio, 'a.jsonl', text);
    const preview = await lines<ShownImport>(studio, `${id}/preview`);
    const { last } = await lines<{ readonly set: string }>(studio, `${id}/cases`, { app: 'echo', set: 'keys' });
    expect(last?.done).toMatchObject({ cases: 1 });
    const stored = readFileSync(join(studio.folder, 'echo/keys.evalset.json'), 'utf8');
    for (const one of [preview.text, stored]) {
      expect(one).toContain('[masked: ');
      expect(one).not.toContain('sk-proj');
      expect(one).not.toContain('open-sesame-please');
    }
  });
});
