import {
  type CaseResult,
  type CriterionResult,
  formatProblem,
  type Plan,
  type PlannedCriterion,
  type Problem,
  type Summary,
  type Verdict,
} from '@agent-criteria/core';
import type { EvaluatedSet } from './evaluated-set.ts';
import { type Io, painter } from './io.ts';
import { paintVerdict } from './paint-verdict.ts';
import { formatScore } from './print-score.ts';
import { type Cell, oneLine, safe, table, tableWidth } from './terminal.ts';

/** A table wider than this has numbers in place of names in its header. */
const WIDEST = 120;

export function printWarnings(warnings: readonly Problem[], io: Io): void {
  const colors = painter(io);
  for (const warning of warnings) io.err(`${colors.yellow('warning')}: ${safe(formatProblem(warning))}\n`);
}

/** What is going to run and by what it is judged. */
export function printPlan(set: Pick<EvaluatedSet, 'file' | 'configFile' | 'plan'>, repeats: number, io: Io): void {
  const { plan } = set;
  const { evalSetId, evalCases } = plan.evalSet;
  const colors = painter(io);
  const count = `${evalCases.length} ${evalCases.length === 1 ? 'case' : 'cases'}${repeats > 1 ? `, ${repeats} times each` : ''}`;
  const source = set.configFile ?? "ADK's defaults: there is no test_config.json beside the eval set";
  io.out(`${colors.bold(safe(evalSetId))}: ${count} from ${safe(set.file)}\n`);
  io.out(`judged by ${plan.criteria.map(formatRule).join(', ')} (${safe(source)})`);
  io.out(`${plan.compat === 'adk' ? ', with the numbers of ADK Python' : ''}\n\n`);
}

function formatRule(planned: PlannedCriterion): string {
  const name = safe(planned.name);
  if (planned.threshold === null) return `${name} (only measured)`;
  const coverage = planned.minCoverage < 1 ? ` with at least ${planned.minCoverage * 100} % scored` : '';
  return `${name} ${planned.criterion.range.better === 'higher' ? '>=' : '<='} ${planned.threshold}${coverage}`;
}

/** Every case on a line, and what criteria warn of. */
export function printTable(set: EvaluatedSet, io: Io): void {
  const { plan, cases } = set;
  const colors = painter(io);
  const names = plan.criteria.map((planned) => safe(planned.name));
  const header = (titles: readonly string[]) =>
    ['case', ...titles, 'verdict'].map((text) => ({ text, paint: colors.dim }));
  const rows = cases.map((result) => rowOf(result, plan, io));
  const wide = tableWidth([header(names), ...rows]) > WIDEST;
  const titles = wide ? names.map((_, index) => `(${index + 1})`) : names;
  io.out(`${table([header(titles), ...rows])}\n`);
  const legend = wide ? names.map((name, index) => `(${index + 1}) ${name}\n`).join('') : '';
  io.out(`${colors.dim(`${legend}score (turns scored/turns that apply)`)}\n\n`);
  printWarnings(caseWarnings(cases), io);
}

function rowOf(result: CaseResult, plan: Plan, io: Io): Cell[] {
  const passed = result.units.filter((unit) => unit.verdict === 'passed').length;
  const repeats = result.units.length > 1 ? `, ${passed} of ${result.units.length} repeats passed` : '';
  return [
    { text: oneLine(result.caseId, 48) },
    ...plan.criteria.map((planned) =>
      cellOf(
        result.criteria.find(({ name }) => name === planned.name),
        io,
      ),
    ),
    { text: `${result.verdict}${repeats}`, paint: (text) => paintVerdict(result.verdict, io, text) },
  ];
}

function cellOf(result: CriterionResult | undefined, io: Io): Cell {
  if (result === undefined) return { text: '-' };
  const { verdict, score, threshold, coverage, counts } = result;
  if (verdict === 'skipped') return { text: 'skipped' };
  const apply = counts.scored + counts.couldNotJudge;
  // Turns that were scored in part count as scored: then the share says more.
  const partly = coverage !== null && Math.abs(coverage * apply - counts.scored) > 1e-9;
  const share = partly ? `, ${Math.floor(coverage * 1000) / 10} %` : '';
  const text = `${formatScore(score, threshold)} (${counts.scored}/${apply}${share})`;
  const judged = verdict === 'failed' || verdict === 'not-evaluated';
  return { text, paint: judged ? (plain) => paintVerdict(verdict, io, plain) : undefined };
}

/** Warnings of criteria, each once with the cases. */
function caseWarnings(cases: readonly CaseResult[]): Problem[] {
  const seen = new Map<string, string[]>();
  for (const result of cases) {
    for (const criterion of result.criteria) {
      for (const warning of criterion.warnings) {
        const text = `${criterion.name}: ${warning}`;
        const ids = seen.get(text) ?? [];
        ids.push(result.caseId);
        seen.set(text, ids);
      }
    }
  }
  return [...seen].map(([text, ids]) => {
    const more = ids.length > 3 ? ` and ${ids.length - 3} more` : '';
    return { code: 'INVALID_DATA', message: `${text} (${ids.slice(0, 3).join(', ')}${more})` };
  });
}

/** The last line: how many of each verdict. */
export function printSummary(summary: Summary, io: Io): void {
  const verdicts = Object.entries(summary.verdicts) as [Verdict, number][];
  const parts = verdicts
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => paintVerdict(verdict, io, `${count} ${verdict}`));
  io.out(`${parts.join(', ') || '0'} of ${summary.total} ${summary.total === 1 ? 'case' : 'cases'}\n`);
  if (summary.nothingJudged) io.out('Nothing was judged: every criterion of this config only measures.\n');
}
