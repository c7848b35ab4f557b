import type { CaseFilter } from '@agent-criteria/project';
import { usage } from './arguments.ts';

interface FilterFlags {
  readonly tag?: readonly string[] | undefined;
  readonly grep?: readonly string[] | undefined;
  readonly only_failed?: boolean | undefined;
  readonly failed_in?: string | undefined;
}

/** The cases that flags ask for. @throws CriteriaError USAGE for an empty text, which would fit everything. */
export function caseFilter({ tag, grep, only_failed: onlyFailed, failed_in: failedIn }: FilterFlags): CaseFilter {
  for (const [flag, texts] of Object.entries({ tag, grep, 'failed-in': failedIn === undefined ? [] : [failedIn] })) {
    if (texts?.some((text) => text.trim() === '')) throw usage(`--${flag} needs a text (an empty variable?)`);
  }
  return { tags: tag, grep, failedIn: failedIn ?? (onlyFailed === true ? 'last' : undefined) };
}
