import { existsSync, readdirSync } from '../node-fs.ts';
import { layout } from './layout.ts';

/** The scorings of a run, in their order. */
export function listScorings(folder: string): number[] {
  let names: string[];
  try {
    names = readdirSync(layout.scorings(folder));
  } catch {
    return [];
  }
  // One without its plan was never begun.
  const numbers = names.filter((name) => /^[1-9]\d*$/.test(name)).map(Number);
  return numbers.filter((scoring) => existsSync(layout.scoringPlan(folder, scoring))).sort((a, b) => a - b);
}

/** A number that no scoring has, nor what is left of one that has lost its plan. */
export function newScoring(folder: string): number {
  let scoring = (listScorings(folder).at(-1) ?? 0) + 1;
  while (existsSync(layout.scores(folder, scoring))) scoring += 1;
  return scoring;
}
