import { type StatisticsSection, statisticsSections } from '@agent-criteria/analysis/text';
import type { Range } from '@agent-criteria/core';
import { type CriterionResult, counted, type Verdict } from '@agent-criteria/core/host';
import { formatProblem } from '@agent-criteria/formats';
import {
  type GateRecord,
  namedCriteria,
  type RunCase,
  type RunRecord,
  type RunSet,
  type RunUsage,
} from '@agent-criteria/results';
import {
  commitText,
  gateTitle,
  gateWord,
  maskedNote,
  selectionText,
  shownOutcome,
  usageText,
} from '@agent-criteria/results/text';
import { byCase } from './by-case.ts';
import {
  byVariant,
  coverageText,
  hasBadRepeat,
  isBad,
  missingText,
  repeatsText,
  resultScore,
  resultsByCriterion,
  ruleText,
  scoresText,
  wasAborted,
} from './case-facts.ts';
import { markdownTable } from './document.ts';
import { limitNote, limitText } from './endings.ts';
import { fenced, htmlCode, inlineCode, inlineText, markdownRows } from './escape-markdown.ts';
import { formatCase, LEGEND } from './format-case.ts';
import { usedBy } from './format-usage.ts';
import { baselineText } from './gates.ts';
import { truncate } from './prose.ts';
import { countedAs, countsText, runProblems, selectionNote, summaryNotes } from './run-notes.ts';
import { totalsOf } from './run-totals.ts';
import { simulatedNote } from './simulated-note.ts';
import { type ConsoleOptions, styleOf } from './style.ts';

/** Options of the Markdown report. */
export interface MarkdownOptions extends Pick<ConsoleOptions, 'command' | 'facts'> {
  /** The maximum number of cases in each table, and of cases in full. Default 200. */
  readonly limit?: number | undefined;
  /**
   * The maximum size in bytes of UTF-8. Default 1,000,000, because GitHub rejects summaries of more than 1 MiB. A
   * comment may have at most 65,536 characters.
   */
  readonly bytes?: number | undefined;
}

const WARNINGS_SHOWN = 20;
/** The maximum length of a case shown in full, in characters. */
const LONGEST_CASE = 20_000;

const SIGNS: Readonly<Record<Verdict, string>> = {
  passed: '✅',
  failed: '❌',
  'not-evaluated': '⚠️',
  error: '💥',
  informational: 'ℹ️',
};

/** A piece of the report, with the text that must close the report if nothing follows this piece. */
interface Piece {
  readonly text: string;
  readonly end?: string;
}

/**
 * Generates Markdown for a run, for a GitHub summary or a comment: the verdict, then for each set the cases that did
 * not pass, with reasons and differences, and the rest folded. Whatever exceeds the size limit is left out, and the
 * report notes that.
 */
export async function* markdownReport(run: RunRecord, options: MarkdownOptions = {}): AsyncGenerator<string> {
  const { limit = 200, bytes = 1_000_000 } = options;
  const note = `\n> [!WARNING]\n> The report ends here, because it is limited to ${bytes} bytes. The run has the rest.\n`;
  let left = bytes - Buffer.byteLength(note);
  let end = '';
  for await (const piece of pieces(run, { ...options, limit })) {
    const size = Buffer.byteLength(piece.text);
    if (size + Buffer.byteLength(piece.end ?? '') > left) {
      yield end + note;
      return;
    }
    left -= size;
    end = piece.end ?? '';
    yield piece.text;
  }
}

type Options = MarkdownOptions & { readonly limit: number };

