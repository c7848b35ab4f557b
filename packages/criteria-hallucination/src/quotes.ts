import { hasLetters, lettersOf } from './letters.ts';

/**
 * Returns a function that tells whether a quote occurs in the shown texts, comparing only letters and digits. Dots may
 * mark omissions.
 */
export function quotesOf(shown: readonly string[]): (quote: string) => boolean {
  let everything: string | undefined;
  return (quote) => {
    // Computed on demand, because most evidence is long and many judges quote none of it.
    everything ??= shown.map(lettersOfJson).join('\n');
    const letters = everything;
    const pieces = quote.split(/\.{3,}|…|\[\.\.\.\]/).filter(hasLetters);
    return pieces.every((piece) => letters.includes(lettersOfJson(piece)));
  };
}

/**
 * Reads the letters of a tool result, which is shown as JSON: a quote may contain a line break either raw or escaped as
 * in JSON.
 */
function lettersOfJson(text: string): string {
  return lettersOf(text.replace(/\\u[0-9a-f]{4}|\\[a-z]/gi, ' ')).text;
}
