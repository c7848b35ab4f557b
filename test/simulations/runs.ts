import type { CaseOutcome, CriterionFacts, RunOutcomes } from '@agent-criteria/analysis';
import { caseOf, type Pass, runOf } from '../../packages/analysis/src/__fixtures__/outcomes.ts';
import { allPass, type Chance } from './chance.ts';
import type { CriteriaCell, PairCell, RunCell, ScoresName } from './grid.ts';

/** Two simulated runs, and the true difference of the second from the first, from 0 to 1. */
export interface TwoRuns {
  readonly before: RunOutcomes;
  readonly after: RunOutcomes;
  /** The difference over the cases in both runs, computed from the pass rates with which they were drawn. */
  readonly these: number;
  /** The difference over all cases like these. */
  readonly likeThese: number;
}

export function twoRuns(chance: Chance, cell: PairCell): TwoRuns {
  const { groups } = cell;
  const after = groups === undefined ? independentRates(chance, cell) : groupRates(chance, cell);
  const drawn = (side: 'before' | 'after') => {
    if (groups === undefined) return after.map((one) => repeatsOf(chance, one[side], cell.repeats));
    return groupRepeats(
      chance,
      after.filter((_, index) => index % groups.perGroup === 0).map((one) => one[side]),
      groups.perGroup,
      cell.repeats,
    );
  };
  const [first, second] = [drawn('before'), drawn('after')];
  const unjudged = cell.unjudged ?? 0;
  const kept = (index: number) => ({ index, keep: cell.missing === undefined || !chance.hit(cell.missing) });
  const side = (passes: readonly (readonly Pass[])[]) =>
    passes
      .map((_, index) => kept(index))
      .filter(({ keep }) => keep)
      .map(({ index }) => {
        const own = (passes[index] as readonly Pass[]).map((pass) =>
          unjudged > 0 && chance.hit(unjudged) ? null : pass,
        );
        const group = groups?.declared === true ? `group-${Math.floor(index / groups.perGroup)}` : null;
        return caseOf(`case-${index}`, own, { group });
      });
  const share = cell.failuresUnjudged;
  const open =
    share === undefined
      ? first
      : first.map((own) => own.map((pass) => (pass === false && chance.hit(share) ? null : pass)));
  const base = side(open);
  const failed = new Set(base.filter(({ verdict }) => verdict === 'failed').map(({ caseId }) => caseId));
  const candidate = side(second).filter(({ caseId }) => cell.selected !== true || failed.has(caseId));
  const changes = after.map((one) => one.after - one.before);
  return {
    before: runOf(base, { id: 'before' }),
    after: runOf(candidate, { id: 'after', startedAt: 1, ...(cell.selected === true && { selectedBy: ['before'] }) }),
    these: changes.reduce((sum, change) => sum + change, 0) / changes.length,
    likeThese: trueChange(cell),
  };
}

function trueChange({ drop = 0, shift }: PairCell): number {
  // A shift goes in either direction.
  if (shift !== undefined) return Number.NaN;
  return -drop / 100;
}

interface BeforeAndAfter {
  readonly before: number;
  readonly after: number;
}

function independentRates(chance: Chance, cell: PairCell): readonly BeforeAndAfter[] {
  const mean = allPass(cell.rates, 1);
  const drop = (cell.drop ?? 0) / 100;
  const shift = cell.shift === undefined ? 0 : (chance.hit(0.5) ? 1 : -1) * (cell.shift / 100);
  return Array.from({ length: cell.cases }, (_, index) => {
    const before = chance.rate(cell.rates);
    const lost =
      cell.shape === 'some'
        ? chance.hit(drop / mean)
          ? 1
          : 0
        : cell.shape === 'half'
          ? index % 2 === 0
            ? (2 * drop) / mean
            : 0
          : drop / mean;
    return { before, after: Math.min(1, Math.max(0, before * (1 - Math.min(1, lost)) + shift)) };
  });
}

/** A case passes in 95% of repeats if its group succeeds, else in 15%. */
const [SUCCESS, FAILURE] = [0.95, 0.15];

