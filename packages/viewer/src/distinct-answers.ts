import { contentText } from '@agent-criteria/core';
import type { RunCase } from '@agent-criteria/results';

/** An answer that some repeats of a case have in common. */
export interface DistinctAnswer {
  /** Answers of the turns that differ between repeats, or of all turns if none do. */
  readonly texts: readonly string[];
  /** Repeats with these answers, from 0. */
  readonly repeats: readonly number[];
}

/** Groups the repeats of a case by their answers: most frequent first, then by repeat. */
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
