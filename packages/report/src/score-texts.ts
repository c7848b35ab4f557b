import type { Range } from '@agent-criteria/core';
import type { CriterionResult } from '@agent-criteria/core/host';
import type { RunCase, RunSet } from '@agent-criteria/results';
import { coverageText, missingText, resultScore, resultsByCriterion } from './case-facts.ts';
import { safe } from './terminal.ts';

/** A case's score by one criterion, for use in a line or a list. */
export interface ScoreText {
  readonly result: CriterionResult;
  /** Text such as `response_match_score 0.833 >= 0.8`, escaped. */
  readonly text: string;
}

/** Formats a case's scores by each criterion in its config, in order. Empty if the agent failed. */
export function scoreTexts({ result }: Pick<RunCase, 'result'>, set: Pick<RunSet, 'criteria'>): readonly ScoreText[] {
  return resultsByCriterion(result, set).flatMap(({ found, range }) => {
    return found === undefined ? [] : [{ result: found, text: `${safe(found.name)} ${ruledScore(found, range)}` }];
  });
}

function ruledScore(result: CriterionResult, range: Range): string {
  const { score, threshold, verdict, counts } = result;
  if (score === null) return missingText(result);
  const shown = resultScore(result, range);
  const part = counts.couldNotJudge > 0 ? ` (${coverageText(result)})` : '';
  if (threshold === null) return `${shown}${part}`;
  const [reached, missed] = range.better === 'higher' ? ['>=', '<'] : ['<=', '>'];
  if (verdict === 'passed') return `${shown} ${reached} ${threshold}${part}`;
  return verdict === 'failed' ? `${shown} ${missed} ${threshold}${part}` : `${shown}${part}, ${verdict}`;
}
