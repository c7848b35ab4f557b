import { closeSync, fstatSync, lstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomHex } from '@agent-criteria/calls';
import { isObject } from '@agent-criteria/formats';
import { isOpenToOthers, isOwn, makePrivateFolder } from './private-folder.ts';
import { createToken } from './token.ts';

/** The secrets that let programs and browsers in, and the port. They stay the same when the studio is restarted. */
export interface Access {
  readonly token: string;
  readonly cookie: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
  /** Port of the last start, or `null` if unknown. */
  readonly port: number | null;
}

export interface OpenedAccess extends Access {
  /** Why new secrets were made in place of old ones, or why they could not be kept. Complete sentences. */
  readonly notices: readonly string[];
  /** Keeps the port for the next start. */
  keepPort(port: number): void;
}

const DAY = 24 * 60 * 60 * 1000;
const LIFETIME = 30 * DAY;
/** Secrets with less time left are replaced at the start, so that they do not expire soon after it. */
const SHORTEST = DAY;
const NAME = 'access.json';
const FORMAT = 1;
const LARGEST = 10_000;

/**
 * Opens the secrets in a folder, or makes new ones if there are none, if they have expired, or if others may know them.
 * @param folder Readable only by its owner once this returns. If it cannot be written, the secrets end with the process.
 * @param now Unix milliseconds.
 */
export function openAccess(folder: string, now: number = Date.now()): OpenedAccess {
  const file = join(folder, NAME);
  const notices: string[] = [];
  const keep = (access: Access): void => {
    try {
      makePrivateFolder(folder);
      write(file, access);
    } catch (error) {
      const reason = (error as Error).message;
      notices.push(`warning: The link and the port are not kept for the next start of the studio: ${reason}`);
    }
  };
  const found = read(file, now);
  const access = typeof found === 'object' && found !== null ? found : created(now);
  if (typeof found === 'string') notices.push(`warning: ${file} ${found}, so the link is a new one.`);
  if (access !== found) keep(access);
  return { ...access, notices, keepPort: (port) => port !== access.port && keep({ ...access, port }) };
}

function created(now: number): Access {
  return { token: createToken(), cookie: createToken(), expiresAt: now + LIFETIME, port: null };
}

/** Reads the file. @returns `null` if there is none or it has expired, or why it cannot be used. */
function read(file: string, now: number): Access | string | null {
  try {
    const found = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return null;
    if (!found.isFile() || found.size > LARGEST) return 'is not a file of the studio';
    if (!isOwn(found)) return 'belongs to another user';
    if (isOpenToOthers(found)) return 'could be read by others';
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isObject(value) || value.format !== FORMAT) return 'is damaged';
    const { token, cookie, expiresAt, port = null, inode } = value;
    if (!isToken(token) || !isToken(cookie) || token === cookie || typeof expiresAt !== 'number') return 'is damaged';
    // A file from a repository or an archive has secrets that others know, and nobody can choose its inode there.
    if (inode !== String(found.ino)) return 'was copied from elsewhere';
    if (expiresAt - SHORTEST < now || expiresAt > now + LIFETIME) return null;
    const isPort = typeof port === 'number' && Number.isInteger(port) && port > 0 && port <= 65_535;
    return { token, cookie, expiresAt, port: isPort ? port : null };
  } catch (error) {
    // Something above it is no folder, which writing reports.
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? null : 'is damaged';
  }
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{43}$/.test(value);
}

/** Writes the file atomically, with its own inode, which a rename keeps. @throws Error */
function write(file: string, access: Access): void {
  const draft = `${file}.${randomHex()}.tmp`;
  try {
    const opened = openSync(draft, 'wx', 0o600);
    try {
      const { ino } = fstatSync(opened, { bigint: true });
      writeFileSync(opened, `${JSON.stringify({ format: FORMAT, inode: String(ino), ...access }, null, 2)}\n`);
    } finally {
      closeSync(opened);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