/** Draws the pass rate of each case, which is that of its group. */
function groupRates(chance: Chance, { groups, drop = 0, shape }: PairCell): readonly BeforeAndAfter[] {
  const { groups: count, perGroup } = groups as NonNullable<PairCell['groups']>;
  // With Beta(2, 1), two thirds of all groups succeed on average.
  const mean = 2 / 3;
  const lost = drop / 100 / (mean * (SUCCESS - FAILURE));
  const broken = drop / 100 / (FAILURE + mean * (SUCCESS - FAILURE));
  return Array.from({ length: count }, () => chance.beta2by1()).flatMap((success) => {
    const rate = (share: number) => FAILURE + share * (SUCCESS - FAILURE);
    const after = shape === 'some' ? (chance.hit(broken) ? 0 : rate(success)) : rate(success * Math.max(0, 1 - lost));
    return Array.from({ length: perGroup }, () => ({ before: rate(success), after }));
  });
}

/** Draws repeats of cases in groups, by the pass rate of each group. */
function groupRepeats(
  chance: Chance,
  rates: readonly number[],
  perGroup: number,
  repeats: number,
): readonly (readonly boolean[])[] {
  return rates.flatMap((rate) => {
    const success = (rate - FAILURE) / (SUCCESS - FAILURE);
    const succeeds = Array.from({ length: repeats }, () => chance.hit(success));
    return Array.from({ length: perGroup }, () =>
      succeeds.map((one) => rate > 0 && chance.hit(one ? SUCCESS : FAILURE)),
    );
  });
}

function repeatsOf(chance: Chance, rate: number, repeats: number): readonly boolean[] {
  return Array.from({ length: repeats }, () => chance.hit(rate));
}

/** Draws one run of cases that differ, or of groups of which four in five always pass at 97%, and the others at 20%. */
export function oneRun(
  chance: Chance,
  { cases, repeats, rates, groups }: Pick<RunCell, 'cases' | 'repeats' | 'rates' | 'groups'>,
) {
  if (groups === undefined) {
    return runOf(
      Array.from({ length: cases }, (_, index) =>
        caseOf(`case-${index}`, repeatsOf(chance, chance.rate(rates), repeats)),
      ),
    );
  }
  const { groups: count, perGroup, single = 0 } = groups;
  const sizes = [...Array<number>(count).fill(perGroup), ...Array<number>(single).fill(1)];
  return runOf(
    sizes.flatMap((size, index) => {
      const rate = chance.hit(0.8) ? 0.97 : 0.2;
      const group = size === 1 ? null : `group-${index}`;
      return Array.from({ length: size }, (_, own) =>
        caseOf(`case-${index}-${own}`, repeatsOf(chance, rate, repeats), { group }),
      );
    }),
  );
}

/** Returns the probabilities that all, and that none, of `k` repeats pass in such a run. */
export function groupTruth(k: number): { readonly all: number; readonly none: number } {
  return { all: 0.8 * 0.97 ** k + 0.2 * 0.2 ** k, none: 0.8 * 0.03 ** k + 0.2 * 0.8 ** k };
}

const graded = (name: string, decides: boolean, max: number | null): CriterionFacts => ({
  name,
  range: max === null ? { min: 0, max, better: 'lower' } : { min: 0, max, better: 'higher' },
  decides,
  byDefault: false,
  threshold: decides ? 0.5 : null,
  options: 'options',
  judges: [],
  origin: 'test 1.0.0',
});

