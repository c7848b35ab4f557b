import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noMask, secretMask } from '@agent-criteria/masking';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { runs } from '../../../../test/runs.ts';
import { newSession } from './new-session.ts';
import { openSessionFolder, type SessionLimits } from './session-folder.ts';
import { parseStoredSession, storedSession } from './stored-session.ts';

const app = { name: 'desk', folder: '/agents/desk', agent: '/agents/desk/agent.mjs' };
const LIMITS: SessionLimits = { bytes: 10_000, sessions: 3, bytesOfApp: 1_000_000 };

const said = (text: string) => ({ id: `m-${text}`, author: 'user', content: { role: 'user', parts: [{ text }] } });

function talked(id: string, text: string, at = 1) {
  const session = newSession(
    { appName: 'desk', userId: 'user' },
    { id, state: { city: 'Rome' }, events: [said(text)] },
  );
  session.lastUpdateTime = at;
  return session;
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map(({ parentPath, name }) => join(parentPath, name));
}

describe('a folder of sessions', () => {
  it('returns a session as it was, oldest first', () => {
    const root = folderOf({});
    const session = talked('one', 'Hi', 2);
    session.statesBefore.set('__proto__', { city: 'Oslo' });
    session.startedOver.push('m-Hi');
    session.artifacts = [{ name: 'a.txt', versions: [{ text: 'one' }, { text: 'two' }] }];
    const older = talked('two', 'Bye', 1);
    const folder = openSessionFolder(join(root, 'sessions'), noMask);
    for (const one of [session, older]) folder.save(app, one, [session, older]);
    const { sessions, notices } = openSessionFolder(join(root, 'sessions'), noMask).read(app);
    expect(notices).toEqual([]);
    expect(sessions.map(storedSession)).toEqual([storedSession(older), storedSession(session)]);
  });

  it('is readable only by its owner, and ignored by git', () => {
    const root = join(folderOf({}), 'sessions');
    mkdirSync(root, { mode: 0o755 });
    openSessionFolder(root, noMask).save(app, talked('one', 'Hi'), []);
    const [file = ''] = filesBelow(root);
    expect(statSync(root).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(root, '.gitignore'), 'utf8')).toBe('*\n');
  });

  it('holds no secret, not even in an artifact', () => {
    const root = folderOf({});
    const mask = secretMask({ environment: { SHOP_API_KEY: 'correct-horse-battery' } });
    const session = talked('one', 'my key is correct-horse-battery');
    const data = Buffer.from('key: correct-horse-battery').toString('base64');
    session.artifacts = [{ name: 'a.txt', versions: [{ inlineData: { mimeType: 'text/plain', data } }] }];
    openSessionFolder(root, mask).save(app, session, []);
    const text = readFileSync(filesBelow(root)[0] ?? '', 'utf8');
    expect(text).not.toContain('correct-horse');
    expect(text).not.toContain(data);
    expect(text).toContain('[masked: SHOP_API_KEY]');
  });

  it.each(['../../escaped', '/etc/passwd', '__proto__', 'a\u0000b', '..', '', 'x'.repeat(5000)])(
    'is never left, whatever a session is called: %j',
    (id) => {
      const root = folderOf({});
      const folder = openSessionFolder(join(root, 'sessions'), noMask);
      const session = newSession({ appName: 'desk', userId: id }, { id, state: {}, events: [] });
      folder.save(app, session, []);
      expect(session.unsaved).toBeNull();
      expect(readdirSync(root)).toEqual(['sessions']);
      expect(folder.read(app).sessions).toMatchObject([{ id, userId: id }]);
      folder.remove(app, session);
      expect(folder.read(app).sessions).toEqual([]);
    },
  );

  it('keeps the newest sessions, and drops empty ones first', () => {
    const root = folderOf({});
    const folder = openSessionFolder(root, noMask, LIMITS);
    const empty = newSession({ appName: 'desk', userId: 'user' }, { id: 'empty', state: {}, events: [] });
    const all = [talked('1', 'a', 1), talked('2', 'b', 2), empty, talked('3', 'c', 3), talked('4', 'd', 4)];
    for (const one of all) folder.save(app, one, all);
    expect(folder.read(app).sessions.map(({ id }) => id)).toEqual(['2', '3', '4']);
    expect(all[0]?.unsaved).toContain('only in memory');
    expect(all[4]?.unsaved).toBeNull();
  });

  it('keeps no more bytes than its limit', () => {
    const root = folderOf({});
    const folder = openSessionFolder(root, noMask, { ...LIMITS, sessions: 100, bytesOfApp: 2000 });
    const all = [1, 2, 3].map((at) => talked(String(at), 'x'.repeat(300), at));
    for (const one of all) folder.save(app, one, all);
    expect(folder.read(app).sessions.map(({ id }) => id)).toEqual(['2', '3']);
  });

  it('keeps what a session was before it became too large, and the session says so', () => {
    const root = folderOf({});
    const folder = openSessionFolder(root, noMask, LIMITS);
    const session = talked('one', 'Hi');
    folder.save(app, session, [session]);
    session.events.push(said('x'.repeat(20_000)));
    folder.save(app, session, [session]);
    expect(session.unsaved).toContain('larger than 0.01 MB');
    expect(folder.read(app).sessions[0]?.events).toEqual([said('Hi')]);
  });

  it('cannot be written: the session goes on in memory, and says why', () => {
    const root = folderOf({ sessions: 'a file' });
    const session = talked('one', 'Hi');
    openSessionFolder(join(root, 'sessions'), noMask).save(app, session, [session]);
    expect(session.unsaved).toMatch(/^What is new in this session is only in memory, .*\.$/);
  });

  it('ignores damaged, foreign, linked and large files with a notice for each', () => {
    const root = folderOf({});
    const folder = openSessionFolder(root, noMask, LIMITS);
    folder.save(app, talked('one', 'Hi'), []);
    const [good = ''] = filesBelow(root);
    const beside = (name: string) => join(good, '..', name);
    const name = (digit: string) => `${digit.repeat(40)}.json`;
    writeFileSync(beside(name('1')), '{');
    writeFileSync(beside(name('2')), readFileSync(good));
    writeFileSync(beside(name('3')), '{"format":"another"}');
    writeFileSync(beside(name('4')), ' '.repeat(20_000));
    writeFileSync(beside('notes.txt'), 'mine');
    symlinkSync(good, beside(name('5')));
    mkdirSync(beside(name('6')));
    const { sessions, notices } = folder.read(app);
    expect(sessions.map(({ id }) => id)).toEqual(['one']);
    expect(notices).toHaveLength(7);
    for (const notice of notices) expect(notice).toMatch(/^warning: .* was ignored: .*\. Delete it/);
  });

  it('is separate for another agent of the same name', () => {
    const root = folderOf({});
    const folder = openSessionFolder(root, noMask);
    folder.save(app, talked('one', 'Hi'), []);
    expect(folder.read({ ...app, folder: '/other/desk' })).toEqual({ sessions: [], notices: [] });
  });

  it('that others could write to is closed to them', () => {
    const root = join(folderOf({}), 'sessions');
    mkdirSync(root);
    chmodSync(root, 0o777);
    openSessionFolder(root, noMask).save(app, talked('one', 'Hi'), []);
    expect(statSync(root).mode & 0o777).toBe(0o700);
  });
});

