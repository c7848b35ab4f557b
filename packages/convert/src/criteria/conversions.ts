/** A kind of check of another format, and the criterion that it became. Plain JSON. */
export interface ConvertedCheck {
  /** The check in the words of its format, such as `string_check eq`. */
  readonly from: string;
  /** The criterion, such as `response_checks (equals)`. */
  readonly to: string;
  /** How the criterion judges differently, or `null` if it judges the same. */
  readonly difference: string | null;
  readonly count: number;
}

export interface Conversions {
  add(from: string, to: string, difference?: string | null): void;
  list(): readonly ConvertedCheck[];
}

/** More kinds than this are not listed one by one, because they may come from a hostile file. */
const MOST_KINDS = 200;

export function openConversions(): Conversions {
  const all = new Map<string, ConvertedCheck>();
  return {
    add(from, to, difference = null) {
      const isKnown = all.has(JSON.stringify([from, to, difference]));
      const kind =
        isKnown || all.size < MOST_KINDS ? { from, to, difference } : { from: 'other checks', to, difference: null };
      const key = JSON.stringify(Object.values(kind));
      all.set(key, { ...kind, count: (all.get(key)?.count ?? 0) + 1 });
    },
    list: () => [...all.values()],
  };
}
