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
import { hasBadRepeat, isBad, ruleText, wasAborted } from './case-facts.ts';
import { caseTable, variantTable } from './case-table.ts';
import { limitNote } from './endings.ts';
import { formatCase, LEGEND } from './format-case.ts';
import { usageLines } from './format-usage.ts';
import { consoleOutcome, decidedText } from './gates.ts';
import { type ConsoleOptions, type Look, lookOf, paintVerdict } from './look.ts';
import { problemText } from './problem-text.ts';
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
import { fit, indent, safe } from './terminal.ts';

/** A whole run for a terminal: what was judged by what, what did not pass and why, a line for each case, the counts. */
export async function* consoleReport(run: RunRecord, options: ConsoleOptions = {}): AsyncGenerator<string> {
  const look = lookOf(options);
  const decided = decidedText(run);
  if (decided !== null) yield fit(`${look.colors.bold(safe(decided))}\n\n`, look.width, look.longest);
  for (const problem of runProblems(run)) yield fit(`${look.colors.yellow(problem)}\n\n`, look.width, look.longest);
  const selection = selectionNote(run);
  if (selection !== null) yield fit(`${selection}\n\n`, look.width, look.longest);
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
    if (run.sets.length > 1) yield `${look.colors.bold(safe(set.id))}\n`;
    yield* consoleCases(run, set, options);
  }
  yield consoleSummary(run, options, await totalsOf(run, options.facts));
  yield consoleOutcome(run, options);
}

/** How often each case runs, and with which agents. */
interface PlannedTimes extends Partial<Pick<RunInfo, 'auto'>> {
  readonly repeats: number;
  /** The names of several agents. Default: there is one. */
  readonly variants?: readonly string[] | undefined;
}

/** `, each with fast and slow, 3 repeats each`; nothing where each case runs once. */
export function timesText({ repeats, auto, variants = [] }: PlannedTimes): string {
  const [last = '', ...others] = variants.map(safe).reverse();
  const names = others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
  return `${names === '' ? '' : `, each with ${names}`}${repeats > 1 ? `, ${auto ? 'up to ' : ''}${repeats} repeats each` : ''}`;
}

/** What is said of a set before its cases: how many there are, where from, and by what they are judged. */
export function consolePlan(
  set: Pick<RunSet, 'id' | 'file' | 'configFile' | 'criteria'>,
  run: PlannedTimes & { readonly cases: number; readonly compat: 'adk' | null },
  options: ConsoleOptions = {},
): string {
  const { colors, width, longest } = lookOf(options);
  const times = timesText(run);
  const count = `${counted(run.cases, 'case')}${times}`;
  const from = set.file === null ? '' : `${times === '' ? '' : ','} from ${safe(set.file)}`;
  const source = configSource(set);
  const config = source === null ? '' : ` (${safe(source)})`;
  const compat = run.compat === 'adk' ? ', with the numbers of ADK Python' : '';
  const rules = namedCriteria(set).map(criterionRule).join(', ') || 'nothing yet';
  return fit(`${colors.bold(safe(set.id))}: ${count}${from}\njudged by ${rules}${config}${compat}\n\n`, width, longest);
}

/** A criterion with its threshold: `response_match_score >= 0.8`. */
export function criterionRule(criterion: Pick<RunCriterion, 'name' | 'threshold' | 'range' | 'minCoverage'>): string {
  const name = safe(criterion.name);
  if (criterion.threshold === null) return `${name} (${ruleText(criterion)})`;
  const coverage = criterion.minCoverage < 1 ? ` with at least ${formatShare(criterion.minCoverage)} scored` : '';
  return `${name} ${ruleText(criterion)}${coverage}`;
}

/** The table of a set's cases and what criteria warn of; with `detailed`, before it every case that is well in full. */
export async function* consoleCases(run: RunRecord, set: RunSet, options: ConsoleOptions = {}): AsyncGenerator<string> {
  const look = lookOf(options);
  const { variants } = run.info;
  const rows =
    variants === undefined
      ? caseTable(set, look)
      : variantTable(
          set,
          variants.map(({ name }) => name),
          look,
        );
  for await (const one of look.detailed ? run.cases(set.id) : []) {
    // Those that are not well stand above already.
    if (!isBad(one.result.verdict) && !hasBadRepeat(one))
      yield fit(`${formatCase(set, one, look)}\n`, look.width, look.longest);
  }
  // Cases that the run did not come to are counted at its end.
  for await (const one of run.cases(set.id)) if (variants !== undefined || !wasAborted(one)) rows.add(one);
  const { text, warnings } = rows.format();
  yield fit(text, look.width, look.longest);
  if (warnings.length > 0) yield `${formatWarnings(warnings, options)}\n`;
}

