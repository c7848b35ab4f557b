import { briefStatistics, statisticsSections } from '@agent-criteria/analysis/text';
import type { Problem } from '@agent-criteria/core';
import { counted, formatShare } from '@agent-criteria/core/host';
import {
  namedCriteria,
  type RunCase,
  type RunCriterion,
  type RunInfo,
  type RunRecord,
  type RunSet,
} from '@agent-criteria/results';
import { configSource, maskedNote, selectionText } from '@agent-criteria/results/text';
import { byCase } from './by-case.ts';
import { hasBadRepeat, isBad, ruleText, wasAborted } from './case-facts.ts';
import { caseTable } from './case-table.ts';
import { limitNote } from './endings.ts';
import { formatCase, LEGEND } from './format-case.ts';
import { usageLines } from './format-usage.ts';
import { consoleOutcome, decidedText } from './gates.ts';
import { problemText } from './problems.ts';
import { fitted } from './prose.ts';
import {
  countedAs,
  countsText,
  runProblems,
  selectionNote,
  summaryNotes,
  type VerdictPaint,
  variantCounts,
} from './run-notes.ts';
import { NO_TOTALS, type RunTotals, totalsOf } from './run-totals.ts';
import { simulatedNote } from './simulated-note.ts';
import { type ConsoleOptions, paintVerdict, type Style, styleOf } from './style.ts';
import { indent, safe } from './terminal.ts';

/**
 * Formats a whole run for a terminal: the criteria, the cases that did not pass and why, a line for each case, and the
 * counts.
 */
export async function* consoleReport(run: RunRecord, options: ConsoleOptions = {}): AsyncGenerator<string> {
  const style = styleOf(options);
  const { id, name } = run.info;
  if (name !== undefined) yield fitted(`Run ${safe(id)} "${style.colors.bold(safe(name))}"\n\n`, style);
  const decided = decidedText(run);
  if (decided !== null) yield fitted(`${style.colors.bold(safe(decided))}\n\n`, style);
  for (const problem of runProblems(run)) yield fitted(`${style.colors.yellow(problem)}\n\n`, style);
  const selection = selectionNote(run);
  if (selection !== null) yield fitted(`${selection}\n\n`, style);
  const warnings = formatWarnings(run.warnings, options);
  if (warnings !== '') yield `${warnings}\n`;
  for (const set of run.sets) {
    const { repeats, auto, compat } = run.info;
    const variants = run.info.variants?.map(({ name }) => name);
    const cases = set.summary.total / (variants?.length ?? 1);
    yield consolePlan(set, { cases, repeats, auto, variants, compat }, options);
  }
  yield* consoleFailures(run, options);
  for (const set of run.sets) {
    if (run.sets.length > 1) yield `${style.colors.bold(safe(set.id))}\n`;
    yield* consoleCases(run, set, options);
  }
  yield consoleSummary(run, options, await totalsOf(run, options.facts));
  yield consoleOutcome(run, options);
}

/** How often each case runs: the number of repeats, and the agents. */
interface PlannedTimes extends Partial<Pick<RunInfo, 'auto'>> {
  readonly repeats: number;
  /** The names of the agents, if there are several. Default: a single agent. */
  readonly variants?: readonly string[] | undefined;
}

/** Formats `, each with fast and slow, 3 repeats each`. Empty if each case runs only once. */
export function timesText({ repeats, auto, variants = [] }: PlannedTimes): string {
  const [last = '', ...others] = variants.map(safe).reverse();
  const names = others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
  return `${names === '' ? '' : `, each with ${names}`}${repeats > 1 ? `, ${auto ? 'up to ' : ''}${repeats} repeats each` : ''}`;
}

/** Introduces a set: the number of cases, its file, and its criteria. */
export function consolePlan(
  set: Pick<RunSet, 'id' | 'file' | 'configFile' | 'criteria'>,
  run: PlannedTimes & { readonly cases: number; readonly compat: 'adk' | null },
  options: ConsoleOptions = {},
): string {
  const style = styleOf(options);
  const times = timesText(run);
  const count = `${counted(run.cases, 'case')}${times}`;
  const from = set.file === null ? '' : `${times === '' ? '' : ','} from ${safe(set.file)}`;
  const source = configSource(set);
  const config = source === null ? '' : ` (${safe(source)})`;
  const compat = run.compat === 'adk' ? ', with the numbers of ADK Python' : '';
  const rules = namedCriteria(set).map(criterionRule).join(', ') || 'nothing yet';
  return fitted(`${style.colors.bold(safe(set.id))}: ${count}${from}\njudged by ${rules}${config}${compat}\n\n`, style);
}

/** Formats a criterion with its threshold, as `response_match_score >= 0.8`. */
export function criterionRule(criterion: Pick<RunCriterion, 'name' | 'threshold' | 'range' | 'minCoverage'>): string {
  const name = safe(criterion.name);
  if (criterion.threshold === null) return `${name} (${ruleText(criterion)})`;
  const coverage = criterion.minCoverage < 1 ? ` with at least ${formatShare(criterion.minCoverage)} scored` : '';
  return `${name} ${ruleText(criterion)}${coverage}`;
}

/**
 * Formats the table of a set's cases, and the criteria's warnings. With `detailed`, they follow every case that passed,
 * in full.
 */