/** Creates a run of one repeat with these scores, by criterion and case. */
function scoredRun(
  id: string,
  facts: readonly CriterionFacts[],
  scores: readonly (readonly number[])[],
  group: (index: number) => string | null = () => null,
): RunOutcomes {
  const decides = facts.some((one) => one.decides);
  const cases = (scores[0] as readonly number[]).map((_, index): CaseOutcome => {
    const own = scores.map((all) => all[index] as number);
    const passed = own.every((score) => score >= 0.5);
    const verdict = decides ? (passed ? 'passed' : 'failed') : 'informational';
    return {
      ...caseOf(`case-${index}`, [passed]),
      group: group(index),
      verdict,
      repeats: [{ repeat: 0, passed: decides ? passed : null, answer: null }],
      criteria: facts.map(({ name, decides: deciding }, place) => {
        const score = own[place] as number;
        return {
          name,
          verdict: deciding ? (score >= 0.5 ? 'passed' : 'failed') : 'informational',
          score,
          coverage: 1,
          scores: [score],
        };
      }),
    };
  });
  return runOf(cases, { id, criteria: facts });
}

/** Draws two runs with many criteria, some of which improve by 30 points. */
export function manyCriteria(chance: Chance, { cases, criteria, improving, decide }: CriteriaCell) {
  const facts = Array.from({ length: criteria }, (_, index) => graded(`criterion-${index}`, decide, decide ? 1 : null));
  const levels = facts.map(() => Array.from({ length: cases }, () => chance.normal()));
  const scores = (better: boolean) =>
    levels.map((all, place) =>
      all.map((level) => {
        if (!decide) return Math.exp(level + 0.5 * chance.normal());
        const score = 0.6 + 0.1 * level + 0.25 * chance.normal() + (better && place < improving ? 0.3 : 0);
        return Math.min(1, Math.max(0, score));
      }),
    );
  return { before: scoredRun('before', facts, scores(false)), after: scoredRun('after', facts, scores(true)) };
}

export const SCORE = 'graded';

/** Draws one run of graded scores. */
export function scoresRun(chance: Chance, name: ScoresName, cases: number): RunOutcomes {
  if (name === 'normal in 10 groups') return gradedInGroups(chance, 10, cases / 10);
  if (name === 'normal in 20 groups') return gradedInGroups(chance, 20, cases / 20);
  const scores = Array.from({ length: cases }, () => {
    switch (name) {
      case 'normal around 0.6':
        return 0.6 + 0.1 * chance.normal();
      case '97% at 1, 3% at 0.3':
        return chance.hit(0.97) ? 1 : 0.3;
      case '90% at 1, 10% at 0.2':
        return chance.hit(0.9) ? 1 : 0.2;
      default:
        return chance.hit(0.8) ? 1 : 0.9 * chance.next();
    }
  });
  return scoredRun('run', [graded(SCORE, true, 1)], [scores]);
}

/** Draws one run of scores around 0.6 with a group effect. */
export function gradedInGroups(chance: Chance, groups: number, perGroup: number): RunOutcomes {
  const scores = Array.from({ length: groups }, () => chance.normal()).flatMap((level) =>
    Array.from({ length: perGroup }, () => 0.6 + 0.08 * level + 0.08 * chance.normal()),
  );
  return scoredRun('run', [graded(SCORE, true, 1)], [scores], (index) => `group-${Math.floor(index / perGroup)}`);
}

export const trueMeans: Readonly<Record<ScoresName, number>> = {
  'normal around 0.6': 0.6,
  '97% at 1, 3% at 0.3': 0.979,
  '90% at 1, 10% at 0.2': 0.92,
  '80% at 1, 20% up to 0.9': 0.89,
  'normal in 10 groups': 0.6,
  'normal in 20 groups': 0.6,
};

/**
 * Draws a run of a measure with a group effect: exp(0.6 z of the group + 0.3 z of the case), whose 0.9-quantile is
 * 2.3625.
 */
export function measuredInGroups(chance: Chance, groups: number, perGroup: number): RunOutcomes {
  const scores = Array.from({ length: groups }, () => chance.normal()).flatMap((level) =>
    Array.from({ length: perGroup }, () => Math.exp(0.6 * level + 0.3 * chance.normal())),
  );
  return scoredRun('run', [graded(SCORE, false, null)], [scores], (index) => `group-${Math.floor(index / perGroup)}`);
}

export const trueQuantile = Math.exp(Math.sqrt(0.45) * 1.2815515655446004);
