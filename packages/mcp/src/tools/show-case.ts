import { CriteriaError, didYouMean } from '@agent-criteria/core';
import type { SecretMask } from '@agent-criteria/masking';
import { consoleCases, consoleFailures, consolePlan } from '@agent-criteria/report/console';
import type { RunCase, RunRecord } from '@agent-criteria/results';
import { type OpenedRun, openRun } from '@agent-criteria/runner';
import { z } from 'zod';
import { maskedRun } from '../runs/masked-run.ts';
import { namedRun } from '../runs/named-run.ts';
import { defineTool } from '../tool.ts';
import { from, run } from './inputs.ts';

export const showCase = defineTool({
  name: 'show_case',
  title: 'Show a case of a run',
  description:
    'Shows a case of a run in full: every turn with what was expected and what the agent said and called, and every score with its reason.',
  input: z.object({
    run,
    case: z.string().describe('The id of the case.'),
    set: z.string().optional().describe('The id of its eval set, if several sets of the run have this case.'),
    variant: z.string().optional().describe('The name of a variant of the agent. Default: all.'),
    from,
  }),
  changes: 'nothing',
  async call({ run: word, case: caseId, set, variant }, { open, mask }) {
    const opened = openRun(await namedRun(word, await open()));
    const found = await casesOf(opened, { caseId, set, variant });
    return { says: `A case of the run ${opened.info.id}.`, data: piecesOf(opened, found, mask()) };
  },
});

interface Asked {
  readonly caseId: string;
  readonly set: string | undefined;
  readonly variant: string | undefined;
}

async function casesOf(run: OpenedRun, { caseId, set, variant }: Asked): Promise<readonly RunCase[]> {
  const names = run.info.variants?.map(({ name }) => name) ?? [undefined];
  const found: RunCase[] = [];
  for (const { id } of run.sets.filter(({ id }) => set === undefined || id === set)) {
    for (const name of names.filter((one) => variant === undefined || one === variant)) {
      const one = await run.case({ setId: id, caseId, variant: name });
      if (one !== undefined) found.push(one);
    }
  }
  if (found.length > 0) return found;
  const ids: string[] = [];
  for await (const { evalCase } of run.heads()) if (!ids.includes(evalCase.evalId)) ids.push(evalCase.evalId);
  const more = ids.length > 20 ? `, and ${ids.length - 20} more` : '';
  const hint = didYouMean(caseId, ids) || `; it has: ${ids.slice(0, 20).join(', ')}${more}`;
  throw new CriteriaError({ code: 'UNKNOWN_CASE', message: `the run has no such case "${caseId}"${hint}` });
}

/** Formats these cases as if the run had no others. */
async function* piecesOf(run: RunRecord, found: readonly RunCase[], mask: SecretMask): AsyncGenerator<string> {
  // Not wrapped: a secret that is broken over two lines could not be masked.
  const options = { width: Number.POSITIVE_INFINITY, detailed: true };
  const { repeats, auto, compat } = run.info;
  for (const set of run.sets) {
    const own = found.filter(({ setId }) => setId === set.id);
    if (own.length === 0) continue;
    const variants = own.flatMap(({ variant }) => variant ?? []);
    const alone = maskedRun<RunRecord>(
      {
        ...run,
        sets: [set],
        info: { ...run.info, variants: run.info.variants?.filter(({ name }) => variants.includes(name)) },
        async *cases() {
          yield* own;
        },
      },
      mask,
    );
    yield consolePlan(set, { cases: 1, repeats, auto, variants, compat }, options);
    yield* consoleFailures(alone, options);
    yield* consoleCases(alone, set, options);
  }
}
