import type { EvalCase } from '@agent-criteria/core';

/** A part of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Position of the first item, from 0. */
  readonly offset: number;
  /** Number of all items that match. */
  readonly total: number;
}

export interface PageQuery {
  /** Default 0. */
  readonly offset?: number | undefined;
  /** Default 100, at most 500. */
  readonly limit?: number | undefined;
}

export interface StudioInfo {
  readonly version: string;
  readonly apps: readonly AppInfo[];
  /** Files that were read at start outside the folder, and warnings about them. */
  readonly notices: readonly string[];
}

export interface AppInfo {
  readonly name: string;
  /** `false` if the app has only eval sets. */
  readonly hasAgent: boolean;
}

/** An eval set without its cases. `null` in any field means that the file cannot be read. */
export interface SetSummary {
  /** Name of the set in requests. */
  readonly id: string;
  /** Name of the set in runs. */
  readonly evalSetId: string | null;
  readonly name: string | null;
  readonly description: string | null;
  /** Path of the file, relative to the folder of the app. */
  readonly file: string;
  /** `false` for JSON Lines, which can be shown and run only. */
  readonly editable: boolean;
  /** Number of cases. */
  readonly cases: number | null;
  /** Sent as `If-Match` with a change. */
  readonly version: string | null;
  /** Side effects of an edit on the file, in whole sentences. */
  readonly notes: readonly string[];
  /** Error that occurred when the file was read. */
  readonly problem?: string | undefined;
}

/** A deletion or replacement, which can be undone until the studio is closed. */
export interface Deleted {
  readonly undo: string;
}

/** A set, or one case of it, that was restored. */
export interface Restored {
  readonly app: string;
  readonly set: string;
  /** `null` for the whole set. */
  readonly case: string | null;
}

export interface NewSet {
  /** Letters, digits and underscores. */
  readonly id: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

/** Fields to change; absent ones stay as they are. */
export interface SetChange {
  /** Another id renames the file. */
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

/** A case without its conversation. */
export interface CaseSummary {
  readonly id: string;
  readonly name: string | null;
  readonly tags: readonly string[];
  /** `null` if a simulated user leads the conversation. */
  readonly turns: number | null;
  /** First message of the user. */
  readonly opening: string;
  readonly version: string;
}

export interface CaseVersion {
  readonly evalCase: EvalCase;
  /** Sent as `If-Match` with a change, so that no other change is overwritten. */
  readonly version: string;
}

/** A case together with its text in a file. */
export interface CaseText {
  readonly text: string;
  readonly evalCase: EvalCase;
  /** Parts of the text that the case does not hold, such as comments, or that ADK does not read. In whole sentences. */
  readonly notes: readonly string[];
}
