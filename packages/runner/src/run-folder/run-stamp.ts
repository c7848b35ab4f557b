import { statSync } from '../node-fs.ts';
import { layout } from './layout.ts';
import { listScorings } from './list-scorings.ts';

/** Changes whenever the run does: a cache of what is in a run compares it before using what it has. */
export function runStamp(folder: string): string {
  const last = listScorings(folder).at(-1);
  const ofScoring = [layout.scoringPlan, layout.scores, layout.outcome, layout.summary];
  const files = [
    layout.plan(folder),
    layout.inferences(folder),
    layout.calls(folder),
    ...(last === undefined ? [] : ofScoring.map((file) => file(folder, last))),
  ];
  const stamps = files.map((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found === undefined ? 'none' : `${found.size} ${found.mtimeMs} ${found.ino}`;
  });
  return [last ?? 0, ...stamps].join('\n');
}
