import type { Problem, Range } from '@agent-criteria/core';
import { type CriterionResult, counted } from '@agent-criteria/core/host';
import { namedCriteria, type RunCase, type RunSet } from '@agent-criteria/results';
import {
  byVariant,
  coverageText,
  isBad,
  missingText,
  repeatsText,
  resultScore,
  resultsByCriterion,
  scoresText,
  wasAborted,
} from './case-facts.ts';
import { caseWarnings } from './case-warnings.ts';
import { headerCells } from './document.ts';
import { limitText } from './endings.ts';
import { paintVerdict, type Style } from './style.ts';
import { type Cell, fitTable, oneLine, safe, table, tableWidth } from './terminal.ts';

/** Collects a set's cases into a table of limited size. Cases that did not pass come first. */
export interface CaseTable {
  /** Adds a case, with all its variants. */
  add(all: readonly [RunCase, ...RunCase[]]): void;
  /** Returns the table, and the criteria's warnings. */
  format(): { readonly text: string; readonly warnings: readonly Problem[] };
}

/** Creates a table with one column for each variant or, if there is only one agent, for each criterion. */
export function caseTable(set: RunSet, variants: readonly string[] | undefined, style: Style): CaseTable {
  const rows = limitedRows(style, variants === undefined ? '' : ' with every variant');
  const warnings = caseWarnings();
  return {
    add(all) {
      for (const one of all) warnings.add(one);
      // Cases that did not run are only counted, at the end of the report.
      if (all.every(wasAborted)) return;
      const cells = variants
        ? byVariant(all, variants).map((one) => variantCell(one, set, style))
        : criterionCells(all[0], set, style);
      const isBadRow = all.some(({ result }) => isBad(result.verdict));
      rows.add([{ text: oneLine(safe(all[0].result.caseId), 48) }, ...cells], isBadRow);
    },
    format() {
      const format = (shown: readonly Cell[][]) =>
        variants ? formatVariants(shown, set, variants, style) : formatCriteria(shown, set, style);
      return { text: rows.format(format), warnings: warnings.list() };
    },
  };
}

function formatCriteria(rows: readonly Cell[][], set: RunSet, style: Style): string {
  const { colors, width } = style;
  const names = namedCriteria(set).map(({ name }) => safe(name));
  const header = (titles: readonly string[]) => headerCells(['case', ...titles, 'verdict'], style);
  const note = colors.dim('score (turns scored/turns that apply)');
  const named = [header(names), ...rows];
  const numbered = [header(names.map((_, index) => `(${index + 1})`)), ...rows];
  // Numbered columns are only used if they make the table fit.
  if (tableWidth(named) <= width || tableWidth(numbered) > width) return `${fitTable(named, width)}\n${note}\n`;
  const legend = names.map((name, index) => colors.dim(`(${index + 1}) ${name}\n`)).join('');
  return `${table(numbered)}\n${legend}${note}\n`;
}

/** In a narrow terminal, variants are placed below one another. */
function formatVariants(rows: readonly Cell[][], set: RunSet, names: readonly string[], style: Style): string {
  const criteria = namedCriteria(set).map(({ name }) => safe(name));
  const of = criteria.length === 0 ? '' : ` of ${criteria.join(', ')}`;
  const note = style.colors.dim(`verdict, and score (turns scored/turns that apply)${of}`);
  return `${fitTable([headerCells(['case', ...names], style), ...rows], style.width)}\n${note}\n`;
}

/** Collects rows up to the limit. If there are more, keeps only the rows of cases that did not pass. */
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

function criterionCells(one: RunCase, set: RunSet, style: Style): readonly Cell[] {
  const scores = resultsByCriterion(one.result, set).map(({ found, range }) => scoreCell(found, range, style));
  return [...scores, verdictCell(one, one.result.verdict, style)];
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
