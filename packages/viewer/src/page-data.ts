import type { StatisticsSection } from '@agent-criteria/analysis/text';
import type { Problem } from '@agent-criteria/core';
import type { CriterionVerdict, Summary, Verdict } from '@agent-criteria/core/host';
import { isBase64 } from '@agent-criteria/formats';
import type { MaskedCounts, RunCase, RunInfo, RunSet, TotalUsage } from '@agent-criteria/results';
import type { RunTiming, ShownOutcome } from '@agent-criteria/results/text';

/** The data that the page needs before a case is opened. */
export interface PageIndex {
  readonly title: string;
  readonly info: RunInfo;
  readonly sets: readonly RunSet[];
  readonly summary: Summary;
  /** The outcome, including gates. Absent if the record has none. */
  readonly outcome?: ShownOutcome | undefined;
  readonly warnings: readonly Problem[];
  readonly cases: readonly CaseRow[];
  /** The usage of all cases together and, with several agents, of each agent. */
  readonly usage: TotalUsage;
  /** Progress of a run in flight. Absent once the run has ended. */
  readonly progress?: RunProgress | undefined;
  /** The run's statistics, if there are any. */
  readonly certainty?: readonly StatisticsSection[] | undefined;
}

/** Progress of a run in flight. */
export interface RunProgress extends Omit<RunTiming, 'isCancelled'> {
  /** Increases with every change, so that a row can be compared with a later change to it. */
  readonly version: number;
  /** Units in flight, or `null` if another process works on the run. */
  readonly running: number | null;
  /** `finishing`: no more units start. `stopping`: units in flight are being aborted. */
  readonly cancelled?: 'finishing' | 'stopping' | undefined;
  /** How long one turn may take, in milliseconds, or `null` if another process works on the run. */
  readonly turnTimeout: number | null;
}

/** The state of a case that has no verdict yet. */
export type Pending = 'waiting' | 'running';

/** The data of an opened case. */
export interface PageCase extends RunCase {
  /** Recorded prompts and answers, if there are any. */
  readonly callTexts?: CallTexts | undefined;
}

/** Deduplicated texts of calls. */
export interface CallTexts {
  /** JSON texts: a request without its sample number, or an answer. */
  readonly texts: readonly string[];
  /** The position of the text for each hash. */
  readonly places: readonly (readonly [hash: string, place: number])[];
}

/** A row of the grid. The case's details are in a separate block for the same position. */
export interface CaseRow {
  /** The position of the case's set. */
  readonly set: number;
  readonly id: string;
  /** The position of the case's variant. Absent if there is only one agent. Variants of a case are adjacent. */
  readonly variant?: number | undefined;
  /** The verdict or, in a run in flight, why there is none yet. */
  readonly verdict: Verdict | Pending;
  /** The reason for the verdict, truncated to one line. */
  readonly reason?: string | undefined;
  /** The first message, truncated to one line. */
  readonly asked: string;
  /** The last answer of the first repeat that has one, truncated to one line. */
  readonly answered?: string | undefined;
  /** One cell per criterion of the set. Empty if every inference ended with an error or was aborted. */
  readonly cells: readonly Cell[];
  /** The time of all repeats in milliseconds, or `null` if it was not measured. */
  readonly time: number | null;
  /** The agent's input and output tokens in all repeats. Absent if unknown. */
  readonly tokens?: number | undefined;
  /** Whether some calls did not report their tokens, so that the actual number is higher. */
  readonly moreTokens?: true | undefined;
  readonly repeats: { readonly passed: number; readonly total: number };
  /** The number of distinct answers. Absent if the case ran only once. */
  readonly answers?: number | undefined;
  readonly tags?: readonly string[] | undefined;
  /** The number of repeats that reached their turn limit. */
  readonly limited: number;
  /** The numbers of masked secrets by kind. Absent if there are none. */
  readonly masked?: MaskedCounts | undefined;
  readonly warned: boolean;
}

/** A tuple to save space. */
export type Cell = readonly [verdict: CriterionVerdict, score: number | null, coverage: number | null];

/** Ids of data elements, shared by the generator and the page. */
export const INDEX_ID = 'run-index';
export const LICENCES_ID = 'licences';
export function caseBlockId(place: number): string {
  return `case-${place}`;
}

/** The placeholder for levels that are nested too deeply. */
export const TOO_DEEP = '… (nested too deeply to be shown)';

/** The key that holds the size of omitted media bytes. */
export const OMITTED = 'omittedBytes';

/** Image formats that are safe to display: raster formats, never SVG. */
const RASTER = /^image\/(png|jpeg|gif|webp)$/i;

/** The maximum size of an embedded image, in base64 characters. */
export const LARGEST_IMAGE = 2_000_000;

/** Whether a file is an image that a report embeds. Larger ones are only named there. */
export function isShownImage(mimeType: unknown, data: string): boolean {
  return data.length <= LARGEST_IMAGE && isImage(mimeType, data);
}

/** Whether a file can be shown as an image, whatever its bytes are. */
export function isImage(mimeType: unknown, data: string): boolean {
  return typeof mimeType === 'string' && RASTER.test(mimeType) && isBase64(data);
}
