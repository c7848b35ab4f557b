/** Reads the value of a slot from the words in it; `undefined` when these words say no such value. */
export interface SlotReader<Value> {
  /** The most words that it may take. */
  readonly longest: number;
  read(words: readonly string[]): Value | undefined;
}

/** What a whole sentence says; `undefined` when the sentence is another one. */
export type Rule<Meaning> = (words: readonly string[]) => Meaning | undefined;

type SlotOf<Pattern extends string> = Pattern extends `${string}<${infer Slot}>${infer Rest}`
  ? Slot | SlotOf<Rest>
  : never;

type Piece<Slot> =
  | { readonly kind: 'word'; readonly words: readonly string[]; readonly optional: boolean }
  | { readonly kind: 'slot'; readonly slot: Slot };

/**
 * Makes rules from patterns such as `'turn|switch <status> the? <room> device'`: a word, a choice of words, a word
 * that may be left out, a slot. A pattern fits whole sentences only, so "do not turn on ..." never fits "turn on ...".
 */
export function rulesWith<Slots>(readers: { readonly [Slot in keyof Slots]: SlotReader<Slots[Slot]> }) {
  return <Pattern extends string, Meaning>(
    pattern: Pattern,
    meaning: (slots: Pick<Slots, SlotOf<Pattern> & keyof Slots>) => Meaning,
  ): Rule<Meaning> => {
    const pieces = pattern.split(' ').map((text) => readPiece<keyof Slots>(text, (slot) => slot in readers));

    const fit = (words: readonly string[], from: number, next: number): Partial<Slots> | undefined => {
      const piece = pieces[next];
      if (!piece) return from === words.length ? {} : undefined;
      if (piece.kind === 'word') {
        const word = words[from];
        const taken = word !== undefined && piece.words.includes(word) ? fit(words, from + 1, next + 1) : undefined;
        return taken ?? (piece.optional ? fit(words, from, next + 1) : undefined);
      }
      const reader = readers[piece.slot];
      for (let to = Math.min(words.length, from + reader.longest); to > from; to--) {
        const value = reader.read(words.slice(from, to));
        const rest = value === undefined ? undefined : fit(words, to, next + 1);
        if (rest) return { ...rest, [piece.slot]: value };
      }
      return undefined;
    };

    return (words) => {
      const slots = fit(words, 0, 0);
      return slots && meaning(slots as Pick<Slots, SlotOf<Pattern> & keyof Slots>);
    };
  };
}

/** What the first rule says that fits. */
export function firstOf<Meaning>(rules: readonly Rule<Meaning>[], words: readonly string[]): Meaning | undefined {
  for (const rule of rules) {
    const meaning = rule(words);
    if (meaning !== undefined) return meaning;
  }
  return undefined;
}

function readPiece<Slot extends PropertyKey>(text: string, isSlot: (name: PropertyKey) => boolean): Piece<Slot> {
  if (text.startsWith('<')) {
    const slot = text.slice(1, -1);
    if (!isSlot(slot)) throw new Error(`A pattern has the slot <${slot}>, which has no reader`);
    return { kind: 'slot', slot: slot as Slot };
  }
  const optional = text.endsWith('?');
  return { kind: 'word', words: (optional ? text.slice(0, -1) : text).split('|'), optional };
}
