import type { StatisticsSection } from '@agent-criteria/analysis/text';
import type { Problem } from '@agent-criteria/core';
import type { CriterionVerdict, Summary, Verdict } from '@agent-criteria/core/host';
import type { MaskedCounts, RunCase, RunInfo, RunSet, TotalUsage } from '@agent-criteria/results';
import type { ShownOutcome } from '@agent-criteria/results/text';

/** Everything that the page knows before a case is opened. */
export interface PageIndex {
  readonly title: string;
  readonly info: RunInfo;
  readonly sets: readonly RunSet[];
  readonly summary: Summary;
  /** The outcome, with gates; absent if the record has none. */
  readonly outcome?: ShownOutcome | undefined;
  readonly warnings: readonly Problem[];
  readonly cases: readonly CaseRow[];
  /** What the calls of all cases took; of several agents, also those of each. */
  readonly usage: TotalUsage;
  /** How certain its numbers are; absent where nothing can be said. */
  readonly certainty?: readonly StatisticsSection[] | undefined;
}

/** Everything that the page knows of a case that is opened. */
export interface PageCase extends RunCase {
  /** What its calls asked and were answered; absent where the record has none of it. */
  readonly callTexts?: CallTexts | undefined;
}

/** Texts of calls, each once. */
export interface CallTexts {
  /** JSON: a request to a model less the number of its sample, an answer, or what a service was asked and answered. */
  readonly texts: readonly string[];
  /** The hash of a request or an answer, and the place of its text. */
  readonly places: readonly (readonly [hash: string, place: number])[];
}

/** A case as the grid shows it. The details stand in a block of their own, found by the row's place in the list. */
export interface CaseRow {
  /** The place of its set. */
  readonly set: number;
  readonly id: string;
  /** The place of its variant in the run; absent where there is one agent. The variants of a case follow each other. */
  readonly variant?: number | undefined;
  readonly verdict: Verdict;
  /** Cut to what a line can show. */
  readonly reason?: string | undefined;
  /** How the conversation begins, cut to what a line can show. */
  readonly asked: string;
  /** How the conversation ends, of the first repeat that has an answer; cut likewise. Absent: there is none. */
  readonly answered?: string | undefined;
  /** In the order of the set's criteria; empty when every inference ended by error or abort. */
  readonly cells: readonly Cell[];
  /** Milliseconds of all repeats together; `null` where nothing was measured. */
  readonly time: number | null;
  /** What the calls of the agent took, all repeats together, in and out; absent where none tells. */
  readonly tokens?: number | undefined;
  /** Some of them tell no tokens: there were more. */
  readonly moreTokens?: true | undefined;
  readonly repeats: { readonly passed: number; readonly total: number };
  /** How many different answers the repeats gave; absent where the case ran once. */
  readonly answers?: number | undefined;
  /** Absent: none. */
  readonly tags?: readonly string[] | undefined;
  /** How many repeats were cut off at their turn limit. */
  readonly limited: number;
  /** The secrets that were masked, by what they were; absent: none. */
  readonly masked?: MaskedCounts | undefined;
  readonly warned: boolean;
}

/** A criterion of a case: as a tuple, because there are many. */
export type Cell = readonly [verdict: CriterionVerdict, score: number | null, coverage: number | null];

/** The ids of elements that hold data, shared by who writes the page and who reads it. */
export const INDEX_ID = 'run-index';
export const LICENCES_ID = 'licences';
export function caseBlockId(place: number): string {
  return `case-${place}`;
}

/** Stands in place of what nests too deeply to be shown. */
export const TOO_DEEP = '… (nested too deeply to be shown)';

/** Media whose bytes were left out keep their size under this key, beside their type. */
export const OMITTED = 'omittedBytes';

/** Images that a page may show from untrusted bytes: raster formats, never SVG. */
const RASTER = /^image\/(png|jpeg|gif|webp|avif|bmp)$/i;

/** Characters of base64 that an image may have to travel in the page. */
export const LARGEST_IMAGE = 2_000_000;

const BASE64 = /^[\w+/-]+={0,2}$/;

/** Whether these bytes are shown as an image. */
export function isShownImage(mimeType: unknown, data: string): boolean {
  return typeof mimeType === 'string' && RASTER.test(mimeType) && data.length <= LARGEST_IMAGE && BASE64.test(data);
}
