import type { RunInfo } from '@agent-criteria/results';
import { createContext } from 'preact';
import type { RunSetPlace } from '../api.ts';

/** The run around nested views. */
export interface ShownRun {
  readonly run: string;
  /** The app of this studio whose agent ran, if any. */
  readonly app: string | null;
  readonly info: RunInfo | null;
  /** Editable eval sets of the run. */
  readonly places: readonly RunSetPlace[];
}

export const RunContext = createContext<ShownRun>({ run: '', app: null, info: null, places: [] });
