import { diffArrays } from 'diff';

/** A text that an agent said on the way to its answer. */
export interface SaidText {
  readonly author: string;
  readonly text: string;
}

/** A text that was expected beside one that was said; `null` where there is none. */
export interface SaidRow {
  readonly expected: SaidText | null;
  readonly said: SaidText | null;
}

/** More texts than this are laid side by side in their order: comparing them takes long. */
const MOST_EDITS = 400;

/** Texts that were expected beside those that were said, in order: equal ones side by side, then others as they come between. */
export function alignTexts(expected: readonly SaidText[], said: readonly SaidText[]): readonly SaidRow[] {
  const changes = diffArrays([...expected], [...said], {
    comparator: (left, right) => left.author === right.author && left.text === right.text,
    maxEditLength: MOST_EDITS,
  });
  if (changes === undefined) return paired(expected, said);
  const rows: SaidRow[] = [];
  let [missing, extra]: [SaidText[], SaidText[]] = [[], []];
  for (const { value, added, removed } of changes) {
    if (removed) missing.push(...value);
    else if (added) extra.push(...value);
    else {
      rows.push(...paired(missing, extra), ...value.map((one) => ({ expected: one, said: one })));
      [missing, extra] = [[], []];
    }
  }
  return [...rows, ...paired(missing, extra)];
}

function paired(expected: readonly SaidText[], said: readonly SaidText[]): readonly SaidRow[] {
  return Array.from({ length: Math.max(expected.length, said.length) }, (_, place) => ({
    expected: expected[place] ?? null,
    said: said[place] ?? null,
  }));
}
