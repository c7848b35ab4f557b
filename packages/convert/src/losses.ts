/** One kind of content that could not be taken over. Plain JSON. */
export interface Loss {
  /** The content and what became of it, such as "parts of the type \"audio\", left out". */
  readonly what: string;
  readonly count: number;
  /** The place of the first, such as `log.jsonl, line 7`. */
  readonly example: string;
}

/** A list of everything that a format cannot express, so that nothing is lost in silence. */
export interface LossList {
  add(what: string, where: string): void;
  list(): readonly Loss[];
}

/** More kinds than this are counted under one name, because they may come from a hostile file. */
const MOST_KINDS = 200;
const OTHERS = 'other content, left out';

export function openLosses(): LossList {
  const losses = new Map<string, { count: number; readonly example: string }>();
  return {
    add(what, where) {
      const kind = losses.has(what) || losses.size < MOST_KINDS ? what : OTHERS;
      const known = losses.get(kind);
      if (known === undefined) losses.set(kind, { count: 1, example: where });
      else known.count += 1;
    },
    list: () => [...losses].map(([what, { count, example }]) => ({ what, count, example })),
  };
}

/** Writes a loss as a line: `12 × parts of the type "audio", left out (first: log.jsonl, line 7)`. */
export function lossText({ what, count, example }: Loss): string {
  return `${count.toLocaleString('en')} × ${what} (first: ${example})`;
}
