import { counted } from '@agent-criteria/core/host';
import { namedCriteria, type RunCase, type RunSet } from '@agent-criteria/results';
import { coverageText, isBad, missingText, repeatsText, resultScore, wasAborted } from './case-facts.ts';
import { limitText } from './endings.ts';
import { type CaseTable, caseWarnings } from './format-table.ts';
import { type Look, paintVerdict } from './look.ts';
import { type Cell, fitTable, oneLine, safe } from './terminal.ts';

/**
 * The cases of a set as a table with one column for each variant; where a terminal is too narrow for it, variants are below each
 * other. Takes every variant of a case before the next case.
 */
export function variantTable(set: RunSet, names: readonly string[], look: Look): CaseTable {
  const { colors, limit } = look;
  const good: Cell[][] = [];
  const bad: Cell[][] = [];
  const warnings = caseWarnings();
  let [total, badTotal] = [0, 0];
  let current: RunCase[] = [];

  function endRow(): void {
    const [first] = current;
    if (first === undefined || current.every(wasAborted)) return;
    total += 1;
    const cells = names.map((name) =>
      cellOf(
        current.find(({ variant }) => variant === name),
        set,
        look,
      ),
    );
    const row = [{ text: oneLine(safe(first.evalCase.evalId), 48) }, ...cells];
    if (current.some(({ result }) => isBad(result.verdict))) {
      badTotal += 1;
      if (bad.length < limit) bad.push(row);
    } else if (total <= limit) good.push(row);
  }

  function formatRows(rows: readonly Cell[][]): string {
    if (rows.length === 0) return '';
    const header = ['case', ...names].map((text) => ({ text, paint: colors.dim }));
    const criteria = namedCriteria(set).map(({ name }) => safe(name));
    const of = criteria.length === 0 ? '' : ` of ${criteria.join(', ')}`;
    return `${fitTable([header, ...rows], look.width)}\n${colors.dim(`verdict, and score (turns scored/turns that apply)${of}`)}\n`;
  }

  return {
    add(one) {
      if (current[0] !== undefined && current[0].evalCase.evalId !== one.evalCase.evalId) {
        endRow();
        current = [];
      }
      current.push(one);
      warnings.add(one);
    },
    format() {
      endRow();
      current = [];
      if (total <= limit) return { text: `${formatRows([...bad, ...good])}\n`, warnings: warnings.list() };
      const which = bad.length < badTotal ? `the first ${bad.length} of ${badTotal} that` : `the ${badTotal} that`;
      const listed = `only ${which} did not pass with every variant ${badTotal === 1 ? 'is' : 'are'} listed`;
      const said = badTotal === 0 ? 'all of them passed with every variant' : listed;
      return {
        text: `${formatRows(bad)}${colors.dim(`${counted(total, 'case')}; ${said}`)}\n\n`,
        warnings: warnings.list(),
      };
    },
  };
}

function cellOf(one: RunCase | undefined, set: RunSet, look: Look): Cell {
  if (one === undefined || wasAborted(one)) return { text: 'not finished' };
  const { result } = one;
  const text = `${result.verdict}${scoresText(one, set)}${repeatsText(result)}${limitText(one)}`;
  return { text, paint: (plain) => paintVerdict(result.verdict, look, plain) };
}

/** ` 0.5 (1/2), 1 (2/2)`: of the criteria of the set, in their order. */
export function scoresText({ result }: Pick<RunCase, 'result'>, set: RunSet): string {
  if (result.criteria.length === 0) return '';
  const scores = namedCriteria(set).map(({ name, range }) => {
    const found = result.criteria.find((criterion) => criterion.name === name);
    if (found === undefined) return '-';
    return found.score === null ? missingText(found) : `${resultScore(found, range)} (${coverageText(found)})`;
  });
  return scores.length === 0 ? '' : ` ${scores.join(', ')}`;
}
