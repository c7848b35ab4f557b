import type { RunInfo } from '@agent-criteria/results';
import { createContext } from 'preact';
import type { RunSetPlace } from '../api.ts';

/** The run that is shown, for what stands inside its views. */
export interface ShownRun {
  readonly run: string;
  /** The app of this studio whose agent it ran; `null`: another. */
  readonly app: string | null;
  readonly info: RunInfo | null;
  /** Where its eval sets are edited. */
  readonly places: readonly RunSetPlace[];
}

export const RunContext = createContext<ShownRun>({ run: '', app: null, info: null, places: [] });
