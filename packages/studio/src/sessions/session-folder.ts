import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { sha256, writeFileWhole } from '@agent-criteria/calls';
import type { SecretMask } from '@agent-criteria/masking';
import { isUrl } from '@agent-criteria/runner';
import type { App } from '../apps/app.ts';
import { makePrivateFolder } from '../security/private-folder.ts';
import type { ChatSession } from './chat-session.ts';
import { maskedFiles } from './masked-files.ts';
import { parseStoredSession, storedSession } from './stored-session.ts';

/** Limits of one session and of all of an app. Beyond them, the oldest files go. */
export interface SessionLimits {
  readonly bytes: number;
  readonly sessions: number;
  readonly bytesOfApp: number;
}

const LIMITS: SessionLimits = { bytes: 16_000_000, sessions: 200, bytesOfApp: 256_000_000 };
/** Milliseconds after which a draft that was never renamed is removed. */
const OLD_DRAFT = 60 * 60 * 1000;

export type SessionFolder = ReturnType<typeof openSessionFolder>;

/**
 * Opens the folder in which sessions outlive the studio: a file for each, masked and readable only by its owner. File
 * names are hashes, so that ids in requests cannot lead elsewhere.
 */
export function openSessionFolder(folder: string, mask: SecretMask, limits: SessionLimits = LIMITS) {
  /** Sizes of files, by path, for each app's folder. */
  const sizes = new Map<string, Map<string, number>>();
  const folderOf = ({ name, agent, folder: own }: App): string => {
    // Relative, so that a project can be moved with its sessions.
    const place = agent !== null && isUrl(agent) ? agent : relative(folder, own).split(sep).join('/');
    return join(folder, sha256(JSON.stringify([name, place])).slice(0, 32));
  };
  const fileOf = (app: App, { userId, id }: Pick<ChatSession, 'userId' | 'id'>): string =>
    join(folderOf(app), `${sha256(JSON.stringify([userId, id])).slice(0, 40)}.json`);
  const sizesOf = (app: App): Map<string, number> => {
    const found = sizes.get(folderOf(app)) ?? new Map<string, number>();
    sizes.set(folderOf(app), found);
    return found;
  };

  /** Reads one file. @throws Error if it is damaged or foreign. */
  function open(app: App, file: string): { readonly session: ChatSession; readonly bytes: number } {
    const found = lstatSync(file);
    if (!found.isFile()) throw new Error('it is not a file');
    if (found.size > limits.bytes) throw new Error(`it is larger than ${inMegabytes(limits.bytes)}`);
    const session = parseStoredSession(readFileSync(file, 'utf8'));
    if (session.appName !== app.name || fileOf(app, session) !== file) throw new Error('it belongs to another session');
    return { session, bytes: found.size };
  }

  return {
    /** Reads the sessions of an app, oldest first, with a notice for each file that is ignored. */
    read(app: App): { readonly sessions: readonly ChatSession[]; readonly notices: readonly string[] } {
      const own = folderOf(app);
      const sessions: ChatSession[] = [];
      const notices: string[] = [];
      for (const name of namesIn(own)) {
        const file = join(own, name);
        if (/^[0-9a-f]{40}\.json\.[0-9a-f]+\.tmp$/.test(name)) removeOldDraft(file);
        else {
          try {
            if (!/^[0-9a-f]{40}\.json$/.test(name)) throw new Error('it is not a file of the studio');
            const { session, bytes } = open(app, file);
            sizesOf(app).set(file, bytes);
            sessions.push(session);
          } catch (error) {
            notices.push(`warning: ${file} was ignored: ${(error as Error).message}. Delete it, if nothing needs it.`);
          }
        }
      }
      return { sessions: sessions.toSorted((a, b) => a.lastUpdateTime - b.lastUpdateTime), notices };
    },

    /**
     * Writes a session, and removes the files of the oldest ones beyond the limits. A session that cannot be written
     * says so in `unsaved`.
     * @param others The sessions of the app.
     */
    save(app: App, session: ChatSession, others: readonly ChatSession[]): void {
      const file = fileOf(app, session);
      try {
        const stored = mask.json(maskedFiles(storedSession(session), mask)) as Readonly<Record<string, unknown>>;
        if (['id', 'userId', 'appName'].some((name) => stored[name] !== session[name as 'id'])) {
          throw new Error('its id contains a secret');
        }
        const text = JSON.stringify(stored);
        const bytes = Buffer.byteLength(text);
        if (bytes > limits.bytes) throw new Error(`it is larger than ${inMegabytes(limits.bytes)}`);
        makePrivateFolder(folder);
        makePrivateFolder(folderOf(app));
        writeFileWhole(file, text, { mode: 0o600 });
        sizesOf(app).set(file, bytes);
        session.unsaved = null;
      } catch (error) {
        const reason = (error as Error).message;
        session.unsaved = `What is new in this session is only in memory, and is lost when the studio ends: ${reason}.`;
        return;
      }
      removeOldest(app, session, others);
    },

    /** Removes the file of a session. @throws A file system error. */
    remove(app: App, session: ChatSession): void {
      const file = fileOf(app, session);
      rmSync(file, { force: true });
      sizesOf(app).delete(file);
    },
  };

  function removeOldest(app: App, saved: ChatSession, others: readonly ChatSession[]): void {
    const kept = sizesOf(app);
    // Empty sessions go first.
    const oldest = others
      .filter((one) => one !== saved && kept.has(fileOf(app, one)))
      .toSorted(
        (a, b) => Number(a.events.length > 0) - Number(b.events.length > 0) || a.lastUpdateTime - b.lastUpdateTime,
      );
    let bytes = [...kept.values()].reduce((sum, size) => sum + size, 0);
    for (const one of oldest) {
      if (kept.size <= limits.sessions && bytes <= limits.bytesOfApp) return;
      const file = fileOf(app, one);
      bytes -= kept.get(file) ?? 0;
      kept.delete(file);
      rmSync(file, { force: true });
      one.unsaved = `This session is only in memory, because ${limits.sessions} newer ones are kept: it is lost when the studio ends, unless it goes on.`;
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder).filter((name) => name !== '.gitignore') : [];
  } catch {
    return [];
  }
}

/** Removes what a studio left that was ended while it wrote. */
function removeOldDraft(file: string): void {
  try {
    if (Date.now() - lstatSync(file).mtimeMs > OLD_DRAFT) rmSync(file, { force: true });
  } catch {
    // Another studio may have renamed it.
  }
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toLocaleString('en')} MB`;
}
