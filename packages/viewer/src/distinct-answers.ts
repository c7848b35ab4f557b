import { contentText } from '@agent-criteria/core';
import type { RunCase } from '@agent-criteria/results';

/** What an agent answered in some repeats of a case. */
export interface DistinctAnswer {
  /** The answers of those turns that went differently in some repeat; of all turns where every repeat went the same way. */
  readonly texts: readonly string[];
  /** The repeats that went this way, from 0. */
  readonly repeats: readonly number[];
}

/** The answers of a case that ran several times, each once: the most frequent first, then in the order of the repeats. */
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
