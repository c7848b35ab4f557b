import type { CaseKey, RunCase, RunRecord } from '@agent-criteria/results';
import { byCase } from './by-case.ts';
import { isBad } from './case-facts.ts';

/**
 * Returns a run without the cases that passed or are informational. With several agents, a case that did not pass with
 * one of them is kept for all of them. The counts remain those of the whole run, and `info.onlyFailed` makes reports
 * mention the selection.
 */
export function onlyFailed<Run extends RunRecord>(run: Run): Run {
  const variants = run.info.variants?.map(({ name }) => name) ?? [undefined];
  return {
    ...run,
    info: { ...run.info, onlyFailed: true },
    async *cases(setId?: string) {
      for await (const all of byCase(run.cases(setId))) if (all.some(isBadCase)) yield* all;
    },
    async case({ setId, caseId, variant = variants[0] }: CaseKey) {
      const one = await run.case({ setId, caseId, variant });
      if (one === undefined || isBadCase(one)) return one;
      for (const other of variants.filter((name) => name !== variant)) {
        const twin = await run.case({ setId, caseId, variant: other });
        if (twin !== undefined && isBadCase(twin)) return one;
      }
      return undefined;
    },
  };
}

function isBadCase({ result }: RunCase): boolean {
  return isBad(result.verdict);
}
