import { openSha256, sha256 } from '@agent-criteria/calls';
import { CriteriaError } from '@agent-criteria/core';
import type { Summary } from '@agent-criteria/core/host';
import { parseJson, stringifyJson } from '@agent-criteria/formats';
import { fits, is, type Schema } from '@agent-criteria/formats/schema';
import {
  contradictionIn,
  type KnownOutcome,
  type OutcomeRecord,
  type RunInfo,
  withProblems,
} from '@agent-criteria/results';
import { closeSync, existsSync, openSync, readFileSync, readSync } from '../node-fs.ts';
import { layout } from './layout.ts';
import { type ScoringPlan, writeJsonFile } from './plan-file.ts';
import { type SummaryFile, summarySource } from './summary-file.ts';

/** The contents of a scoring pass's `outcome.json`. */
interface OutcomeFile {
  readonly outcome: OutcomeRecord;
  /** The sizes of both files in bytes, and the SHA-256 of the scores file up to its recorded size. */
  readonly madeFrom: SummaryFile['madeFrom'] & { readonly scoresHash: string };
  /** The SHA-256 of the fields above. It reveals manual edits, but is not a signature. */
  readonly recordHash: string;
}

/**
 * Records the outcome of a scoring pass, replacing any earlier one.
 *
 * @param madeFrom The sizes of the files when the outcome was computed. Default: their current sizes.
 * @throws CriteriaError WRITE_FAILED.
 */
export function writeOutcome(
  folder: string,
  scoring: number,
  outcome: OutcomeRecord,
  madeFrom: SummaryFile['madeFrom'] = summarySource(folder, scoring),
): void {
  const scoresHash = hashOfBeginning(layout.scores(folder, scoring), madeFrom.scores) ?? '';
  const rest = { outcome, madeFrom: { ...madeFrom, scoresHash } };
  writeJsonFile(layout.outcome(folder, scoring), { ...rest, recordHash: hashOf(rest) } satisfies OutcomeFile);
}

export interface ReadOutcomeOptions {
  readonly plan: Pick<ScoringPlan, 'scoring' | 'gates'>;
  /** The summary of the cases according to their scores. */
  readonly summary: Summary;
  /** Whether every unit has been inferred and scored. */
  readonly finished: boolean;
  /** Whether to compare the contents of the scores file with the recorded hash, rather than only its size. */
  readonly thorough: boolean;
}

/** Reads the outcome of a scoring pass. If the record or its scores were changed, the result is `changed`. */
export function readOutcome(folder: string, options: ReadOutcomeOptions): KnownOutcome {
  const { plan, summary, finished, thorough } = options;
  const { scoring, gates } = plan;
  const path = layout.outcome(folder, scoring);
  if (!finished) return { state: 'unfinished' };
  if (!existsSync(path)) return gates === undefined ? { state: 'not-recorded' } : { state: 'missing', gates };
  const file = readFile(path);
  if (file === null) return { state: 'changed', problem: 'its file is damaged' };
  const { recordHash, ...rest } = file;
  if (recordHash !== hashOf(rest)) return { state: 'changed', problem: 'its file was changed after it was written' };
  const { outcome, madeFrom } = file;
  const now = summarySource(folder, scoring);
  const isShorter = now.scores < madeFrom.scores || now.inferences < madeFrom.inferences;
  if (
    isShorter ||
    (thorough && hashOfBeginning(layout.scores(folder, scoring), madeFrom.scores) !== madeFrom.scoresHash)
  )
    return { state: 'changed', problem: 'the files of this run were changed after it was recorded' };
  // The run has been resumed since, and has not finished again.
  if (now.scores > madeFrom.scores || now.inferences > madeFrom.inferences)
    return { state: 'missing', gates: outcome.gates.map(({ holds: _, text: __, baseline: ___, ...gate }) => gate) };
  const contradiction = contradictionIn(outcome, summary);
  return contradiction === null ? { state: 'recorded', ...outcome } : { state: 'changed', problem: contradiction };
}

const outcomeFile: Schema<OutcomeFile> = {
  recordHash: is.text,
  madeFrom: { inferences: is.count, scores: is.count, scoresHash: is.text },
  outcome: {
    summary: { verdicts: is.map(is.count), total: is.count, exitCode: is.count, verdict: is.text },
    gates: is.list({
      name: is.text,
      text: is.text,
      holds: is.orNull(is.flag),
      variant: is.optional(is.text),
      baseline: is.optional({ id: is.text, hash: is.text }),
      confirms: is.optional(is.text),
    }),
    decided: is.flag,
    problems: is.list(is.text),
    exitCode: is.count,
  },
};

function readFile(path: string): OutcomeFile | null {
  try {
    const file = parseJson(readFileSync(path, 'utf8'));
    return fits(outcomeFile, file) ? file : null;
  } catch {
    return null;
  }
}

/** Hashes a record. Parsing JSON keeps the key order, so the text is the same as when it was written. */
function hashOf(rest: Omit<OutcomeFile, 'recordHash'>): string {
  return sha256(stringifyJson(rest));
}

const PIECE = 1024 * 1024;

/** Returns the SHA-256 of the first bytes of a file, or `null` if there are fewer or the file cannot be read. */
function hashOfBeginning(path: string, bytes: number): string | null {
  const hash = openSha256();
  if (bytes === 0) return hash.end();
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, 'r');
    const piece = Buffer.allocUnsafe(Math.min(bytes, PIECE));
    for (let done = 0; done < bytes; ) {
      const read = readSync(descriptor, piece, 0, Math.min(piece.length, bytes - done), done);
      if (read === 0) return null;
      hash.add(piece.subarray(0, read));
      done += read;
    }
    return hash.end();
  } catch {
    return null;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/**
 * Adds problems that occurred after the end of a run to its recorded outcome. Leaves the folder unchanged if no outcome
 * was recorded or it cannot be written.
 *
 * @param problems Clauses without a full stop, such as `the report could not be written`.
 * @returns The outcome with these problems.
 */
export function addToOutcome(
  run: {
    readonly folder: string;
    readonly outcome: KnownOutcome | undefined;
    readonly info: Pick<RunInfo, 'scoring'>;
  },
  problems: readonly string[],
): KnownOutcome | undefined {
  const { folder, outcome, info } = run;
  if (outcome?.state !== 'recorded' || problems.length === 0) return outcome;
  const { state, ...record } = outcome;
  const changed = withProblems(record, problems);
  try {
    writeOutcome(folder, info.scoring, changed);
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
  }
  return { state, ...changed };
}
