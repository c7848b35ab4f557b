import type { UnitKey } from '@agent-criteria/core';
import type { RunCall } from '@agent-criteria/results';
import type { InferenceRecord, ScoreRecord } from '../journal/journal.ts';
import { keyText } from '../unit-key.ts';
import type { Blobs } from './blobs.ts';
import { layout, sizeOf } from './layout.ts';
import { type LinePlace, readLines, scanLines } from './line-reader.ts';
import {
  decodeInference,
  decodeScores,
  type InferenceLine,
  isCall,
  type ScoreLine,
  withCurrentCallKeys,
} from './records.ts';
import type { RunIndex } from './run-index.ts';

export type FolderReader = ReturnType<typeof folderReader>;

/**
 * Creates a reader of single records in a run folder.
 * @param index The locations of the records, consulted on each read.
 */
export function folderReader(folder: string, scoring: number | null, index: RunIndex, blobs: Blobs) {
  const inferences = readLines(layout.inferences(folder));
  const scores = readLines(scoring === null ? '' : layout.scores(folder, scoring));
  const calls = callReader(folder);
  return {
    inference(key: UnitKey): InferenceRecord | null {
      const found = index.inferences.get(keyText(key));
      return found === undefined ? null : decodeInference(inferences.read(found.place) as InferenceLine, blobs);
    },
    scores(key: UnitKey): ScoreRecord | null {
      const found = index.scores.get(keyText(key));
      return found === undefined ? null : decodeScores(scores.read(found.place) as ScoreLine, found, blobs);
    },
    calls: calls.of,
    close(): void {
      for (const reader of [inferences, scores, calls]) reader.close();
    },
  };
}

/** Creates a reader of a unit's calls, including calls written after the reader was created. */
function callReader(folder: string) {
  const file = layout.calls(folder);
  const lines = readLines(file);
  let index: ReadonlyMap<string, readonly LinePlace[]> = new Map();
  let indexed = 0;
  return {
    of(key: UnitKey): RunCall[] {
      const size = sizeOf(file);
      if (size !== indexed) index = indexCalls(file);
      indexed = size;
      return (index.get(keyText(key)) ?? []).map((place) => callAt(lines.read(place)));
    },
    close: () => lines.close(),
  };
}

/** Reads the ids of all calls. Lines written by older versions have none. */
export function callIds(folder: string): Set<string> {
  const ids = new Set<string>();
  scanLines(layout.calls(folder), (value) => {
    if (isCall(value) && 'id' in value && typeof value.id === 'string') ids.add(value.id);
  });
  return ids;
}

function indexCalls(file: string): Map<string, LinePlace[]> {
  const index = new Map<string, LinePlace[]>();
  scanLines(file, (value, place) => {
    if (!isCall(value)) return;
    const text = keyText(value.key);
    const places = index.get(text);
    if (places === undefined) index.set(text, [place]);
    else places.push(place);
  });
  return index;
}

function callAt(line: unknown): RunCall {
  const { id: _, ...call } = withCurrentCallKeys(line as object) as RunCall & { readonly id?: string };
  return call;
}
