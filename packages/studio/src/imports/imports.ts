import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { CriteriaError } from '@agent-criteria/core';
import type { Project } from '@agent-criteria/project';
import { HTTPException } from 'hono/http-exception';
import type { ImportFile } from '../api.ts';
import { refusal } from '../http/refusal.ts';
import { plainFileName } from '../sessions/file-name.ts';

/** Files that are being imported, each in a private temporary folder. */
export type Imports = ReturnType<typeof createImports>;

/** A file that was received. */
export interface ReceivedFile extends ImportFile {
  /** The private folder that holds only this file, under its name. */
  readonly folder: string;
}

interface Kept {
  readonly file: ReceivedFile;
  readonly end: AbortController;
  users: Promise<unknown>[];
  timer?: ReturnType<typeof setTimeout> | undefined;
}

/** Milliseconds after which a file is deleted that nobody uses. */
const IDLE = 60 * 60 * 1000;

export interface CreateImportsOptions {
  /** The project of the studio's folder, whose settings hold for runs. */
  readonly project: Project;
  /** The variables whose values may be secrets, now. */
  readonly variables: () => readonly Readonly<Record<string, string | undefined>>[];
  /** The largest file that is accepted. */
  readonly maxBytes: number;
}

export function createImports({ project, variables, maxBytes }: CreateImportsOptions) {
  const all = new Map<string, Kept>();

  const remove = async (id: string): Promise<void> => {
    const kept = all.get(id);
    if (kept === undefined) return;
    all.delete(id);
    clearTimeout(kept.timer);
    kept.end.abort();
    await Promise.allSettled(kept.users);
    await rm(kept.file.folder, { recursive: true, force: true });
  };

  const expectUse = (kept: Kept): void => {
    clearTimeout(kept.timer);
    kept.timer = setTimeout(() => void remove(kept.file.id), IDLE);
    kept.timer.unref();
  };

  return {
    project,
    variables,
    maxBytes,
    /**
     * Writes the body of a request to a file piece by piece.
     * @throws A 422 refusal if it is empty; CriteriaError WRITE_FAILED. Nothing is then left of it.
     */
    async receive(name: string, body: ReadableStream | null): Promise<ImportFile> {
      const folder = await mkdtemp(join(tmpdir(), 'agent-criteria-import-'));
      const plain = plainFileName(name);
      const path = join(folder, plain);
      try {
        const source = body === null ? Readable.from([]) : Readable.fromWeb(body);
        await pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
        const { size } = await stat(path);
        if (size === 0) throw refusal(422, `“${plain}” is empty: choose a file with conversations.`);
        const file = { id: randomUUID(), name: plain, size, folder };
        const kept = { file, end: new AbortController(), users: [] };
        all.set(file.id, kept);
        expectUse(kept);
        return { id: file.id, name: plain, size };
      } catch (cause) {
        await rm(folder, { recursive: true, force: true });
        if (cause instanceof HTTPException) throw cause;
        const message = `the file could not be kept in ${tmpdir()} while it is read: ${(cause as Error).message}. Free some space, or name another folder with TMPDIR`;
        throw new CriteriaError({ code: 'WRITE_FAILED', file: plain, message }, { cause });
      }
    },
    /**
     * Works with a file, which is kept until the work has ended.
     * @param work Its signal is aborted when the file is deleted.
     * @throws A 404 refusal if there is no such file.
     */
    find(id: string): <Result>(work: (file: ReceivedFile, signal: AbortSignal) => Promise<Result>) => Promise<Result> {
      const kept = all.get(id);
      if (kept === undefined) {
        throw refusal(404, 'This file is not kept any more: choose it again.');
      }
      return async (work) => {
        clearTimeout(kept.timer);
        const working = work(kept.file, kept.end.signal);
        kept.users.push(working);
        try {
          return await working;
        } finally {
          kept.users = kept.users.filter((one) => one !== working);
          if (kept.users.length === 0 && all.has(id)) expectUse(kept);
        }
      };
    },
    remove,
    /** Ends all imports, and deletes their files. */
    async close(): Promise<void> {
      await Promise.all([...all.keys()].map(remove));
    },
  };
}
