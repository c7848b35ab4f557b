/** The decimal separator in a text. The other character groups thousands. */
export type DecimalSign = '.' | ',';

const NUMBERS: Readonly<Record<DecimalSign, RegExp>> = { '.': numbers('\\.', ','), ',': numbers(',', '.') };

/**
 * Lists the numbers that a text states, in order: `1,234.5`, `-3`, `2e6`. Thousands may also be grouped by an
 * apostrophe or a non-breaking space. A hyphen between digits or letters is not a sign, and digits inside words and
 * versions are not numbers.
 */
export function numbersIn(text: string, decimal: DecimalSign = '.'): readonly number[] {
  const found = text.normalize('NFC').matchAll(NUMBERS[decimal]);
  return Array.from(found, ([number, sign = '', whole = '', fraction = '', exponent = '']) => {
    const value = Number(`${whole.replace(/\D/g, '')}${fraction.replace(',', '.')}${exponent}`);
    return number !== '' && /[-−]/.test(sign) ? -value : value;
  }).filter(Number.isFinite);
}

function numbers(decimal: string, group: string): RegExp {
  const whole = `\\d{1,3}(?:[${group}'’\\u00a0\\u202f\\u2009]\\d{3})+(?!\\d)|\\d+`;
  const start = `(?<![\\p{L}\\p{N}_]|\\p{N}${decimal})`;
  return new RegExp(`${start}([-−+]?)(${whole})(${decimal}\\d+)?([eE][-+]?\\d{1,3}(?!\\d))?(?![\\p{L}_]\\d)`, 'gu');
}
