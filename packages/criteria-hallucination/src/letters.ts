/** The letters and digits of a text, and the position of each. */
export interface Letters {
  /** The letters and digits, without accents and in lower case, so that it does not matter how a text was copied. */
  readonly text: string;
  /** The start of the source character for every unit of `text`. */
  readonly places: readonly number[];
}

const LETTERS = /[\p{L}\p{N}]/gu;

/** Extracts the letters and digits of a text in any script, in linear time. */
export function lettersOf(text: string): Letters {
  const known = new Map<string, string>();
  const units: string[] = [];
  const places: number[] = [];
  let place = 0;
  for (const character of text) {
    let read = known.get(character);
    if (read === undefined) {
      read = readCharacter(character);
      known.set(character, read);
    }
    // A character such as a ligature may yield several units.
    for (let unit = 0; unit < read.length; unit++) places.push(place);
    units.push(read);
    place += character.length;
  }
  return { text: units.join(''), places };
}

function readCharacter(character: string): string {
  return (character.normalize('NFKD').toLowerCase().match(LETTERS) ?? []).join('');
}

/**
 * Whether `lettersOf` finds anything in a text. After normalisation, a few letters are marks and a few symbols are
 * letters.
 */
export function hasLetters(text: string): boolean {
  for (const character of text) if (readCharacter(character) !== '') return true;
  return false;
}

/** Returns the number of UTF-16 units of the character at this position. */
export function characterLength(text: string, place: number): number {
  return (text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1;
}

/**
 * Finds the first position of a text in another one, starting at `from`, or -1. Linear for any two texts (Knuth,
 * Morris, Pratt).
 */
export function findText(text: string, wanted: string, from: number): number {
  if (wanted === '') return from;
  const borders = new Int32Array(wanted.length);
  for (let at = 1, border = 0; at < wanted.length; at++) {
    while (border > 0 && wanted[at] !== wanted[border]) border = borders[border - 1] ?? 0;
    if (wanted[at] === wanted[border]) border += 1;
    borders[at] = border;
  }
  for (let at = from, matched = 0; at < text.length; at++) {
    while (matched > 0 && text[at] !== wanted[matched]) matched = borders[matched - 1] ?? 0;
    if (text[at] === wanted[matched]) matched += 1;
    if (matched === wanted.length) return at - matched + 1;
  }
  return -1;
}
