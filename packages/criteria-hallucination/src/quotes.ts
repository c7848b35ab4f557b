import { hasLetters, lettersOf } from './letters.ts';

/** Tells whether a quote stands in what a judge was shown, by letters and digits alone. What is left out of a quote may be marked by dots. */
export function quotesOf(shown: readonly string[]): (quote: string) => boolean {
  let everything: string | undefined;
  return (quote) => {
    // Most evidence is long, and many judges quote none of it.
    everything ??= shown.map(lettersOfJson).join('\n');
    const letters = everything;
    const pieces = quote.split(/\.{3,}|…|\[\.\.\.\]/).filter(hasLetters);
    return pieces.every((piece) => letters.includes(lettersOfJson(piece)));
  };
}

/** Results of tools are shown as JSON; whoever quotes them may write a line break as it is, or as JSON does. */
function lettersOfJson(text: string): string {
  return lettersOf(text.replace(/\\u[0-9a-f]{4}|\\[a-z]/gi, ' ')).text;
}
