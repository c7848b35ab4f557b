import type { Hit } from './secret-finder.ts';

export function marker({ label }: Pick<Hit, 'label'>): string {
  return `[masked: ${label}]`;
}

/** Sorts hits by position, and merges overlapping ones under the label of whichever comes first in `hits`. */
export function mergedHits(hits: readonly Hit[]): readonly Hit[] {
  const inOrder = hits.map((hit, rank) => ({ ...hit, rank })).sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: (Hit & { rank: number })[] = [];
  for (const hit of inOrder) {
    const last = merged.at(-1);
    if (last === undefined || hit.start >= last.end) {
      merged.push(hit);
      continue;
    }
    const { label, rank } = hit.rank < last.rank ? hit : last;
    merged[merged.length - 1] = { ...last, end: Math.max(last.end, hit.end), label, rank };
  }
  return merged;
}
