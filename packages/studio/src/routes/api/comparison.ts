import { comparedCases, compareRuns, MIN_EFFECT, type RunOutcomes } from '@agent-criteria/analysis';
import { mistake, refusal } from '../../http/refusal.ts';
import { openedRun } from '../../runs/run-folder.ts';
import type { Studio } from '../../studio.ts';
import type { Handlers } from './handlers.ts';

/** Compares two finished runs of the same cases, as `agent-criteria compare` does. One entry per pair of variants. */
export function comparisonRoutes(studio: Studio) {
  const outcomes = async (id = '') => {
    const { run, outcomes: read } = await openedRun(studio, id);
    const { scoring, units } = run.info;
    if (scoring === 0) throw refusal(409, `The run ${id} was never judged.`);
    if (units.finished === units.total) return read();
    const progress = `${units.finished} of ${units.total} units are`;
    throw refusal(409, `The run ${id} is not finished: ${progress}. Resume it first.`);
  };
  return {
    'GET /comparison': async ({ query }) => {
      const minEffect = shareIn(query.min_effect);
      const [base, candidate] = [await outcomes(query.base), await outcomes(query.candidate)];
      const pairs = pairsOf(base, candidate);
      if (pairs.length === 0) throw refusal(422, 'The runs have no variant in common, so there is nothing to compare.');
      return pairs.map(([before, after]) => ({
        comparison: compareRuns(before, after, { minEffect }),
        cases: comparedCases(before, after),
      }));
    },
  } satisfies Partial<Handlers>;
}

/** Pairs variants by name, or pairs each one with the only agent of the other run. */
function pairsOf(
  base: readonly RunOutcomes[],
  candidate: readonly RunOutcomes[],
): readonly (readonly [RunOutcomes, RunOutcomes])[] {
  const [only] = base;
  const [last] = candidate;
  if (only !== undefined && base.length === 1) return candidate.map((after) => [only, after]);
  if (last !== undefined && candidate.length === 1) return base.map((before) => [before, last]);
  return candidate.flatMap((after) => {
    const before = base.find(({ variant }) => variant === after.variant);
    return before === undefined ? [] : [[before, after] as const];
  });
}

function shareIn(text: string | undefined): number {
  if (text === undefined) return MIN_EFFECT;
  const share = Number(text);
  if (text.trim() !== '' && share > 0 && share < 1) return share;
  throw mistake(['query', 'min_effect'], 'Send a share above 0 and below 1.');
}