async function* pieces(run: RunRecord, options: Options): AsyncGenerator<Piece> {
  const { summary, warnings } = run;
  const { verdict, headline, gates, problems, notes } = shownOutcome(run);
  const {
    usage: total,
    endings,
    simulated,
    masked: hidden,
    maskedCases,
    statistics,
  } = await totalsOf(run, options.facts);
  yield { text: `## ${verdict === 'cannot-tell' ? '⚠️ cannot tell' : `${SIGNS[verdict]} ${verdict}`}: ${headline}\n\n` };
  for (const problem of problems) yield banner('WARNING', `**${inlineText(problem, 1000)}**`);
  for (const note of notes) yield banner('NOTE', inlineText(note, 1000));
  if (gates.length > 0) yield { text: gateTable(gates) };
  for (const { name, agent, summary: own } of run.info.variants ?? []) {
    const of = `${inlineCode(name, 100)}: ${SIGNS[own.verdict]} ${countsText(own)}`;
    yield { text: `- ${of} (agent ${inlineCode(agent, 200)})\n${usageList(total.variants?.[name] ?? {}, 2)}` };
  }
  if (run.info.variants !== undefined) yield { text: '\n' };
  for (const problem of runProblems(run)) yield banner('WARNING', `**${problem}**`);
  const chosen = selectionText(run);
  for (const note of [
    selectionNote(run),
    chosen === null ? null : inlineCode(chosen, 500),
    ...summaryNotes(summary),
    limitNote(endings),
    simulatedNote(simulated, (name) => inlineCode(name, 80)),
    maskedNote(hidden, maskedCases, (id) => inlineCode(id, 80)),
  ]) {
    if (note !== null) yield banner('NOTE', note);
  }
  yield { text: `${factsOf(run)}\n\n` };
  for (const section of statisticsSections(statistics, (text) => inlineCode(text, 100))) {
    yield { text: statisticsList(section) };
  }
  const used = usageList(total, 0);
  if (used !== '') yield { text: `${used}\n` };
  for (const warning of warnings.slice(0, WARNINGS_SHOWN)) {
    yield { text: `- warning: ${inlineCode(formatProblem(warning), 500)}\n` };
  }
  if (warnings.length > WARNINGS_SHOWN) {
    yield { text: `- … and ${counted(warnings.length - WARNINGS_SHOWN, 'more warning')}\n` };
  }
  for (const set of run.sets) yield* setPieces(run, set, options);
}

function banner(kind: 'NOTE' | 'WARNING', text: string): Piece {
  return { text: `> [!${kind}]\n> ${text}\n\n` };
}

const GATE_SIGNS = { holds: '✅', 'does not hold': '❌', 'cannot tell': '⚠️' } as const;

function gateTable(gates: readonly GateRecord[]): string {
  const rows = gates.map((gate) => {
    const word = gateWord(gate);
    const baseline = baselineText(gate);
    const why = [gate.text, ...(baseline === null ? [] : [baseline])].join('; ');
    return [inlineCode(gateTitle(gate), 120), `${GATE_SIGNS[word]} ${word}`, inlineText(why, 1000)];
  });
  return `${markdownTable({ head: ['gate', '', 'why'], rows })}\n`;
}

function statisticsList({ variant, lines }: StatisticsSection): string {
  const of = variant === undefined ? '' : `${inlineCode(variant, 100)}: `;
  return `${lines.map((line) => `- ${of}${line}\n`).join('')}\n`;
}

function usageList(usage: RunUsage, margin: number): string {
  const lines = usedBy(usage).map(([role, own]) => `- ${role}: ${inlineCode(usageText(own), 500)}\n`);
  return lines.map((line) => ' '.repeat(margin) + line).join('');
}

function factsOf({ info }: RunRecord): string {
  const repeats = info.repeats > 1 ? `, ${info.auto ? 'up to ' : ''}${info.repeats} repeats of each case` : '';
  const compat = info.compat === 'adk' ? ', with the numbers of ADK Python' : '';
  const agent = info.variants === undefined ? `Agent ${inlineCode(info.agent, 200)}, run` : 'Run';
  const name = info.name === undefined ? '' : ` "${inlineText(info.name, 100)}"`;
  const commit = info.commit === undefined ? '' : `, commit ${inlineCode(commitText(info.commit), 100)}`;
  return `${agent} ${inlineCode(info.id, 100)}${name}${commit}${repeats}${compat}.`;
}

async function* setPieces(run: RunRecord, set: RunSet, options: Options): AsyncGenerator<Piece> {
  const { nothingJudged } = set.summary;
  const rules = namedCriteria(set).map((criterion) => inlineCode(`${criterion.name} ${ruleText(criterion)}`, 120));
  const notes = run.sets.length > 1 && nothingJudged ? summaryNotes(set.summary) : [];
  yield {
    text: `\n### ${inlineCode(set.id, 100)}: ${countsText(set.summary, undefined, countedAs(run))}\n\njudged by ${rules.join(', ') || 'nothing yet'}\n\n`,
  };
  for (const text of notes) yield { text: `${text}\n\n` };
  const { good, bad } = await countRows(run, set);
  if (bad > 0) {
    yield* rows(run, set, { ...options, which: isBadRow, of: bad });
    yield { text: '\n' };
  }
  yield* casesInFull(run, set, options);
  if (good === 0) return;
  const end = '\n</details>\n';
  yield { text: `<details><summary>${foldedTitle(good, good + bad)}</summary>\n\n`, end };
  const which = (all: readonly RunCase[]) => !isBadRow(all);
  for await (const { text } of rows(run, set, { ...options, which, of: good })) yield { text, end };
  yield { text: end };
}

