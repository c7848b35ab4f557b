import type { RunQuery } from '../api.ts';
import type { ListedRun } from './listed-run.ts';

/** Whether a query keeps all runs. Their order does not matter. */
export function keepsAll({ sort: _, ...filters }: RunQuery): boolean {
  return Object.values(filters).every((one) => one === undefined);
}

/** Returns the test that runs must pass for a query. */
export function runFilter(query: RunQuery): (run: ListedRun) => boolean {
  const { app, text = '', verdict, set, agent, variant, commit, from, until, ids } = query;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const only = ids === undefined ? null : new Set(ids.split(/\s+/));
  return (run) => {
    const { listing } = run;
    return (
      (app === undefined || run.apps.includes(app)) &&
      (verdict === undefined || run.result === verdict) &&
      (set === undefined || listing.sets.includes(set)) &&
      (agent === undefined || run.agents.includes(agent)) &&
      (variant === undefined || listing.variants?.includes(variant) === true) &&
      (commit === undefined || listing.commit?.hash.toLowerCase().startsWith(commit) === true) &&
      (from === undefined || listing.startedAt >= from) &&
      (until === undefined || listing.startedAt < until) &&
      (only === null || only.has(run.id)) &&
      words.every((word) => run.searched.includes(word))
    );
  };
}

/** Sorts runs that come newest first. */
export function inRunOrder(runs: readonly ListedRun[], sort: RunQuery['sort'] = 'newest'): readonly ListedRun[] {
  switch (sort) {
    case 'newest':
      return runs;
    case 'oldest':
      return runs.toReversed();
    case 'least-passed':
      return byNumber(runs, ({ passRate }) => passRate, 1);
    case 'most-passed':
      return byNumber(runs, ({ passRate }) => passRate, -1);
    case 'shortest':
      return byNumber(runs, ({ duration }) => duration, 1);
    case 'longest':
      return byNumber(runs, ({ duration }) => duration, -1);
  }
}

/** Sorts by a number, which some runs lack. They come last in either direction, because an unknown number is not a 0. */
function byNumber(
  runs: readonly ListedRun[],
  numberOf: (run: ListedRun) => number | null,
  direction: 1 | -1,
): readonly ListedRun[] {
  return runs.toSorted((a, b) => {
    const [own, other] = [numberOf(a), numberOf(b)];
    if (own === null || other === null) return Number(own === null) - Number(other === null);
    return (own - other) * direction;
  });
}
