import type { SecretMask } from '@agent-criteria/masking';
import type { CaseKey, RunCase, RunRecord } from '@agent-criteria/results';

/**
 * Masks the cases of a run before they are formatted, because a comparison of words splits a secret. A run may hold secrets that
 * were not known when it was stored.
 */
export function maskedRun<Run extends RunRecord>(run: Run, mask: SecretMask): Run {
  return {
    ...run,
    async *cases(setId?: string): AsyncGenerator<RunCase> {
      for await (const one of run.cases(setId)) yield mask.json(one);
    },
    case: async (key: CaseKey) => mask.json(await run.case(key)),
  };
}
