import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { openRecords } from '../input/open-records.ts';
import { openText } from '../input/open-text.ts';
import { wholeText } from '../input/yaml-items.ts';

/** The content of a file that another file names, or why it is not read. */
export type ReadReference<T> = { readonly value: T } | { readonly problem: string };

export interface FileReferences {
  /** Reads a text. */
  text(reference: string): Promise<ReadReference<string>>;
  /** Reads the records of JSON, JSON Lines, YAML or CSV. */
  records(reference: string): Promise<ReadReference<readonly unknown[]>>;
  /** Reads one value of JSON or YAML. */
  value(reference: string): Promise<ReadReference<unknown>>;
}

/** More files than this are not opened for one file. */
const MOST_FILES = 1000;

/**
 * Reads files that a file names. Only files in its folder and below are opened, also if a link leads elsewhere, and none is run.
 */
export function openFileReferences(file: string): FileReferences {
  const folder = dirname(resolve(file));
  let opened = 0;
  return {
    text: (reference) =>
      read(reference, /\.(?:txt|md|markdown|json|ya?ml|j2|html?|xml|csv|sql)$/i, (path) =>
        wholeText(openText(path), path),
      ),
    records: (reference) => read(reference, /\.(?:csv|tsv|json|jsonl|ndjson|ya?ml)$/i, recordsOf),
    value: (reference) =>
      read(reference, /\.(?:json|ya?ml)$/i, async (path) => {
        const all = await recordsOf(path);
        const isList = /^\s*(?:\[|-\s)/.test(await wholeText(openText(path), path));
        return isList || all.length !== 1 ? all : all[0];
      }),
  };

  async function read<T>(
    reference: string,
    kinds: RegExp,
    open: (path: string) => Promise<T>,
  ): Promise<ReadReference<T>> {
    const shown = reference.slice(0, 100);
    const path = reference.replace(/^file:\/\//, '');
    if (/^[a-z][a-z\d+.-]*:\/\//i.test(path))
      return { problem: `${shown} is not in this folder, and nothing is loaded from elsewhere` };
    if (/\.(?:[cm]?[jt]s|py|rb|go|sh)(?::[\w.]+)?$/i.test(path))
      return { problem: `${shown} is code, which is never run` };
    if (/[*?{]/.test(path)) return { problem: `${shown} names several files by a pattern: name them one by one` };
    if (!kinds.test(path)) return { problem: `${shown} is of a kind that is not read` };
    opened += 1;
    if (opened > MOST_FILES) return { problem: `more than ${MOST_FILES} files are named` };
    try {
      const [top, real] = await Promise.all([realpath(folder), realpath(resolve(folder, path))]);
      const within = relative(top, real);
      if (within === '..' || within.startsWith(`..${sep}`) || isAbsolute(within)) {
        return { problem: `${shown} is outside the folder of the file, so it is not opened` };
      }
      return { value: await open(real) };
    } catch (error) {
      if (CriteriaError.is(error)) return { problem: `${shown} cannot be read: ${error.problems[0]?.message ?? ''}` };
      return { problem: `${shown} does not exist` };
    }
  }
}

async function recordsOf(path: string): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for await (const record of (await openRecords(path)).records) {
    if ('problems' in record) throw new CriteriaError(record.problems);
    all.push(record.value);
  }
  return all;
}
