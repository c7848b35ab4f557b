import { createRandom } from '@agent-criteria/statistics';
import { expect, it } from 'vitest';
import { allRuns } from '../../../test/runs.ts';
import { correctedRate } from './corrected-rate.ts';

/** True rate, sensitivity and specificity of the judge, cases that only the judge saw: those of statistics.md, and two harder ones. */
const SETTINGS = [
  [0.8, 0.9, 0.8, 200],
  [0.9, 0.95, 0.7, 500],
  [0.6, 0.85, 0.85, 100],
  [0.95, 0.98, 0.6, 300],
  [0.5, 0.8, 0.8, 100],
  [0.9, 0.9, 0.6, 300],
] as const;

/** The shares of draws in which the interval holds the true rate, of the corrected one and of the judge's. */
function coverage([rate, sensitivity, specificity, others]: (typeof SETTINGS)[number], labels: number, draws: number) {
  const random = createRandom(labels);
  const chance = (share: number) => random() / 2 ** 32 < share;
  let [corrected, judge] = [0, 0];
  for (let draw = 0; draw < draws; draw++) {
    const things = Array.from({ length: labels + others }, (_, index) => {
      const passes = chance(rate);
      const judged = passes ? chance(sensitivity) : !chance(specificity);
      return { cluster: String(index), judge: judged, people: index < labels ? passes : null };
    });
    const found = correctedRate(things, 0.95);
    if ('unknown' in found.corrected || 'unknown' in found.judge.interval) throw new Error('it is unknown');
    const holds = ({ low, high }: { readonly low: number; readonly high: number }) => low <= rate && rate <= high;
    if (holds(found.corrected)) corrected += 1;
    if (holds(found.judge.interval)) judge += 1;
  }
  return { corrected: corrected / draws, judge: judge / draws };
}

it('a corrected rate holds the true one with few labels, too, where that of the judge alone does not', () => {
  const draws = allRuns ? 2000 : 20;
  for (const labels of [20, 30, 39, 40, 59, 60]) {
    const found = SETTINGS.map((setting) => coverage(setting, labels, draws));
    const mean = found.reduce((sum, { corrected }) => sum + corrected, 0) / found.length;
    // What 4,000 draws gave, less five standard errors.
    expect(mean).toBeGreaterThan(allRuns ? 0.93 : 0.87);
    const least = labels < 60 ? 0.937 : 0.926;
    for (const { corrected } of found) {
      expect(corrected).toBeGreaterThan(least - 5 * Math.sqrt((least * (1 - least)) / draws));
    }
    expect(found[5]?.judge).toBeLessThan(0.5);
  }
}, 600_000);