/** Every case that did not pass, in full; then those that passed, but not in every repeat. */
export async function* consoleFailures(run: RunRecord, options: ConsoleOptions = {}): AsyncGenerator<string> {
  const look = lookOf(options);
  let aborted = 0;
  const didNotPass = (one: RunCase) => {
    if (!isBad(one.result.verdict)) return false;
    if (!wasAborted(one)) return true;
    aborted += 1;
    return false;
  };
  const title = fit(`Did not pass ${look.colors.dim(`(${LEGEND})`)}:\n\n`, look.width, look.longest);
  yield* casesInFull(run, look, { which: didNotPass, title, didNot: 'did not pass' });
  // The verdict alone does not show what a repeat that failed answered.
  if (run.info.repeats > 1) {
    const flaky = { title: 'Passed, but not in every repeat:\n\n', didNot: 'did not pass in every repeat' };
    yield* casesInFull(run, look, { which: hasBadRepeat, ...flaky });
  }
  if (aborted > 0) yield `${aborted} ${aborted === 1 ? 'case was' : 'cases were'} not finished.\n\n`;
}

interface CasesInFull {
  readonly which: (one: RunCase) => boolean;
  readonly title: string;
  /** The rest of the sentence that counts those beyond the limit. */
  readonly didNot: string;
}

async function* casesInFull(run: RunRecord, look: Look, { which, title, didNot }: CasesInFull): AsyncGenerator<string> {
  let [shown, unlisted] = [0, 0];
  for (const set of run.sets) {
    for await (const one of run.cases(set.id)) {
      if (!which(one)) continue;
      if (!look.detailed && shown >= look.limit) {
        unlisted += 1;
        continue;
      }
      if (shown === 0) yield title;
      shown += 1;
      const place = run.sets.length > 1 ? look.colors.dim(`${safe(set.id)}, `) : '';
      yield fit(`${place}${formatCase(set, one, look)}\n`, look.width, look.longest);
    }
  }
  if (unlisted > 0) yield `… and ${counted(unlisted, 'more case')} that ${didNot}.\n\n`;
}

/**
 * The last lines: how many of each verdict, what the calls to models and services took, and what the counts do not say.
 *
 * @param totals Of all cases, as `totalsOf` gives them. Default: the counts stand alone.
 */
export function consoleSummary(
  run: RunRecord,
  options: ConsoleOptions = {},
  { usage, endings, masked, maskedCases, statistics }: RunTotals = { ...NO_TOTALS, statistics: [] },
): string {
  const look = lookOf(options);
  const paint: VerdictPaint = (verdict, text) => paintVerdict(verdict, look, text);
  const counts = countsText(run.summary, paint, countedAs(run));
  const { variants = [] } = run.info;
  const counted = variantCounts(run, paint);
  const sections = options.brief === true ? briefStatistics(statistics, safe) : statisticsSections(statistics, safe);
  const linesOf = (name: string | undefined) =>
    sections
      .filter(({ variant }) => variant === name)
      .flatMap(({ lines }) => lines.map((line) => look.colors.dim(line)));
  const ofVariants = variants.flatMap(({ name }, index) => {
    // Of one alone, it is the total.
    const used = variants.length === 1 ? {} : (usage.variants?.[name] ?? {});
    const own = variants.length > 1 ? linesOf(name) : [];
    return [counted[index] ?? '', ...[...own, ...usageLines(used, 2, look)].map((line) => indent(line, 2))];
  });
  const whole = linesOf(variants.length > 1 ? undefined : variants[0]?.name);
  const limited = limitNote(endings);
  const hidden = maskedNote(masked, maskedCases, (id) => `"${safe(id)}"`);
  const chosen = selectionText(run);
  const notes = [
    ...(limited === null ? [] : [look.colors.yellow(limited)]),
    ...(hidden === null ? [] : [look.colors.yellow(hidden)]),
    ...(chosen === null ? [] : [`${safe(chosen)}.`]),
    ...summaryNotes(run.summary),
    ...runProblems(run).map((problem) => look.colors.yellow(problem)),
  ];
  return fit(
    [...ofVariants, counts, ...whole, ...usageLines(usage, 0, look), ...notes].map((line) => `${line}\n`).join(''),
    look.width,
    look.longest,
  );
}

/** Warnings, one a line. */
export function formatWarnings(
  warnings: readonly Problem[],
  options: Pick<ConsoleOptions, 'color' | 'width'> = {},
): string {
  const { colors, width, longest } = lookOf(options);
  return fit(
    warnings.map((warning) => `${colors.yellow('warning')}: ${problemText(warning)}\n`).join(''),
    width,
    longest,
  );
}
