/** What all rubric criteria have in common. */
export const rubricCriterion = {
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  adk: { mean: 'exact', missing: 'dropped', aggregate: 'parts' },
} as const;
