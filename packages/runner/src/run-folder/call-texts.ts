import { sha256 } from '@agent-criteria/calls';
import { stringifyJson } from '@agent-criteria/formats';
import { type Blobs, LONGEST_TEXT } from './blobs.ts';
import { layout } from './layout.ts';
import { type LinePlace, readLines, scanLines } from './line-reader.ts';
import type { LineWriter } from './line-writer.ts';

/** Keeps what was asked and answered, as JSON, by the hash of that. */
export interface TextWriter {
  put(text: string): string;
}

interface TextLine {
  readonly hash: string;
  readonly text: string;
}

/**
 * Long texts are blobs; the others are lines of one file: to make a file takes longer than all else that a call costs, and
 * everybody waits for it.
 */
export function writeTexts(blobs: Blobs, open: () => LineWriter): TextWriter {
  const written = new Set<string>();
  let lines: LineWriter | null = null;
  return {
    put(text) {
      if (text.length > LONGEST_TEXT) return blobs.put(text);
      const hash = sha256(text);
      if (written.has(hash)) return hash;
      lines ??= open();
      lines.append(stringifyJson({ hash, text } satisfies TextLine));
      written.add(hash);
      return hash;
    },
  };
}

/** Finds texts that `writeTexts` kept. @returns what throws as `Blobs.get` does when there is no such text. */
export function readTexts(folder: string, blobs: Blobs): (hash: string) => string {
  let index: Map<string, LinePlace> | null = null;
  return (hash) => {
    index ??= indexTexts(folder);
    const place = index.get(hash);
    if (place === undefined) return blobs.get(hash);
    const lines = readLines(layout.texts(folder));
    try {
      const found = lines.read(place);
      // Somebody may have changed the file.
      return isTextLine(found) && sha256(found.text) === hash ? found.text : blobs.get(hash);
    } finally {
      lines.close();
    }
  };
}

function indexTexts(folder: string): Map<string, LinePlace> {
  const index = new Map<string, LinePlace>();
  scanLines(layout.texts(folder), (line, place) => {
    if (isTextLine(line)) index.set(line.hash, place);
  });
  return index;
}

function isTextLine(value: unknown): value is TextLine {
  return (
    typeof value === 'object' &&
    value !== null &&
    'hash' in value &&
    typeof value.hash === 'string' &&
    'text' in value &&
    typeof value.text === 'string'
  );
}