export async function* consoleCases(run: RunRecord, set: RunSet, options: ConsoleOptions = {}): AsyncGenerator<string> {
  const style = styleOf(options);
  const rows = caseTable(
    set,
    run.info.variants?.map(({ name }) => name),
    style,
  );
  for await (const one of style.detailed ? run.cases(set.id) : []) {
    // The other cases have already been shown.
    if (!isBad(one.result.verdict) && !hasBadRepeat(one)) yield fitted(`${formatCase(set, one, style)}\n`, style);
  }
  for await (const all of byCase(run.cases(set.id))) rows.add(all);
  const { text, warnings } = rows.format();
  yield fitted(text, style);
  if (warnings.length > 0) yield `${formatWarnings(warnings, options)}\n`;
}

/** Formats in full the cases that did not pass, followed by those that passed, but not in every repeat. */
export async function* consoleFailures(run: RunRecord, options: ConsoleOptions = {}): AsyncGenerator<string> {
  const style = styleOf(options);
  let aborted = 0;
  const didNotPass = (one: RunCase) => {
    if (!isBad(one.result.verdict)) return false;
    if (!wasAborted(one)) return true;
    aborted += 1;
    return false;
  };
  const title = fitted(`Did not pass ${style.colors.dim(`(${LEGEND})`)}:\n\n`, style);
  yield* casesInFull(run, style, { which: didNotPass, title, didNot: 'did not pass' });
  // The verdict alone does not show what a failed repeat answered.
  if (run.info.repeats > 1) {
    const flaky = { title: 'Passed, but not in every repeat:\n\n', didNot: 'did not pass in every repeat' };
    yield* casesInFull(run, style, { which: hasBadRepeat, ...flaky });
  }
  if (aborted > 0) yield `${aborted} ${aborted === 1 ? 'case was' : 'cases were'} not finished.\n\n`;
}

interface CasesInFull {
  readonly which: (one: RunCase) => boolean;
  readonly title: string;
  /** Completes the sentence that counts the cases beyond the limit. */
  readonly didNot: string;
}

async function* casesInFull(
  run: RunRecord,
  style: Style,
  { which, title, didNot }: CasesInFull,
): AsyncGenerator<string> {
  let [shown, unlisted] = [0, 0];
  for (const set of run.sets) {
    for await (const one of run.cases(set.id)) {
      if (!which(one)) continue;
      if (!style.detailed && shown >= style.limit) {
        unlisted += 1;
        continue;
      }
      if (shown === 0) yield title;
      shown += 1;
      const place = run.sets.length > 1 ? style.colors.dim(`${safe(set.id)}, `) : '';
      yield fitted(`${place}${formatCase(set, one, style)}\n`, style);
    }
  }
  if (unlisted > 0) yield `… and ${counted(unlisted, 'more case')} that ${didNot}.\n\n`;
}

/**
 * Formats the last lines: the counts of verdicts, the usage, and notes.
 *
 * @param totals The totals over all cases, from `totalsOf`. Default: only counts are shown.
 */
export function consoleSummary(
  run: RunRecord,
  options: ConsoleOptions = {},
  { usage, endings, simulated, masked, maskedCases, statistics }: RunTotals = { ...NO_TOTALS, statistics: [] },
): string {
  const style = styleOf(options);
  const paint: VerdictPaint = (verdict, text) => paintVerdict(verdict, style, text);
  const counts = countsText(run.summary, paint, countedAs(run));
  const { variants = [] } = run.info;
  const counted = variantCounts(run, paint);
  const sections = options.brief === true ? briefStatistics(statistics, safe) : statisticsSections(statistics, safe);
  const linesOf = (name: string | undefined) =>
    sections
      .filter(({ variant }) => variant === name)
      .flatMap(({ lines }) => lines.map((line) => style.colors.dim(line)));
  const ofVariants = variants.flatMap(({ name }, index) => {
    // With only one variant, its usage is the total.
    const used = variants.length === 1 ? {} : (usage.variants?.[name] ?? {});
    const own = variants.length > 1 ? linesOf(name) : [];
    return [counted[index] ?? '', ...[...own, ...usageLines(used, 2, style)].map((line) => indent(line, 2))];
  });
  const whole = linesOf(variants.length > 1 ? undefined : variants[0]?.name);
  const limited = limitNote(endings);
  const tools = simulatedNote(simulated, safe);
  const hidden = maskedNote(masked, maskedCases, (id) => `"${safe(id)}"`);
  const chosen = selectionText(run);
  const notes = [
    ...(limited === null ? [] : [style.colors.yellow(limited)]),
    ...(tools === null ? [] : [style.colors.yellow(tools)]),
    ...(hidden === null ? [] : [style.colors.yellow(hidden)]),
    ...(chosen === null ? [] : [`${safe(chosen)}.`]),
    ...summaryNotes(run.summary),
    ...runProblems(run).map((problem) => style.colors.yellow(problem)),
  ];
  const lines = [...ofVariants, counts, ...whole, ...usageLines(usage, 0, style), ...notes];
  return fitted(lines.map((line) => `${line}\n`).join(''), style);
}

/** Formats warnings, one per line. */
export function formatWarnings(
  warnings: readonly Problem[],
  options: Pick<ConsoleOptions, 'color' | 'width'> = {},
): string {
  const style = styleOf(options);
  const lines = warnings.map((warning) => `${style.colors.yellow('warning')}: ${problemText(warning)}\n`);
  return fitted(lines.join(''), style);
}