describe('parseStoredSession()', () => {
  it('ends a turn that had no event yet, and keeps its message', () => {
    const session = talked('one', 'Hi');
    const unanswered = { content: { role: 'user', parts: [{ text: 'Where?' }] }, at: 1e12, from: 1 };
    const { events, turn } = parseStoredSession(JSON.stringify({ ...storedSession(session), unanswered }));
    expect(turn).toBeNull();
    expect(events.slice(1)).toMatchObject([
      { author: 'user', content: { parts: [{ text: 'Where?' }] } },
      { errorCode: 'STOPPED', errorMessage: 'The studio ended before the agent had answered.', interrupted: true },
    ]);
    expect(events[1]?.invocationId).toBe(events[2]?.invocationId);
  });

  it('throws only errors with a reason, for any JSON', () => {
    const whole = storedSession(talked('one', 'Hi')) as Readonly<Record<string, unknown>>;
    const changed = fc
      .tuple(fc.constantFrom(...Object.keys(whole), 'unanswered'), fc.jsonValue())
      .map(([key, value]) => JSON.stringify({ ...whole, [key]: value }));
    fc.assert(
      fc.property(fc.oneof(changed, fc.json(), fc.string()), (text) => {
        try {
          const session = parseStoredSession(text);
          expect(storedSession(parseStoredSession(JSON.stringify(storedSession(session))))).toEqual(
            storedSession(session),
          );
        } catch (error) {
          expect((error as Error).message).toMatch(/damaged|not a session|JSON|Unexpected/);
        }
      }),
      { numRuns: runs(2000) },
    );
  });
});
