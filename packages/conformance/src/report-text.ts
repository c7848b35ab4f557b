import type { CheckedRow, Conformance } from './check-answers.ts';

/** The number of differences that are shown. */
const MOST_SHOWN = 20;

/** Describes the result for people: a line for each kind of question, then the first differences. */
export function reportText({ rows, staleKnown, passes }: Conformance, problems: readonly string[]): string {
  const kinds = new Map<string, CheckedRow[]>();
  for (const one of rows) {
    const own = kinds.get(groupOf(one)) ?? [];
    own.push(one);
    kinds.set(groupOf(one), own);
  }
  const width = Math.max(0, ...[...kinds.keys()].map((kind) => kind.length));
  const lines = [...kinds].map(([kind, own]) => `${kind.padEnd(width)}  ${countsText(own)}`);
  const wrong = rows.filter(({ result }) => result === 'differs' || result === 'missing');
  const shown = wrong.slice(0, MOST_SHOWN).map(({ row, detail }) => `${row.id} (${row.kind}): ${detail}`);
  const more = wrong.length > MOST_SHOWN ? [`and ${wrong.length - MOST_SHOWN} more`] : [];
  const sections = [
    [...lines, '', `all: ${countsText(rows)}`],
    problems.map((problem) => `The port: ${problem}`),
    [...shown, ...more],
    staleKnown.map((id) => `${id} is listed as a known difference, and does not differ`),
    [passes ? 'It conforms, as far as it answers.' : 'It does not conform.'],
  ];
  return `${sections
    .filter((section) => section.length > 0)
    .map((section) => section.join('\n'))
    .join('\n\n')}\n`;
}

/** Groups kinds by the part before the slash, because some have dozens. */
function groupOf({ row }: CheckedRow): string {
  return row.kind.split('/')[0] ?? row.kind;
}

function countsText(rows: readonly CheckedRow[]): string {
  const count = (result: CheckedRow['result']) => rows.filter((one) => one.result === result).length;
  const counts = [
    [`${count('agrees')} agree`, 1],
    [`${count('differs')} differ`, count('differs')],
    [`${count('known')} known to differ`, count('known')],
    [`${count('missing')} without an answer`, count('missing')],
    [`${count('unsupported')} not supported`, count('unsupported')],
  ] as const;
  return `${counts.flatMap(([text, number]) => (number === 0 ? [] : [text])).join(', ')}, of ${rows.length}`;
}
