import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { sha256 } from '@agent-criteria/calls';
import { cutOffFolder } from '@agent-criteria/runner';
import manifest from '../../package.json' with { type: 'json' };
import type { ImportRunOptions } from './import-conversations.ts';

type Source = Omit<ImportRunOptions, 'folder'>;

/**
 * Finds the folder of an import with the same files and options that was cut off, such as by `kill -9`. `importRun`
 * continues it there.
 *
 * @returns `null` if there is none, or if a file has changed since.
 */
export async function cutOffImport(options: Source, runsFolder: string): Promise<string | null> {
  return cutOffFolder(runsFolder, await importFingerprint(options));
}

/** Identifies an import by its files and by the options that decide what is stored. */
export async function importFingerprint(options: Source): Promise<string> {
  const files = await Promise.all(
    options.files.map(async (file) => {
      const path = resolve(options.cwd ?? '', file);
      const found = await stat(path).catch(() => null);
      return [path, found?.size ?? null, found?.mtimeMs ?? null];
    }),
  );
  const { as, columns, where, passes, stop, skipInvalid, grep, unique, sample, seed, evalSetId, name, by } = options;
  const reading = { as, columns, where, passes, stop, skipInvalid };
  const choice = { grep, unique, sample, seed };
  const { maskSecrets, redact } = options;
  const storing = { evalSetId, name, by, maskSecrets, redact: redact === undefined ? undefined : String(redact) };
  return sha256(JSON.stringify([manifest.version, files, reading, choice, storing]));
}
