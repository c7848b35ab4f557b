import type { StatisticsSection } from '@agent-criteria/analysis/text';
import type { Problem } from '@agent-criteria/core';
import type { CriterionVerdict, Summary, Verdict } from '@agent-criteria/core/host';
import type { MaskedCounts, RunCase, RunInfo, RunSet, TotalUsage } from '@agent-criteria/results';
import type { ShownOutcome } from '@agent-criteria/results/text';

/** Data of the page before a case is opened. */
export interface PageIndex {
  readonly title: string;
  readonly info: RunInfo;
  readonly sets: readonly RunSet[];
  readonly summary: Summary;
  /** The outcome, with gates; absent if the record has none. */
  readonly outcome?: ShownOutcome | undefined;
  readonly warnings: readonly Problem[];
  readonly cases: readonly CaseRow[];
  /** Usage of all cases, and for several agents also of each. */
  readonly usage: TotalUsage;
  /** Statistics of the run, if there are any. */
  readonly certainty?: readonly StatisticsSection[] | undefined;
}

/** Data of an opened case. */
export interface PageCase extends RunCase {
  /** Recorded prompts and answers, if there are any. */
  readonly callTexts?: CallTexts | undefined;
}

/** Deduplicated texts of calls. */
export interface CallTexts {
  /** JSON: a request without its sample number, or an answer. */
  readonly texts: readonly string[];
  /** Position of the text of each hash. */
  readonly places: readonly (readonly [hash: string, place: number])[];
}

/** A row of the grid. Its details are in a separate block with the same position. */
export interface CaseRow {
  /** Position of its set. */
  readonly set: number;
  readonly id: string;
  /** Position of its variant; absent if there is one agent. Variants of a case are adjacent. */
  readonly variant?: number | undefined;
  readonly verdict: Verdict;
  /** Truncated to one line. */
  readonly reason?: string | undefined;
  /** First message, truncated to one line. */
  readonly asked: string;
  /** Last answer of the first repeat that has one, truncated to one line. */
  readonly answered?: string | undefined;
  /** By criterion of the set; empty if every inference ended by error or abort. */
  readonly cells: readonly Cell[];
  /** Milliseconds of all repeats; `null` if nothing was measured. */
  readonly time: number | null;
  /** Input and output tokens of the agent in all repeats; absent if unknown. */
  readonly tokens?: number | undefined;
  /** Whether some calls did not report their tokens. */
  readonly moreTokens?: true | undefined;
  readonly repeats: { readonly passed: number; readonly total: number };
  /** Number of distinct answers; absent if the case ran once. */
  readonly answers?: number | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Number of repeats that reached their turn limit. */
  readonly limited: number;
  /** Masked secrets by kind; absent if there are none. */
  readonly masked?: MaskedCounts | undefined;
  readonly warned: boolean;
}

/** A tuple to save space. */
export type Cell = readonly [verdict: CriterionVerdict, score: number | null, coverage: number | null];

/** Ids of elements with data, shared by the generator and the page. */
export const INDEX_ID = 'run-index';
export const LICENCES_ID = 'licences';
export function caseBlockId(place: number): string {
  return `case-${place}`;
}

/** Placeholder for levels that are too deep. */
export const TOO_DEEP = '… (nested too deeply to be shown)';

/** Key with the size of omitted bytes of media. */
export const OMITTED = 'omittedBytes';

/** Image formats that are safe to show: raster formats, never SVG. */
const RASTER = /^image\/(png|jpeg|gif|webp|avif|bmp)$/i;

/** Limit for embedded images, in characters of base64. */
export const LARGEST_IMAGE = 2_000_000;

const BASE64 = /^[\w+/-]+={0,2}$/;

export function isShownImage(mimeType: unknown, data: string): boolean {
  return typeof mimeType === 'string' && RASTER.test(mimeType) && data.length <= LARGEST_IMAGE && BASE64.test(data);
}
