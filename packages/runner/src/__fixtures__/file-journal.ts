import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UnitKey } from '@agent-criteria/core';
import type { RunCall } from '@agent-criteria/results';
import { type InferenceRecord, type Journal, journalOf, type ScoreRecord, type UnitState } from '../index.ts';

/** Everything stored about a unit. */
interface UnitFile extends UnitState {
  readonly inference?: InferenceRecord;
  readonly scores?: ScoreRecord;
  readonly calls?: readonly { readonly id: string; readonly call: RunCall }[];
}

/** A minimal third-party journal that stores one file per unit. */
export function fileJournal(folder: string): Promise<Journal> {
  mkdirSync(folder, { recursive: true });
  const nameOf = ({ setId, caseId, repeat, variant }: UnitKey) =>
    createHash('sha256').update(JSON.stringify([setId, caseId, repeat, variant])).digest('hex');
  const read = (name: string): UnitFile | null => {
    const there = readdirSync(folder).includes(name);
    return there ? JSON.parse(readFileSync(join(folder, name), 'utf8')) : null;
  };
  const change = (key: UnitKey, more: Partial<UnitFile>): void => {
    const before = read(nameOf(key)) ?? { key, highest: 0, inferred: null, scored: null };
    // Write atomically.
    const draft = join(folder, `${nameOf(key)}.draft`);
    writeFileSync(draft, JSON.stringify({ ...before, ...more }));
    renameSync(draft, join(folder, nameOf(key)));
  };
  const files = (): UnitFile[] => {
    const names = readdirSync(folder).filter((name) => !name.endsWith('.draft'));
    return names.flatMap((name) => read(name) ?? []);
  };
  const ids = new Set(files().flatMap(({ calls = [] }) => calls.map(({ id }) => id)));
  return journalOf({
    states: () => files().map(({ key, highest, inferred, scored }) => ({ key, highest, inferred, scored })),
    inference: (key) => read(nameOf(key))?.inference ?? null,
    scores: (key) => read(nameOf(key))?.scores ?? null,
    calls: (key) => (read(nameOf(key))?.calls ?? []).map(({ call }) => call),
    hasCall: (id) => ids.has(id),
    putInference({ failed, ...head }, json) {
      const { key, ticket, seen } = head;
      const inferred = { ticket, seen, failed };
      change(key, { highest: ticket, inferred, inference: { ...head, inference: JSON.parse(json) } });
    },
    putScores({ key, inferences: _, ...scored }, json, result) {
      const ofCase = scored.case && { of: scored.case.of, result: JSON.parse(result ?? '') };
      const { ticket, of } = scored;
      const record = { key, ticket, of, scores: JSON.parse(json), ...(ofCase && { case: ofCase }) };
      change(key, { scored, scores: record });
    },
    putCall(id, key, json) {
      ids.add(id);
      change(key, { calls: [...(read(nameOf(key))?.calls ?? []), { id, call: JSON.parse(json) }] });
    },
    close() {},
  });
}
