import type { RunCriterion, RunInfo, RunSet } from '@agent-criteria/results';

interface Detail {
  readonly info: RunInfo & { readonly name?: string | undefined };
  readonly sets: readonly RunSet[];
}

/** Returns the name of a run, or else those of its eval sets. */
export function runTitle({ info, sets }: Detail): string {
  if (info.name !== undefined && info.name !== '') return info.name;
  return sets.length === 0 ? info.id : sets.map(({ id, name }) => name ?? id).join(', ');
}

/** Says in words how the criteria differ in the eval sets that two runs have in common. */
export function criteriaDifferences(before: Pick<Detail, 'sets'>, now: Pick<Detail, 'sets'>): readonly string[] {
  const shared = now.sets.flatMap((set) => {
    const earlier = before.sets.find(({ id }) => id === set.id);
    return earlier === undefined ? [] : [{ set, earlier }];
  });
  const lines = shared.flatMap(({ set, earlier }) => {
    const names = [...new Set([...earlier.criteria, ...set.criteria].map(({ name }) => name))];
    const of = (own: RunSet, name: string) => own.criteria.find((criterion) => criterion.name === name);
    const own = names.flatMap((name) => difference(name, of(earlier, name), of(set, name)));
    return shared.length > 1 ? own.map((line) => `${set.name ?? set.id}: ${line}`) : own;
  });
  return [...new Set(lines)];
}

function difference(name: string, before: RunCriterion | undefined, now: RunCriterion | undefined): readonly string[] {
  if (before === undefined) return [`${name} only now`];
  if (now === undefined) return [`${name} only before`];
  const changes = [
    ...(before.threshold === now.threshold ? [] : [`threshold ${threshold(before)} → ${threshold(now)}`]),
    ...(before.minCoverage === now.minCoverage
      ? []
      : [`coverage at least ${percent(before.minCoverage)} → ${percent(now.minCoverage)}`]),
    ...(before.decides === now.decides ? [] : [now.decides ? 'decides now' : 'only measures now']),
  ];
  // Options can be anything, rubrics for example, so that they are only named.
  const others = withoutThreshold(before.written) === withoutThreshold(now.written) ? [] : ['other options'];
  const all = [...changes, ...others];
  return all.length === 0 ? [] : [`${name}: ${all.join(', ')}`];
}

function threshold({ threshold: value }: RunCriterion): string {
  return value === null ? 'none' : String(value);
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** Formats what the config says about a criterion, except its threshold and coverage, which are compared on their own. */
function withoutThreshold(written: unknown): string {
  if (typeof written === 'number') return '{}';
  return (
    JSON.stringify(written, (key, value: unknown) =>
      key === 'threshold' || key === 'min_coverage' || key === 'minCoverage' ? undefined : value,
    ) ?? ''
  );
}
