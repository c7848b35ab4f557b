import type { UnitKey } from '@agent-criteria/core';
import type { RunCall } from '@agent-criteria/results';
import { isCall } from '../check-records.ts';
import { keyText } from '../key-text.ts';
import { layout } from './layout.ts';
import { type LinePlace, readLines, scanLines } from './line-reader.ts';
import { withTodaysCallKeys } from './older-formats.ts';
import { sizeOf } from './size-of.ts';

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
