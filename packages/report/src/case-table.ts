import type { Problem, Range } from '@agent-criteria/core';
import { type CriterionResult, counted } from '@agent-criteria/core/host';
import { namedCriteria, type RunCase, type RunSet } from '@agent-criteria/results';
import { coverageText, isBad, missingText, repeatsText, resultScore, scoresText, wasAborted } from './case-facts.ts';
import { caseWarnings } from './case-warnings.ts';
import { headerCells } from './document.ts';
import { limitText } from './endings.ts';
import { paintVerdict, type Style } from './style.ts';
import { type Cell, fitTable, oneLine, safe, table, tableWidth } from './terminal.ts';

/** The cases of a set, added one by one, as a table of limited size; those that did not pass come first. */
export interface CaseTable {
  add(one: RunCase): void;
  /** The table, and the warnings of criteria. */
  format(): { readonly text: string; readonly warnings: readonly Problem[] };
}

/** A table with one column for each criterion. */
export function caseTable(set: RunSet, style: Style): CaseTable {
  const { colors } = style;
  const names = namedCriteria(set).map(({ name }) => safe(name));
  const rows = limitedRows(style, '');
  const warnings = caseWarnings();

  function formatRows(shown: readonly Cell[][]): string {
    const header = (titles: readonly string[]) => headerCells(['case', ...titles, 'verdict'], style);
    const note = colors.dim('score (turns scored/turns that apply)');
    const named = [header(names), ...shown];
    const numbered = [header(names.map((_, index) => `(${index + 1})`)), ...shown];
    // Numbers help only where they make room.
    if (tableWidth(named) <= style.width || tableWidth(numbered) > style.width) {
      return `${fitTable(named, style.width)}\n${note}\n`;
    }
    const legend = names.map((name, index) => colors.dim(`(${index + 1}) ${name}\n`)).join('');
    return `${table(numbered)}\n${legend}${note}\n`;
  }

  return {
    add(one) {
      rows.add(rowOf(one, set, style), isBad(one.result.verdict));
      warnings.add(one);
    },
    format: () => ({ text: rows.format(formatRows), warnings: warnings.list() }),
  };
}

/**
 * A table with one column for each variant; where a terminal is too narrow for it, variants are below each other. Every variant of a
 * case has to be added before the next case.
 */
export function variantTable(set: RunSet, names: readonly string[], style: Style): CaseTable {
  const rows = limitedRows(style, ' with every variant');
  const warnings = caseWarnings();
  let current: RunCase[] = [];

  function endRow(): void {
    const [first] = current;
    if (first !== undefined && !current.every(wasAborted)) {
      const cells = names.map((name) =>
        variantCell(
          current.find(({ variant }) => variant === name),
          set,
          style,
        ),
      );
      const isBadRow = current.some(({ result }) => isBad(result.verdict));
      rows.add([{ text: oneLine(safe(first.evalCase.evalId), 48) }, ...cells], isBadRow);
    }
    current = [];
  }

  function formatRows(shown: readonly Cell[][]): string {
    const criteria = namedCriteria(set).map(({ name }) => safe(name));
    const of = criteria.length === 0 ? '' : ` of ${criteria.join(', ')}`;
    const note = style.colors.dim(`verdict, and score (turns scored/turns that apply)${of}`);
    return `${fitTable([headerCells(['case', ...names], style), ...shown], style.width)}\n${note}\n`;
  }

  return {
    add(one) {
      if (current[0]?.evalCase.evalId !== one.evalCase.evalId) endRow();
      current.push(one);
      warnings.add(one);
    },
    format() {
      endRow();
      return { text: rows.format(formatRows), warnings: warnings.list() };
    },
  };
}

/** Rows up to the limit, and only those of cases that did not pass if there are more. */
function limitedRows({ colors, limit }: Style, withWhat: string) {
  const good: Cell[][] = [];
  const bad: Cell[][] = [];
  let [total, badTotal] = [0, 0];
  return {
    add(row: Cell[], isBadRow: boolean): void {
      total += 1;
      if (isBadRow) {
        badTotal += 1;
        if (bad.length < limit) bad.push(row);
      } else if (total <= limit) good.push(row);
    },
    format(formatRows: (rows: readonly Cell[][]) => string): string {
      const textOf = (rows: readonly Cell[][]) => (rows.length === 0 ? '' : formatRows(rows));
      if (total <= limit) return `${textOf([...bad, ...good])}\n`;
      const which = bad.length < badTotal ? `the first ${bad.length} of ${badTotal} that` : `the ${badTotal} that`;
      const allPassed = `${withWhat === '' ? ',' : ';'} all of them passed${withWhat}`;
      const listed = `; only ${which} did not pass${withWhat} ${badTotal === 1 ? 'is' : 'are'} listed`;
      const note = `${counted(total, 'case')}${badTotal === 0 ? allPassed : listed}`;
      return `${textOf(bad)}${colors.dim(note)}\n\n`;
    },
  };
}

function rowOf(one: RunCase, set: RunSet, style: Style): Cell[] {
  const { caseId, criteria, verdict } = one.result;
  const cells = namedCriteria(set).map(({ name, range }) => {
    return scoreCell(
      criteria.find((criterion) => criterion.name === name),
      range,
      style,
    );
  });
  return [{ text: oneLine(safe(caseId), 48) }, ...cells, verdictCell(one, verdict, style)];
}

function scoreCell(result: CriterionResult | undefined, range: Range, style: Style): Cell {
  if (result === undefined) return { text: '-' };
  const { verdict } = result;
  if (verdict === 'skipped') return { text: missingText(result) };
  const text = `${resultScore(result, range)} (${coverageText(result)})`;
  const judged = verdict === 'failed' || verdict === 'not-evaluated';
  return { text, paint: judged ? (plain) => paintVerdict(verdict, style, plain) : undefined };
}

function variantCell(one: RunCase | undefined, set: RunSet, style: Style): Cell {
  if (one === undefined || wasAborted(one)) return { text: 'not finished' };
  return verdictCell(one, `${one.result.verdict}${scoresText(one, set)}`, style);
}

function verdictCell(one: RunCase, text: string, style: Style): Cell {
  const { result } = one;
  return {
    text: `${text}${repeatsText(result)}${limitText(one)}`,
    paint: (plain) => paintVerdict(result.verdict, style, plain),
  };
}
