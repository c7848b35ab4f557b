import type { RunRecord } from '@agent-criteria/results';
import { isBad } from './case-facts.ts';

/**
 * A run less its cases that passed or only measured. Its counts stay those of the whole run, and `info.onlyFailed` tells
 * reports to say so.
 */
export function onlyFailed<Run extends RunRecord>(run: Run): Run {
  return {
    ...run,
    info: { ...run.info, onlyFailed: true },
    async *cases(setId?: string) {
      for await (const one of run.cases(setId)) if (isBad(one.result.verdict)) yield one;
    },
    async case(setId: string, caseId: string) {
      const one = await run.case(setId, caseId);
      return one !== undefined && isBad(one.result.verdict) ? one : undefined;
    },
  };
}
