import type { Verdict } from '@agent-criteria/core/host';

/** The code of an agent on disk. */
export interface CodeState {
  /** The files that changed last, from the folder of the app. */
  readonly changed: readonly string[];
  /** When they changed, in milliseconds since the epoch, or `null` if none has since the studio began to watch. */
  readonly at: number | null;
  /** Why the code on disk does not load, or `null` if it does. */
  readonly problem: string | null;
}

/** Whether a set is watched, with what that has led to. */
export interface SetWatch {
  readonly isOn: boolean;
  /** Whether its cases are running now. */
  readonly isRunning: boolean;
  /** The last run, or `null` if there was none. */
  readonly run: string | null;
  /** The files whose change started the last run. */
  readonly changed: readonly string[];
  /** Why the last run could not start, or `null` if it did. */
  readonly problem: string | null;
  /** The spending since watching began. */
  readonly cost: number;
  /** The most that may be spent, or `null` if only the settings limit it. */
  readonly maxCost: number | null;
  /** The verdicts that have changed since the last message. */
  readonly verdicts: readonly WatchedVerdict[];
}

export interface WatchedVerdict {
  readonly case: string;
  readonly verdict: Verdict | 'waiting' | 'running';
}

export interface NewWatch {
  /** The most that may be spent. Default: as in the settings. */
  readonly maxCost?: number | undefined;
}
