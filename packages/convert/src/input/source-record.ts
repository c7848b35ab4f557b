import { CriteriaError, type Problem } from '@agent-criteria/core';

/** One record of a file, such as a line, a row or an item of a list. */
export interface SourceRecord {
  readonly value: unknown;
  /** The number of its first line, from 1. */
  readonly line: number;
}

/** A record that cannot be read. Reading continues after it. */
export interface BrokenRecord {
  readonly problems: readonly Problem[];
  readonly line: number;
}

export type ReadRecord = SourceRecord | BrokenRecord;

/** The maximum number of characters of one record, and of a file that is read as a whole. */
export const LONGEST_RECORD = 64 * 1024 * 1024;

export function tooLong(file: string, line: number, advice: string): CriteriaError {
  const message = `this is longer than ${LONGEST_RECORD / 1024 / 1024} million characters: ${advice}`;
  return new CriteriaError({ code: 'FILE_TOO_LARGE', file, path: `line ${line}`, message });
}

/** Describes the place of a record. */
export function placeOf(file: string, line: number): string {
  return `${file}, line ${line}`;
}
