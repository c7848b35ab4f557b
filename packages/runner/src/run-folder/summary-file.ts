import { CriteriaError } from '@agent-criteria/core';
import type { Summary } from '@agent-criteria/core/host';
import { parseJson } from '@agent-criteria/formats';
import { fits, is, type Schema } from '@agent-criteria/formats/schema';
import { readFileSync } from '../node-fs.ts';
import { timeNow } from '../own-globals.ts';
import { layout, sizeOf } from './layout.ts';
import { writeJsonFile } from './plan-file.ts';

/**
 * The contents of `summary.json` for a finished scoring pass: derived data, so that listing runs need not read all
 * scores.
 */
export interface SummaryFile {
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
  readonly summary: Summary;
  readonly units: { readonly total: number; readonly finished: number };
  /** The sizes in bytes of the files that it was derived from. It is out of date if they differ. */
  readonly madeFrom: { readonly inferences: number; readonly scores: number };
}

interface NewSummary extends Pick<SummaryFile, 'summary' | 'madeFrom'> {
  readonly units: number;
}

export function writeSummary(folder: string, scoring: number, { summary, madeFrom, units }: NewSummary): void {
  const file: SummaryFile = { endedAt: timeNow(), summary, madeFrom, units: { total: units, finished: units } };
  try {
    writeJsonFile(layout.summary(folder, scoring), file);
  } catch (error) {
    // Readers derive it themselves if it is missing.
    if (!CriteriaError.is(error)) throw error;
  }
}

/** The file may have been written by another program. */
const summaryFile: Schema<SummaryFile> = {
  endedAt: is.time,
  units: is.map(is.count),
  summary: { verdicts: is.map(is.count) },
};

/** Reads a scoring pass's summary. Returns `null` if it is missing or out of date. */
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

/** Returns the current sizes of the files that a summary is derived from. */
export function summarySource(folder: string, scoring: number): SummaryFile['madeFrom'] {
  return { inferences: sizeOf(layout.inferences(folder)), scores: sizeOf(layout.scores(folder, scoring)) };
}
