import type { EvalCase } from '@agent-criteria/core';

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Position of the first item, from 0. */
  readonly offset: number;
  /** Total number of matching items. */
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
  /**
   * The config, plugins and `.env` files (with the names of their variables) that were read at startup, and warnings
   * about the config and `.env` files.
   */
  readonly notices: readonly string[];
}

export interface AppInfo {
  readonly name: string;
  /** `false` if the app has only eval sets. */
  readonly hasAgent: boolean;
}

/**
 * An eval set, without its cases. Nullable fields are `null` if the file cannot be read; `name` and `description` also
 * if the set has none.
 */
export interface SetSummary {
  /** Name of the set in requests. */
  readonly id: string;
  /** Id of the set in runs. */
  readonly evalSetId: string | null;
  readonly name: string | null;
  readonly description: string | null;
  /** Path of the file, relative to the app folder. */
  readonly file: string;
  /** `false` for JSON Lines and agents-cli datasets, which can only be shown and run. */
  readonly editable: boolean;
  /** Number of cases. */
  readonly cases: number | null;
  /** Sent as `If-Match` with a change. */
  readonly version: string | null;
  /** Side effects of an edit on the file, in complete sentences. */
  readonly notes: readonly string[];
  /** Error that occurred while reading the file. */
  readonly problem?: string | undefined;
}

/** A deletion or replacement that can be undone once. Only the latest are kept, at most until the studio is closed. */
export interface Deleted {
  readonly undo: string;
}

/** A set, or one of its cases, that was restored. */
export interface Restored {
  readonly app: string;
  readonly set: string;
  /** `null` if the whole set was restored. */
  readonly case: string | null;
}

export interface NewSet {
  /** Letters, digits and underscores only. */
  readonly id: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

/** Fields to change; absent ones stay unchanged. */
export interface SetChange {
  /** A different id renames the file. */
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
  /** The user's first message. */
  readonly opening: string;
  readonly version: string;
}

export interface CaseVersion {
  readonly evalCase: EvalCase;
  /** Sent as `If-Match` with a change, so that it overwrites no one else's. */
  readonly version: string;
}

/** A case, together with its text as stored in a file. */
export interface CaseText {
  readonly text: string;
  readonly evalCase: EvalCase;
  /**
   * Notes about parts of the text that are not kept in the case, such as comments, or that ADK does not read. In
   * complete sentences.
   */
  readonly notes: readonly string[];
}