/** Counts cases as good, if they passed or are informational in every variant, or else as bad. */
async function countRows(run: RunRecord, set: RunSet): Promise<{ readonly good: number; readonly bad: number }> {
  if (run.info.variants === undefined) {
    const { verdicts, total } = set.summary;
    const good = verdicts.passed + verdicts.informational;
    return { good: run.info.onlyFailed === true ? 0 : good, bad: total - good };
  }
  let [good, bad] = [0, 0];
  for await (const all of byCase(run.cases(set.id))) {
    if (isBadRow(all)) bad += 1;
    else good += 1;
  }
  return { good, bad };
}

function isBadRow(variants: readonly RunCase[]): boolean {
  return variants.some(({ result }) => isBad(result.verdict));
}

interface WhichRows extends Options {
  readonly which: (variants: readonly RunCase[]) => boolean;
  /** The total number of these rows. */
  readonly of: number;
}

/** Formats a table of cases, with one column for each variant or, if there is only one agent, for each criterion. */
async function* rows(run: RunRecord, set: RunSet, { which, limit, of }: WhichRows): AsyncGenerator<Piece> {
  const names = run.info.variants?.map(({ name }) => name);
  const columns = names ?? namedCriteria(set).map(({ name }) => name);
  const header = ['case', ...columns.map((name) => inlineCode(name, 80)), ...(names ? [] : ['verdict', 'why'])];
  yield { text: markdownRows([header, header.map(() => '---')]) };
  let shown = 0;
  for await (const all of byCase(run.cases(set.id))) {
    if (!which(all)) continue;
    if (shown === limit) break;
    shown += 1;
    const cells = names ? byVariant(all, names).map((one) => variantCell(one, set)) : criterionCells(set, all[0]);
    yield { text: markdownRows([[inlineCode(all[0].result.caseId, 80), ...cells]]) };
  }
  if (shown < of) yield { text: `\n… and ${of - shown} more\n` };
}

function variantCell(one: RunCase | undefined, set: RunSet): string {
  return one === undefined ? '' : verdictCell(one, scoresText(one, set));
}

function criterionCells(set: RunSet, one: RunCase): readonly string[] {
  const { reason } = one.result;
  const scores = resultsByCriterion(one.result, set).map(({ found, range }) => scoreCell(found, range));
  return [...scores, verdictCell(one, ''), reason === undefined ? '' : inlineCode(reason, 160)];
}

function verdictCell(one: RunCase, scores: string): string {
  const { verdict } = one.result;
  return `${SIGNS[verdict]} ${verdict}${scores}${repeatsText(one.result)}${limitText(one)}`;
}

function scoreCell(result: CriterionResult | undefined, range: Range): string {
  if (result === undefined) return 'not scored';
  if (result.score === null) return missingText(result);
  return `${resultScore(result, range)} (${coverageText(result)})`;
}

function foldedTitle(good: number, total: number): string {
  if (good === 1) return total === 1 ? 'The case' : 'The other case';
  return `${good === total ? 'All' : 'The other'} ${good} cases`;
}

/**
 * Writes cases that did not pass, or not in every repeat, folded, as the console shows them. Leaves out aborted cases
 * and those beyond the limit, and truncates long ones.
 */
async function* casesInFull(run: RunRecord, set: RunSet, options: Options): AsyncGenerator<Piece> {
  const style = styleOf(options);
  let shown = 0;
  for await (const one of run.cases(set.id)) {
    if (!(isBad(one.result.verdict) || hasBadRepeat(one)) || wasAborted(one)) continue;
    if (shown === 0) yield { text: `In full (\`${LEGEND}\`):\n\n` };
    // The rest are counted below the table.
    if (shown === options.limit) break;
    shown += 1;
    const { caseId, verdict } = one.result;
    const text = truncate(formatCase(set, one, style), LONGEST_CASE);
    const byWhom = one.variant === undefined ? '' : ` (${htmlCode(one.variant, 100)})`;
    const summary = `${htmlCode(caseId, 100)}${byWhom}: ${verdict}${repeatsText(one.result)}`;
    yield { text: `<details><summary>${summary}</summary>\n\n${fenced(text)}\n</details>\n` };
  }
}
