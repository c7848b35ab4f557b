import type { UnitKey } from '@agent-criteria/core';
import type { RunCall } from '@agent-criteria/results';
import type { InferenceRecord, ScoreRecord } from '../journal/journal.ts';
import { keyText } from '../key-text.ts';
import type { Blobs } from './blobs.ts';
import { callReader } from './calls.ts';
import { layout } from './layout.ts';
import { readLines } from './line-reader.ts';
import { decodeInference, decodeScores, type InferenceLine, type ScoreLine } from './records.ts';
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
