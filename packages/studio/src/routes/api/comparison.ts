import { comparedCases, compareRuns, MIN_EFFECT, type RunOutcomes } from '@agent-criteria/analysis';
import type { ComparedRuns } from '@agent-criteria/viewer';
import { type Context, Hono } from 'hono';
import { refusal } from '../../http/refusal.ts';
import { runFolder } from '../../runs/run-folder.ts';
import type { Studio } from '../../studio.ts';

/** Two finished runs of the same cases, compared as `agent-criteria compare` does: one entry for each variant that both have. */
export function comparisonRoutes(studio: Studio): Hono {
  const outcomes = async (c: Context, name: 'base' | 'candidate') => {
    const id = c.req.query(name) ?? '';
    const { run, outcomes: read } = studio.openedRuns.open(await runFolder(studio, id));
    const { scoring, units } = run.info;
    if (scoring === 0) throw refusal(409, `The run ${id} was never judged.`);
    if (units.finished < units.total) {
      throw refusal(
        409,
        `The run ${id} is not finished: ${units.finished} of ${units.total} units are. Resume it first.`,
      );
    }
    return read();
  };
  return new Hono().get('/comparison', async (c) => {
    const minEffect = shareIn(c.req.query('min_effect'));
    const [base, candidate] = [await outcomes(c, 'base'), await outcomes(c, 'candidate')];
    const pairs = pairsOf(base, candidate);
    if (pairs.length === 0) throw refusal(422, 'The runs have no variant in common, so there is nothing to compare.');
    const compared = pairs.map(([before, after]) => ({
      comparison: compareRuns(before, after, { minEffect }),
      cases: comparedCases(before, after),
    }));
    return c.json(compared satisfies ComparedRuns[]);
  });
}

/** Variants of one name; where one of the runs has a single agent, each against that. */
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
  throw refusal(422, [{ type: 'value_error', loc: ['query', 'min_effect'], msg: 'Send a share above 0 and below 1.' }]);
}
