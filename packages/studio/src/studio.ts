import type { Plugin } from '@agent-criteria/core';
import type { SecretMask } from '@agent-criteria/masking';
import type { OpenProjectOptions } from '@agent-criteria/project';
import type { RunListings } from '@agent-criteria/runner';
import type { App } from './apps/app.ts';
import type { Imports } from './imports/imports.ts';
import type { LiveRuns } from './runs/live-runs.ts';
import type { OpenedRuns } from './runs/opened-runs.ts';
import type { ReadColumns } from './runs/run-columns.ts';
import type { SetWatches } from './runs/set-watches.ts';
import type { TrendRuns } from './runs/trend-runs.ts';
import type { Agents } from './sessions/agents.ts';
import type { SessionStore } from './sessions/session-store.ts';
import type { Deletions } from './sets/deletions.ts';
import type { FileLocks } from './sets/file-locks.ts';
import type { TurnRuns } from './turn-runs/turn-runs.ts';

/** State shared by all routes. */
export interface Studio {
  /** Apps found at startup; requests never add one. */
  readonly apps: readonly App[];
  /**
   * The config, plugins and `.env` files (with the names of their variables) that were read at startup, and warnings
   * about the config and `.env` files.
   */
  readonly notices: readonly string[];
  /** The command's options for runs. */
  readonly projectOptions: Omit<OpenProjectOptions, 'agent'>;
  /** Plugins in the project's config. */
  readonly plugins: readonly Plugin[];
  readonly runsFolder: string;
  readonly runListings: RunListings;
  readonly locks: FileLocks;
  readonly deletions: Deletions;
  /** Masks known secrets in conversations, results and errors. */
  readonly mask: SecretMask;
  readonly agents: Agents;
  readonly sessions: SessionStore;
  readonly runs: LiveRuns;
  readonly setWatches: SetWatches;
  readonly openedRuns: OpenedRuns;
  readonly trendRuns: TrendRuns;
  readonly turnRuns: TurnRuns;
  readonly imports: Imports;
  readonly runColumns: ReadColumns;
}
