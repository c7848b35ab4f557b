import { basename, resolve } from 'node:path';
import { CriteriaError, type EvalCase, type Inference } from '@agent-criteria/core';
import { coreVersion } from '@agent-criteria/core/host';
import { stringifyJson } from '@agent-criteria/formats';
import type { Label } from '@agent-criteria/results';
import manifest from '../package.json' with { type: 'json' };
import { type Redaction, redactCase, redactInference, redactionOf } from './engine/redact.ts';
import { existsSync } from './node-fs.ts';
import { timeNow } from './own-globals.ts';
import { MOST_REPEATS } from './run-defaults.ts';
import { openBlobWriter } from './run-folder/blob-writer.ts';
import { openBlobs } from './run-folder/blobs.ts';
import { countLines } from './run-folder/count-lines.ts';
import { endImport, readBegunImport, writeBegunImport } from './run-folder/import-file.ts';
import { type LabelWriter, openRunLabels } from './run-folder/labels.ts';
import { FORMAT, layout, makeFolder } from './run-folder/layout.ts';
import { type Lease, withLease } from './run-folder/lease.ts';
import { openLines } from './run-folder/line-writer.ts';
import { type RunPlan, writeJsonFile } from './run-folder/plan-file.ts';
import { encodeLine } from './run-folder/records.ts';
import { writeRunName } from './run-folder/run-name.ts';
import type { RedactionSettings } from './settings.ts';
import { seenHash } from './unit-key.ts';

/** A conversation that was recorded elsewhere. */
export interface RecordedConversation {
  /** The input of the agent, and its expected behaviour. The first of several repeats of a case counts. */
  readonly evalCase: EvalCase;
  readonly inference: Inference;
  /** Zero-based. Default 0. */
  readonly repeat?: number | undefined;
  /** Milliseconds since the epoch. Default: unknown, recorded as 0. */
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  /** A person's label of the whole conversation. Default: none. */
  readonly label?: RecordedLabel | undefined;
}

/** A person's label that was recorded with a conversation. */
interface RecordedLabel extends Pick<Label, 'label' | 'reason' | 'by'> {
  /** Milliseconds since the epoch. Default: when the import began. */
  readonly at?: number | undefined;
}

export interface SaveConversationsOptions extends RedactionSettings {
  /** A new or empty folder for the run, or that of the same import if it was cut off. */
  readonly folder: string;
  /**
   * Identifies the source and all settings of an import whose conversations always arrive the same. With it, an import
   * that was cut off, such as by `kill -9`, is continued in its folder (see `cutOffFolder`). Default: it is not.
   */
  readonly fingerprint?: string | undefined;
  /** The id of the eval set that the run gets. */
  readonly evalSetId: string;
  /** The name that reports use for the source of the conversations. */
  readonly agent: string;
  /** The conversations, which are written as they arrive. */
  readonly conversations: AsyncIterable<RecordedConversation> | Iterable<RecordedConversation>;
  /** A name for the run. Default: none. */
  readonly name?: string | undefined;
}

/** The number of items in a run that was made of conversations. */
export interface SavedConversations {
  readonly cases: number;
  readonly repeats: number;
  readonly labels: number;
  /** The number of conversations that were in the folder already, because an import that was cut off is continued. */
  readonly found: number;
}

/**
 * Creates a run of conversations that were recorded elsewhere, without judging them. Like any other run, it can be
 * judged with `scoreRun` and opened with `openRun`. Only the ids of its cases are kept in memory.
 *
 * @throws CriteriaError EMPTY if there is no conversation; USAGE for two conversations of the same unit, or for cases
 *   that do not all have the same number of repeats; RUN_CHANGED for a folder with another run; RUN_LOCKED;
 *   WRITE_FAILED. The folder then holds no run.
 */
export async function saveConversations(options: SaveConversationsOptions): Promise<SavedConversations> {
  const { evalSetId, agent, name } = options;
  const folder = resolve(options.folder);
  makeFolder(folder);
  return withLease(folder, {}, async (lease) => {
    const { fingerprint } = options;
    const begun = readBegunImport(folder);
    const isContinued = fingerprint !== undefined && begun?.fingerprint === fingerprint;
    if (existsSync(layout.plan(folder)) || (existsSync(layout.inferences(folder)) && !isContinued)) {
      const message = 'there is a run here already: import into a new folder';
      throw new CriteriaError({ code: 'RUN_CHANGED', file: folder, message });
    }
    const createdAt = isContinued ? begun.startedAt : timeNow();
    if (fingerprint !== undefined && !isContinued) writeBegunImport(folder, { fingerprint, startedAt: createdAt });
    const written = await writeConversations(folder, options, lease, createdAt);
    const { repeats, cases, content } = written;
    if (name !== undefined) writeRunName(folder, name);
    const plan: RunPlan & { readonly judged: boolean } = {
      format: FORMAT,
      id: basename(folder),
      createdAt,
      repeats,
      compat: null,
      packages: { '@agent-criteria/core': coreVersion, [manifest.name]: manifest.version },
      agent: { name: agent, path: null, hash: null },
      judged: false,
      sets: [{ id: evalSetId, file: null, hash: content, content, cases, simulator: null }],
    };
    // Last, because a folder that contains it counts as a run.
    writeJsonFile(layout.plan(folder), plan);
    endImport(folder);
    lease.release();
    return { cases, repeats, labels: written.labels, found: written.found };
  });
}

