import type { RunSummary } from '../../api.ts';

/** The losses that come with the deletion of runs. */
export interface Losses {
  /** Runs that can be deleted. */
  readonly deletable: readonly RunSummary[];
  /** Runs under way, which stay. */
  readonly staying: readonly RunSummary[];
  /** Number of results, or of units if a run was not judged. */
  readonly cases: number;
  /** Runs whose verdicts people have labelled. */
  readonly labelled: readonly RunSummary[];
  /** Runs that are the baseline of an app in this browser. */
  readonly baselines: readonly RunSummary[];
}

export function lossesOf(runs: readonly RunSummary[], pinOf: (app: string | null) => string | null): Losses {
  const deletable = runs.filter(({ result }) => result !== 'under-way');
  return {
    deletable,
    staying: runs.filter(({ result }) => result === 'under-way'),
    cases: deletable.reduce((sum, { summary, units }) => sum + (summary?.total ?? units.finished), 0),
    labelled: deletable.filter(({ labelled }) => labelled === true),
    baselines: deletable.filter(({ id, app }) => pinOf(app) === id),
  };
}
