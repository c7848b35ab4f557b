import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { openAccess } from './access-file.ts';
import { keptFolder } from './private-folder.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOW = 1_800_000_000_000;
const file = (folder: string) => join(folder, 'access.json');

describe('the secrets of a studio', () => {
  it('are the same at the next start, with the port', () => {
    const folder = join(folderOf({}), 'studio');
    const first = openAccess(folder, NOW);
    first.keepPort(8123);
    const again = openAccess(folder, NOW + DAY);
    expect(again).toMatchObject({ token: first.token, cookie: first.cookie, port: 8123, notices: [] });
    expect(first.token).not.toBe(first.cookie);
  });

  it('are in a file that only its owner can read, and that git ignores', () => {
    const folder = join(folderOf({}), 'studio');
    openAccess(folder, NOW).keepPort(8123);
    expect(statSync(file(folder)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n');
  });

  it('expire after 30 days, and are replaced at a start on the last day', () => {
    const folder = join(folderOf({}), 'studio');
    const first = openAccess(folder, NOW);
    expect(first.expiresAt).toBe(NOW + 30 * DAY);
    expect(openAccess(folder, NOW + 28.9 * DAY).token).toBe(first.token);
    const next = openAccess(folder, NOW + 29.1 * DAY);
    expect(next.token).not.toBe(first.token);
    expect(next.cookie).not.toBe(first.cookie);
    expect(next).toMatchObject({ expiresAt: NOW + 59.1 * DAY, notices: [] });
    // A clock that was set back does not make them last longer.
    expect(openAccess(folder, NOW).token).not.toBe(next.token);
  });

  it.each<readonly [string, (folder: string) => void, string]>([
    ['others can read', (folder) => chmodSync(file(folder), 0o644), 'could be read by others'],
    ['is damaged', (folder) => writeFileSync(file(folder), '{'), 'is damaged'],
    ['has a short token', (folder) => edit(folder, { token: 'abc' }), 'is damaged'],
    ['has no end', (folder) => edit(folder, { expiresAt: null }), 'is damaged'],
    ['has one secret for both', (folder) => edit(folder, { cookie: JSON.parse(text(folder)).token }), 'is damaged'],
    ['is large', (folder) => writeFileSync(file(folder), ' '.repeat(20_000)), 'is not a file of the studio'],
    ['is a copy', (folder) => copied(folder), 'was copied from elsewhere'],
    ['is a link', (folder) => linked(folder), 'is not a file of the studio'],
  ])('are replaced with a notice if their file %s', (_, change, why) => {
    const folder = join(folderOf({}), 'studio');
    const first = openAccess(folder, NOW);
    change(folder);
    const next = openAccess(folder, NOW + 1);
    expect(next.token).not.toBe(first.token);
    expect(next.notices).toEqual([expect.stringContaining(why)]);
    expect(openAccess(folder, NOW + 2)).toMatchObject({ token: next.token, notices: [] });
    expect(statSync(file(folder)).mode & 0o777).toBe(0o600);
  });

  it('end with the process if they cannot be written, and a notice says so', () => {
    const folder = join(folderOf({ kept: 'a file' }), 'kept', 'studio');
    const { token, notices } = openAccess(folder, NOW);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(notices).toEqual([expect.stringContaining('not kept for the next start')]);
  });
});

function text(folder: string): string {
  return readFileSync(file(folder), 'utf8');
}

function edit(folder: string, change: object): void {
  writeFileSync(file(folder), JSON.stringify({ ...JSON.parse(text(folder)), ...change }));
}

/** Puts a copy in place of the file, as a repository or an archive does. */
function copied(folder: string): void {
  const copy = `${folder}-copy`;
  mkdirSync(copy);
  cpSync(folder, copy, { recursive: true });
  rmSync(file(folder));
  copyFileSync(file(copy), `${file(folder)}.other`);
  copyFileSync(`${file(folder)}.other`, file(folder));
  chmodSync(file(folder), 0o600);
}

function linked(folder: string): void {
  writeFileSync(join(folder, 'other.json'), text(folder), { mode: 0o600 });
  rmSync(file(folder));
  symlinkSync(join(folder, 'other.json'), file(folder));
}

it.each([
  ['/p/.agent-criteria/runs', '/p/.agent-criteria'],
  ['/p/runs', '/p/.agent-criteria'],
])('keptFolder() is beside the runs: %s', (runs, kept) => {
  expect(keptFolder(runs)).toBe(kept);
});
