import type { MaskedCases, MaskedCounts } from '../masked-values.ts';

const LABELS_SHOWN = 5;
const CASES_SHOWN = 3;

/**
 * Describes masked values on one line of a summary. Returns `null` if there are none.
 *
 * @param cases Case ids, which are untrusted text.
 * @param named Escapes an id. Default: puts it in quotation marks.
 */
export function maskedNote(
  counts: MaskedCounts,
  cases: MaskedCases = [],
  named: (id: string) => string = (id) => `"${id}"`,
): string | null {
  const entries = Object.entries(counts).sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
  const total = entries.reduce((sum, [, number]) => sum + number, 0);
  if (total === 0) return null;
  const shown = entries.slice(0, LABELS_SHOWN).map(([label, number]) => (number > 1 ? `${label} (${number})` : label));
  const rest = entries.length - LABELS_SHOWN;
  const kinds = [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  const what = `${total === 1 ? '1 secret was' : `${total} secrets were`} masked before anything was saved or judged: ${kinds}`;
  return `${what}${inCases(cases, named)}.`;
}

function inCases(cases: MaskedCases, named: (id: string) => string): string {
  if (cases.length === 0) return '';
  const names = cases.slice(0, CASES_SHOWN).map(named).join(', ');
  return `; in the ${cases.length === 1 ? 'case' : 'cases'} ${names}${cases.length > CASES_SHOWN ? ' and others' : ''}`;
}
