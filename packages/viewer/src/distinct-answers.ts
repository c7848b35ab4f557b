import { contentText } from '@agent-criteria/core';
import type { RunCase } from '@agent-criteria/results';

/** An answer shared by some of a case's repeats. */
export interface DistinctAnswer {
  /** The answers in turns that differ between repeats, or in all turns if none differ. */
  readonly texts: readonly string[];
  /** The zero-based repeats that gave these answers. */
  readonly repeats: readonly number[];
}

/** Groups a case's repeats by their answers, sorted by frequency, then by repeat. */
export function distinctAnswers({ inferences }: Pick<RunCase, 'inferences'>): readonly DistinctAnswer[] {
  const ways = new Map<string, { readonly all: readonly string[]; readonly repeats: number[] }>();
  for (const { key, inference } of inferences) {
    const all = inference.invocations.map(({ finalResponse }) => contentText(finalResponse).trim());
    const name = JSON.stringify(all);
    const known = ways.get(name);
    if (known === undefined) ways.set(name, { all, repeats: [key.repeat] });
    else known.repeats.push(key.repeat);
  }
  const found = [...ways.values()];
  const turns = Math.max(0, ...found.map(({ all }) => all.length));
  const differing = Array.from({ length: turns }, (_, turn) => turn).filter(
    (turn) => found.length === 1 || new Set(found.map(({ all }) => all[turn])).size > 1,
  );
  return found
    .map(({ all, repeats }) => ({ texts: differing.map((turn) => all[turn] ?? ''), repeats }))
    .sort((a, b) => b.repeats.length - a.repeats.length);
}
