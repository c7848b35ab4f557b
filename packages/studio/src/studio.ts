import type { Plugin } from '@agent-criteria/core';
import type { SecretMask } from '@agent-criteria/masking';
import type { OpenProjectOptions } from '@agent-criteria/project';
import type { App } from './apps/app.ts';
import type { LiveRuns } from './runs/live-runs.ts';
import type { OpenedRuns } from './runs/opened-runs.ts';
import type { TrendRuns } from './runs/trend-runs.ts';
import type { Agents } from './sessions/agents.ts';
import type { SessionStore } from './sessions/session-store.ts';
import type { Deletions } from './sets/deletions.ts';
import type { FileLocks } from './sets/file-locks.ts';

/** What every route works with. */
export interface Studio {
  /** Found at start: nothing that a request says adds one. */
  readonly apps: readonly App[];
  /** What was read at start beside the folder, and what is odd about it. */
  readonly notices: readonly string[];
  /** How runs are prepared: what the command was given. */
  readonly projectOptions: Omit<OpenProjectOptions, 'agent'>;
  /** Those of the project's config. */
  readonly plugins: readonly Plugin[];
  /** Where runs are kept. */
  readonly runsFolder: string;
  /** Edits of one file come one after the other. */
  readonly locks: FileLocks;
  /** Of sets and cases. */
  readonly deletions: Deletions;
  /** Hides known secrets in what is shown of conversations, results and errors, and in what is saved of them. */
  readonly mask: SecretMask;
  readonly agents: Agents;
  readonly sessions: SessionStore;
  readonly runs: LiveRuns;
  readonly openedRuns: OpenedRuns;
  readonly trendRuns: TrendRuns;
}
