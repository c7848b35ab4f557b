import type { RunInfo } from '@agent-criteria/results';
import { createContext } from 'preact';
import type { RunSetPlace } from '../api.ts';

/** The run that nested views belong to. */
export interface ShownRun {
  readonly run: string;
  /** The app in this studio whose agent ran, if any. */
  readonly app: string | null;
  readonly info: RunInfo | null;
  /** The run's eval sets that can be edited in this studio. */
  readonly places: readonly RunSetPlace[];
  /** Whether nothing works on the run any more. */
  readonly isOver: boolean;
}

export const RunContext = createContext<ShownRun>({ run: '', app: null, info: null, places: [], isOver: false });
