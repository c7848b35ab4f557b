import type { RunSummary, RunThreshold } from '../../api.ts';

/**
 * Returns the criteria that most of these runs were judged by, so that they need be shown only once; empty unless at least two
 * runs share them.
 */
export function commonCriteria(runs: readonly RunSummary[]): readonly RunThreshold[] {
  const counted = new Map<string, { readonly criteria: readonly RunThreshold[]; number: number }>();
  for (const { criteria } of runs) {
    if (criteria.length === 0) continue;
    const one = counted.get(criteriaText(criteria)) ?? { criteria, number: 0 };
    one.number += 1;
    counted.set(criteriaText(criteria), one);
  }
  const [most] = [...counted.values()].toSorted((a, b) => b.number - a.number);
  return most === undefined || most.number < 2 ? [] : most.criteria;
}

/** Whether two lists have the same criteria and thresholds, in any order. */
export function isSameCriteria(a: readonly RunThreshold[], b: readonly RunThreshold[]): boolean {
  return criteriaText(a) === criteriaText(b);
}

function criteriaText(criteria: readonly RunThreshold[]): string {
  return criteria.map(ruleText).sort().join('\n');
}

/** Formats a criterion with its threshold, such as `response_match_score ≥ 0.8`. */
export function ruleText({ name, threshold, better }: RunThreshold): string {
  return `${name} ${threshold === null ? 'measured' : `${better === 'higher' ? '≥' : '≤'} ${threshold}`}`;
}
