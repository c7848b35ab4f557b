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
  withTodaysCallKeys,
} from './records.ts';
import type { RunIndex } from './run-index.ts';

/** Reads single records of a run folder. */
export interface FolderReader {
  inference(key: UnitKey): InferenceRecord | null;
  scores(key: UnitKey): ScoreRecord | null;
  calls(key: UnitKey): RunCall[];
  close(): void;
}

/** @param index Where the records are: asked anew for each. */
export function folderReader(folder: string, scoring: number | null, index: RunIndex, blobs: Blobs): FolderReader {
  const inferences = readLines(layout.inferences(folder));
  const scores = readLines(scoring === null ? '' : layout.scores(folder, scoring));
  const calls = callReader(folder);
  return {
    inference(key) {
      const found = index.inferences.get(keyText(key));
      return found === undefined ? null : decodeInference(inferences.read(found.place) as InferenceLine, blobs);
    },
    scores(key) {
      const found = index.scores.get(keyText(key));
      return found === undefined ? null : decodeScores(scores.read(found.place) as ScoreLine, found, blobs);
    },
    calls: (key) => calls.of(key),
    close() {
      for (const reader of [inferences, scores, calls]) reader.close();
    },
  };
}

/** The calls of a run folder, by unit. */
export interface CallReader {
  of(key: UnitKey): RunCall[];
  close(): void;
}

/** Finds what is there when it is asked, also what was written since. */
export function callReader(folder: string): CallReader {
  const file = layout.calls(folder);
  const lines = readLines(file);
  let index: ReadonlyMap<string, readonly LinePlace[]> = new Map();
  let indexed = 0;
  return {
    of(key) {
      const size = sizeOf(file);
      if (size !== indexed) index = indexCalls(file);
      indexed = size;
      return (index.get(keyText(key)) ?? []).map((place) => callAt(lines.read(place)));
    },
    close: () => lines.close(),
  };
}

/** The ids of all calls; older lines have none. */
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
  const { id: _, ...call } = withTodaysCallKeys(line as object) as RunCall & { readonly id?: string };
  return call;
}
