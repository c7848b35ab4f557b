import type { CaseFilter } from '@agent-criteria/project/plan';

interface FilterFlags {
  readonly tag?: readonly string[] | undefined;
  readonly grep?: readonly string[] | undefined;
  readonly only_failed?: boolean | undefined;
  readonly failed_in?: string | undefined;
}

/** The cases that flags ask for. */
export function caseFilter({ tag, grep, only_failed: onlyFailed, failed_in: failedIn }: FilterFlags): CaseFilter {
  return { tags: tag, grep, failedIn: failedIn ?? (onlyFailed === true ? 'last' : undefined) };
}
