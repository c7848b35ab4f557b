import type { Problem, Range } from '@agent-criteria/core';
import { type CriterionResult, counted } from '@agent-criteria/core/host';
import { namedCriteria, type RunCase, type RunSet } from '@agent-criteria/results';
import { coverageText, isBad, missingText, repeatsText, resultScore } from './case-facts.ts';
import { limitText } from './endings.ts';
import { type Look, paintVerdict } from './look.ts';
import { type Cell, fitTable, oneLine, safe, table, tableWidth } from './terminal.ts';

/** How many different warnings of criteria are told. */
const WARNINGS_SHOWN = 50;
/** How many cases a warning names. */
const CASES_NAMED = 3;

/** The cases of a set, taken one by one, as a table of a size that has an end; those that did not pass come first. */
export interface CaseTable {
  add(one: RunCase): void;
  /** The table, and what criteria warn of. */
  format(): { readonly text: string; readonly warnings: readonly Problem[] };
}

export function caseTable(set: RunSet, look: Look): CaseTable {
  const { colors, limit } = look;
  const names = namedCriteria(set).map(({ name }) => safe(name));
  const good: Cell[][] = [];
  const bad: Cell[][] = [];
  const warnings = caseWarnings();
  let [total, badTotal] = [0, 0];

  function formatRows(rows: readonly Cell[][]): string {
    if (rows.length === 0) return '';
    const header = (titles: readonly string[]) =>
      ['case', ...titles, 'verdict'].map((text) => ({ text, paint: colors.dim }));
    const note = colors.dim('score (turns scored/turns that apply)');
    const numbers = names.map((_, index) => `(${index + 1})`);
    const named = [header(names), ...rows];
    const numbered = [header(numbers), ...rows];
    // Numbers help only where they make room.
    if (tableWidth(named) <= look.width || tableWidth(numbered) > look.width) {
      return `${fitTable(named, look.width)}\n${note}\n`;
    }
    const legend = names.map((name, index) => colors.dim(`(${index + 1}) ${name}\n`)).join('');
    return `${table(numbered)}\n${legend}${note}\n`;
  }

  return {
    add(one) {
      const row = rowOf(one, set, look);
      total += 1;
      if (isBad(one.result.verdict)) {
        badTotal += 1;
        if (bad.length < limit) bad.push(row);
      } else if (total <= limit) good.push(row);
      warnings.add(one);
    },
    format() {
      if (total <= limit) return { text: `${formatRows([...bad, ...good])}\n`, warnings: warnings.list() };
      const which = bad.length < badTotal ? `the first ${bad.length} of ${badTotal} that` : `the ${badTotal} that`;
      const count = `${counted(total, 'case')}; only ${which} did not pass ${badTotal === 1 ? 'is' : 'are'} listed`;
      const none = `${counted(total, 'case')}, all of them passed`;
      const said = colors.dim(badTotal === 0 ? none : count);
      return { text: `${formatRows(bad)}${said}\n\n`, warnings: warnings.list() };
    },
  };
}

function rowOf(one: RunCase, set: RunSet, look: Look): Cell[] {
  const { result } = one;
  return [
    { text: oneLine(safe(result.caseId), 48) },
    ...namedCriteria(set).map(({ name, range }) =>
      cellOf(
        result.criteria.find((criterion) => criterion.name === name),
        range,
        look,
      ),
    ),
    {
      text: `${result.verdict}${repeatsText(result)}${limitText(one)}`,
      paint: (text) => paintVerdict(result.verdict, look, text),
    },
  ];
}

function cellOf(result: CriterionResult | undefined, range: Range, look: Look): Cell {
  if (result === undefined) return { text: '-' };
  const { verdict } = result;
  if (verdict === 'skipped') return { text: missingText(result) };
  const text = `${resultScore(result, range)} (${coverageText(result)})`;
  const judged = verdict === 'failed' || verdict === 'not-evaluated';
  return { text, paint: judged ? (plain) => paintVerdict(verdict, look, plain) : undefined };
}

/** Warnings of criteria, each once with the cases, and each case once whatever its variants. */
export function caseWarnings() {
  const seen = new Map<string, { readonly ids: string[]; count: number; last: string }>();
  let left = 0;
  return {
    add({ result }: RunCase): void {
      for (const { name, warnings } of result.criteria) {
        for (const warning of warnings) {
          const text = `${name}: ${warning}`;
          const found = seen.get(text);
          if (found !== undefined) {
            // The variants of a case come one after the other.
            if (found.last === result.caseId) continue;
            found.count += 1;
            found.last = result.caseId;
            if (found.ids.length < CASES_NAMED) found.ids.push(safe(result.caseId));
          } else if (seen.size < WARNINGS_SHOWN)
            seen.set(text, { ids: [safe(result.caseId)], count: 1, last: result.caseId });
          else left += 1;
        }
      }
    },
    list(): readonly Problem[] {
      const told = [...seen].map(([text, { ids, count }]) => {
        const more = count > ids.length ? ` and ${count - ids.length} more` : '';
        return `${text} (${ids.join(', ')}${more})`;
      });
      if (left > 0) told.push(`… and ${counted(left, 'more warning')} of criteria`);
      return told.map((message) => ({ code: 'INVALID_DATA', message }));
    },
  };
}
