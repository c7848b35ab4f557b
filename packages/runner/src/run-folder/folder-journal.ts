import { resolve } from 'node:path';
import { stringifyJson } from '@agent-criteria/formats';
import type { Journal, UnitState } from '../journal/journal.ts';
import { type JournalBackend, journalOf } from '../journal/journal-of.ts';
import { mkdirSync } from '../node-fs.ts';
import { keyText } from '../unit-key.ts';
import { openBlobs } from './blobs.ts';
import { textWriter } from './call-texts.ts';
import { callIds, folderReader } from './folder-reader.ts';
import { layout, listScorings, makeFolder } from './layout.ts';
import { type Lease, type LeaseOptions, withLease } from './lease.ts';
import { type LineWriter, openLines } from './line-writer.ts';
import { encodeLine } from './records.ts';
import { indexScores, inferenceIndex, type RunIndex, scoreIndex, unitStates } from './run-index.ts';

export interface FolderJournalOptions extends Pick<LeaseOptions, 'lease' | 'signal'> {
  /** The scoring pass to which scores belong, starting at 1, or `null` to store no scores. Default 1. */
  readonly scoring?: number | null | undefined;
}

/**
 * Opens the journal of a run folder, creating the folder if needed. No other process can write to the folder until the
 * journal is closed. If another process takes the folder over, every later write is rejected. `openRun` also needs a
 * plan in the folder; `run` with a `folder` writes both.
 *
 * @throws CriteriaError RUN_LOCKED if another process is writing to the folder; WRITE_FAILED.
 */
export function folderJournal(folder: string, options: FolderJournalOptions = {}): Promise<Journal> {
  const { scoring = 1, ...leaseOptions } = options;
  // Resolve the path now, because an agent may change the working folder.
  const absolute = resolve(folder);
  makeFolder(absolute);
  return withLease(absolute, leaseOptions, (lease) => openFolderJournal(absolute, scoring, lease));
}

/** Opens the journal of a folder whose lease the caller holds. Closing the journal releases the lease. */
export function openFolderJournal(folder: string, scoring: number | null, lease: Lease): Promise<Journal> {
  return journalOf(folderBackend(folder, scoring, lease));
}

function folderBackend(folder: string, scoring: number | null, lease: Lease): JournalBackend {
  const blobs = openBlobs(folder, lease.check);
  const files = openFiles(lease.check);
  // Open before reading, because opening removes an incomplete last line.
  const inferences = files.open(layout.inferences(folder));
  if (scoring !== null) mkdirSync(layout.scoring(folder, scoring), { recursive: true, mode: 0o700 });
  const scores = scoring === null ? null : files.open(layout.scores(folder, scoring));
  const writeText = textWriter(blobs, () => files.open(layout.texts(folder)));
  let calls: LineWriter | null = null;
  let ids: Set<string> | null = null;
  const inferred = inferenceIndex(folder);
  const scored = scoring === null ? null : scoreIndex(folder, scoring);
  const index: RunIndex = {
    get inferences() {
      return inferred.all();
    },
    get scores() {
      return scored?.all() ?? new Map();
    },
  };
  const reader = folderReader(folder, scoring, index, blobs);

  return {
    ...reader,
    states: () => withLostTickets(unitStates(index), folder, scoring),
    hasCall(id) {
      calls ??= files.open(layout.calls(folder));
      ids ??= callIds(folder);
      return ids.has(id);
    },
    putInference({ key, ticket, seen, startedAt, endedAt }, inference) {
      const head = { ...key, attempt: ticket - 1, seen, startedAt, endedAt };
      inferences.append(encodeLine(head, 'inference', inference, blobs));
      inferred.grew();
    },
    putScores({ key, ticket, of, unjudged, case: completed, inferences: judged }, json, result) {
      if (scores === null) return;
      const attempts = judged.map((one) => one - 1);
      const ofCase = completed && `"case":{"attempts":[${attempts}],"of":[${completed.of}],"result":${result}}`;
      const value = ofCase === null ? json : `${json.slice(0, -1)},${ofCase}}`;
      const lineHead = { ...key, attempt: of - 1, ticket, unjudged };
      scores.append(encodeLine(lineHead, 'scores', value, blobs));
      scored?.grew();
    },
    putCall(id, _key, json, { request, answer }) {
      writeText(request);
      if (answer !== null) writeText(answer);
      calls ??= files.open(layout.calls(folder));
      calls.append(`{"id":${stringifyJson(id)},${json.slice(1)}`);
      ids?.add(id);
    },
    close() {
      try {
        reader.close();
        files.close();
      } finally {
        lease.release();
      }
    },
  };
}

/**
 * Adds tickets that only appear in scores from other scoring passes, because a power cut lost their inferences. New
 * inferences must not reuse these tickets, or the old scores would be attributed to them.
 */
function* withLostTickets(states: Iterable<UnitState>, folder: string, scoring: number | null): Iterable<UnitState> {
  const lost = new Map<string, UnitState>();
  for (const other of listScorings(folder)) {
    if (other === scoring) continue;
    for (const [text, { key, of }] of indexScores(folder, other)) {
      const highest = Math.max(of, lost.get(text)?.highest ?? 0);
      lost.set(text, { key, highest, inferred: null, scored: null });
    }
  }
  for (const state of states) {
    const text = keyText(state.key);
    yield { ...state, highest: Math.max(state.highest, lost.get(text)?.highest ?? 0) };
    lost.delete(text);
  }
  yield* lost.values();
}

/** Opens files for writing that can be closed together. */
function openFiles(check: () => void) {
  const files: LineWriter[] = [];
  return {
    open(file: string): LineWriter {
      check();
      const writer = openLines(file, check);
      files.push(writer);
      return writer;
    },
    close(): void {
      const failures: unknown[] = [];
      for (const file of files) {
        try {
          file.close();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
