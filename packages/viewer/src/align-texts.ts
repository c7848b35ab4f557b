import { diffArrays } from 'diff';

/** An agent's intermediate text. */
export interface SaidText {
  readonly author: string;
  readonly text: string;
}

/** An expected text aligned with an actual one. A side without a counterpart is `null`. */
export interface SaidRow {
  readonly expected: SaidText | null;
  readonly said: SaidText | null;
}

/** Whether a text and its author are as expected. */
export function isSame({ expected, said }: SaidRow): boolean {
  return expected !== null && said !== null && expected.author === said.author && expected.text === said.text;
}

/** The maximum number of differences. With more, texts are aligned by position, because a diff would take too long. */
const MOST_EDITS = 400;

/** Aligns expected with actual texts in order: equal texts first, then the remaining ones between them. */
export function alignTexts(expected: readonly SaidText[], said: readonly SaidText[]): readonly SaidRow[] {
  const changes = diffArrays([...expected], [...said], {
    comparator: (left, right) => isSame({ expected: left, said: right }),
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
