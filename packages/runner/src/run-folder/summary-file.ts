import { CriteriaError } from '@agent-criteria/core';
import type { Summary } from '@agent-criteria/core/host';
import { parseJson } from '@agent-criteria/formats';
import { fits, is, type Schema } from '@agent-criteria/formats/schema';
import { readFileSync, statSync } from '../node-fs.ts';
import { timeNow } from '../own-globals.ts';
import { layout } from './layout.ts';
import { writeJsonFile } from './plan-file.ts';

/** What a scoring came to when it was finished: derived, so that a list of runs need not read them all. */
export interface SummaryFile {
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
  readonly summary: Summary;
  readonly units: { readonly total: number; readonly finished: number };
  /** The bytes of what it was made from: with others it says nothing. */
  readonly madeFrom: { readonly inferences: number; readonly scores: number };
}

export interface NewSummary extends Pick<SummaryFile, 'summary' | 'madeFrom'> {
  readonly units: number;
}

export function writeSummary(folder: string, scoring: number, { summary, madeFrom, units }: NewSummary): void {
  const file: SummaryFile = { endedAt: timeNow(), summary, madeFrom, units: { total: units, finished: units } };
  try {
    writeJsonFile(layout.summary(folder, scoring), file);
  } catch (error) {
    // Readers do without.
    if (!CriteriaError.is(error)) throw error;
  }
}

/** Somebody else may have written it. */
const summaryFile: Schema<SummaryFile> = {
  endedAt: is.time,
  units: is.map(is.count),
  summary: { verdicts: is.map(is.count) },
};

/** `null` when there is none, or when it is older than the files. */
export function readSummary(folder: string, scoring: number): SummaryFile | null {
  try {
    const file = parseJson(readFileSync(layout.summary(folder, scoring), 'utf8')) as SummaryFile;
    const { inferences, scores } = summarySource(folder, scoring);
    if (!fits(summaryFile, file)) return null;
    return file.madeFrom.inferences === inferences && file.madeFrom.scores === scores ? file : null;
  } catch {
    return null;
  }
}

/** What a summary would be made from now. */
export function summarySource(folder: string, scoring: number): SummaryFile['madeFrom'] {
  return { inferences: sizeOf(layout.inferences(folder)), scores: sizeOf(layout.scores(folder, scoring)) };
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}