async function writeConversations(
  folder: string,
  options: SaveConversationsOptions,
  lease: Lease,
  startedAt: number,
): Promise<SavedConversations & { readonly content: string }> {
  const { evalSetId: setId, conversations } = options;
  const redaction = redactionOf(options, []);
  const blobs = openBlobs(folder, lease.check);
  // Records written before the import was cut off are kept. Its files may end at different conversations.
  const found = countLines(layout.inferences(folder));
  const foundLabels = countLines(layout.runLabels(folder));
  const content = openBlobWriter(folder, lease.check);
  const lines = openLines(layout.inferences(folder), lease.check);
  const labels: LabelWriter = openRunLabels(folder);
  /** The repeats of each case: a number alone where there is one, because there may be very many cases. */
  const repeatsOf = new Map<string, number[] | number>();
  let count = 0;
  let labelCount = 0;
  let isWhole = false;
  if (content.found === 0) content.add(stringifyJson({ evalSetId: setId }));
  try {
    for await (const given of conversations) {
      const { evalId: caseId } = given.evalCase;
      const { repeat = 0, startedAt: from = 0, endedAt = from, label } = given;
      const isFirst = noteRepeat(repeatsOf, caseId, repeat);
      const isNewCase = isFirst && repeatsOf.size >= content.found;
      count += 1;
      if (isNewCase || count > found) {
        const evalCase = redactRecorded(given.evalCase, redaction);
        if (isNewCase) content.add(stringifyJson(evalCase));
        if (count > found) {
          const inference = redactInference(given.inference, redaction);
          const head = { setId, caseId, repeat, attempt: 0, seen: seenHash(evalCase), startedAt: from, endedAt };
          lines.append(encodeLine(head, 'inference', stringifyJson(inference), blobs));
        }
      }
      if (label === undefined) continue;
      labelCount += 1;
      if (labelCount <= foundLabels) continue;
      const about = { setId, caseId, repeat, turn: null, criterion: null, rubric: null };
      labels.add({ ...about, ...label, at: label.at ?? startedAt });
    }
    const repeats = countedRepeats(repeatsOf);
    isWhole = true;
    return { cases: repeatsOf.size, repeats, labels: labelCount, found, content: content.finish() };
  } finally {
    if (!isWhole) content.discard();
    lines.close();
    labels.close();
  }
}

/** Masks everything in a recorded case, because its messages may contain the secrets of users. Keeps its id. */
function redactRecorded(evalCase: EvalCase, redaction: Redaction): EvalCase {
  const { mask } = redaction;
  const safe = mask === null ? evalCase : { ...mask.json(evalCase), evalId: evalCase.evalId };
  return redactCase(safe, redaction);
}

/**
 * Notes the repeat of a case. Returns whether it is the first one.
 * @throws CriteriaError USAGE if it was there already.
 */
function noteRepeat(repeatsOf: Map<string, number[] | number>, caseId: string, repeat: number): boolean {
  const known = repeatsOf.get(caseId);
  if (known === undefined) {
    repeatsOf.set(caseId, repeat);
    return true;
  }
  const all = typeof known === 'number' ? [known] : known;
  if (all.includes(repeat)) {
    const message = `there are two conversations of the case "${caseId}", repeat ${repeat + 1}: give each its own repeat`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  repeatsOf.set(caseId, [...all, repeat]);
  return false;
}

/** Returns how many repeats each case has. @throws CriteriaError if they differ, or if there is no case. */
function countedRepeats(repeatsOf: ReadonlyMap<string, number[] | number>): number {
  const repeats = [...repeatsOf.values()].reduce<number>(
    (most, own) => Math.max(most, ...(typeof own === 'number' ? [own] : own).map((repeat) => repeat + 1)),
    0,
  );
  if (repeats === 0) throw new CriteriaError({ code: 'EMPTY', message: 'there is no conversation to save' });
  if (repeats > MOST_REPEATS) {
    const message = `a case can have at most ${MOST_REPEATS} repeats, not ${repeats}`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  for (const [caseId, own] of repeatsOf) {
    const count = typeof own === 'number' ? 1 : own.length;
    if (count === repeats) continue;
    const message = `the case "${caseId}" has ${count} of ${repeats} repeats: every case of a run needs all of them, so leave out the column "repeat" to make each conversation a case`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  return repeats;
}
