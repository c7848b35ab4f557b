import type { KnownOutcome } from '@agent-criteria/results';
import type { RunOutcome } from '@agent-criteria/runner';

/** The problem that an outcome records after uncaught errors. */
export const UNCAUGHT = 'there were errors outside of any turn';

/** The facts about the end of a run that determine the exit code. */
export interface EndedRun {
  readonly outcome: Pick<RunOutcome, 'finished' | 'problems'> & {
    readonly summary: Pick<RunOutcome['summary'], 'exitCode'>;
  };
  readonly judged: boolean;
  readonly isStopped: boolean;
  /** Whether the cache, the recording or the budget could not be saved. */
  readonly closingFailed: boolean;
  /** The exit code of a run that is not judged, or `null` if it could not be reported. */
  readonly shown?: number | null;
  /** The recorded outcome of a judged run, including everything that went wrong after its end. */
  readonly record?: KnownOutcome | undefined;
  /** Whether the outcome on disk is the one that this process computed. */
  readonly isOurs?: boolean;
}

const FOLDER_CHANGED =
  'Exit code 3: the run folder does not match the result of this run: its files were changed in the meantime. Run again.\n';
const NOT_RECORDED =
  'Exit code 3: the outcome of this run could not be recorded, so no report of it would say what it came to. Resume the run.\n';

/** Decides the exit code of a run. `why` explains a code that the run's report does not. */
export function exitOf(run: EndedRun): { readonly code: number; readonly why?: string } {
  const { outcome, judged, isStopped, closingFailed, shown = null, record, isOurs } = run;
  if (isTakenOver(outcome)) return { code: 3 };
  if (!outcome.finished) return { code: isStopped ? 130 : judged && outcome.summary.exitCode === 1 ? 1 : 3 };
  if (!judged) return { code: shown === 0 && closingFailed ? 3 : (shown ?? 3) };
  if (record?.state !== 'recorded') {
    return { code: 3, why: record?.state === 'missing' ? NOT_RECORDED : FOLDER_CHANGED };
  }
  return isOurs === true ? { code: record.exitCode } : { code: 3, why: FOLDER_CHANGED };
}

export function isTakenOver({ problems }: Pick<RunOutcome, 'problems'>): boolean {
  return problems.some(({ code }) => code === 'RUN_LOCKED');
}
