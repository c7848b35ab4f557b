import { sha256 } from '@agent-criteria/calls';
import { stringifyJson } from '@agent-criteria/formats';
import { fits, is } from '@agent-criteria/formats/schema';
import { type Blobs, LONGEST_TEXT } from './blobs.ts';
import { layout } from './layout.ts';
import { type LinePlace, readLines, scanLines } from './line-reader.ts';
import type { LineWriter } from './line-writer.ts';

interface TextLine {
  readonly hash: string;
  readonly text: string;
}

/**
 * Returns a function that stores a call's request or answer, given as JSON. Long ones become blobs. All others become
 * lines of a single file, because creating a file takes longer than the rest of a call.
 */
export function textWriter(blobs: Blobs, open: () => LineWriter): (text: string) => void {
  const written = new Set<string>();
  let lines: LineWriter | null = null;
  return (text) => {
    if (text.length > LONGEST_TEXT) {
      blobs.put(text);
      return;
    }
    const hash = sha256(text);
    if (written.has(hash)) return;
    lines ??= open();
    lines.append(stringifyJson({ hash, text } satisfies TextLine));
    written.add(hash);
  };
}

/**
 * Returns a function that looks up a call's request or answer by its hash. If there is none, it throws like `get` of
 * `openBlobs`.
 */
export function readTexts(folder: string, blobs: Blobs): (hash: string) => string {
  let index: Map<string, LinePlace> | null = null;
  return (hash) => {
    index ??= indexTexts(folder);
    const place = index.get(hash);
    if (place === undefined) return blobs.get(hash);
    const lines = readLines(layout.texts(folder));
    try {
      const found = lines.read(place);
      // The file may have been changed.
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
  return fits<TextLine>({ hash: is.text, text: is.text }, value);
}
