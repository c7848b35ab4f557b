import type { Score } from '../contracts/score.ts';
import { couldNotJudge } from './could-not-judge.ts';

/**
 * Returns the `overall` score that a criterion gave with the turns of one repeat, or `null` if it gave none. It is
 * could-not-judge if one of the turns is, or if the turns disagree.
 */
export function overallScore(turns: readonly Score[]): Score | null {
  const given = turns.find(({ overall }) => overall !== undefined)?.overall;
  if (given === undefined) return null;
  const unjudged = turns.find(isUnjudged);
  if (unjudged !== undefined) {
    const why = unjudged.reason === undefined ? '' : `: ${unjudged.reason}`;
    return couldNotJudge(`the overall score rests on a turn that could not be judged${why}`);
  }
  const differs = turns.some(({ overall }) => overall?.value !== given.value);
  return differs ? couldNotJudge('the turns do not agree on the overall score of their conversation') : given;
}

function isUnjudged(score: Score): boolean {
  if ('parts' in score) return score.parts.some(isUnjudged);
  return score.value === null && score.missing === 'could-not-judge';
}
