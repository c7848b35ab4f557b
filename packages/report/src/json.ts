import { collectStatistics, type RunChanges, type StatisticsFacts } from '@agent-criteria/analysis';
import type { Problem } from '@agent-criteria/core';
import { maskedIn, type RunCase, type RunRecord, type RunSet, usageOf } from '@agent-criteria/results';
import type { Comparison } from '@agent-criteria/results/adk';
import { shownOutcome } from '@agent-criteria/results/text';
import { indentedJson } from './json-text.ts';
import { isFinished } from './run-notes.ts';
import { addCase, addTotals, type CaseTotals, NO_TOTALS } from './run-totals.ts';

export interface JsonOptions {
  /** A comparison with the scores recorded by ADK. Default: none. */
  readonly recordedByAdk?: Comparison | undefined;
  /** The verdicts that changed since the run before. Default: none is known. */
  readonly since?: RunChanges | undefined;
  /** Facts about the run and its judges that the record does not contain. Default: none. */
  readonly facts?: StatisticsFacts | undefined;
}

/**
 * Generates one JSON document for a whole run, piece by piece:
 * `{ finished, run, summary, outcome, warnings, sets: [{ setId, …, cases: [...], inferences: [...], usage }], usage }`.
 * A case is its result with its `evalCase`, its `calls`, and its `usage` by role, which is absent if no calls are
 * known. With several agents, the `usage` of a set and of the run has `variants` by name.
 *
 * `endings` of a set and of the run counts how conversations with simulated users ended;
 * `simulated` counts tool calls that were simulated, by what answered. `masked` of a case, a set and
 * the run counts masked secrets. `statistics` is the result of `analyseRun` from @agent-criteria/analysis for each
 * variant. `outcome` combines cases and gates:
 * `{ state, verdict, exitCode, headline, decided, gates, problems, notes }`; the `exitCode` in the run's `summary` is
 * that of the outcome. `since`, if given, lists the verdicts that changed since the run before, as `RunChanges` of
 * @agent-criteria/analysis: `{ run, name, commit, startedAt, changes: [{ setId, caseId, before, now }] }`.
 * `recordedByAdk`, if given, is the last field.
 */
export async function* jsonReport(run: RunRecord, options: JsonOptions = {}): AsyncGenerator<string> {
  const { info, warnings } = run;
  const outcome = run.outcome === undefined ? undefined : shownOutcome(run);
  // A missing or untrusted outcome must not be read as exit code 0.
  const unknown = (outcome?.problems.length ?? 0) > 0 ? 3 : run.summary.exitCode;
  const summary = { ...run.summary, exitCode: outcome?.exitCode ?? unknown };
  const head = { finished: isFinished(info), run: info, summary, outcome, warnings };
  yield `${openObject(head, 0)}  "sets": [`;
  let separator = '';
  let total = NO_TOTALS;
  const statistics = collectStatistics(run, options.facts);
  for (const set of run.sets) {
    let ofSet = NO_TOTALS;
    const count = (one: RunCase) => {
      statistics.add(one);
      ofSet = addCase(ofSet, one);
    };
    yield `${separator}\n    ${openObject(describeSet(run, set), 4)}      "cases": [`;
    yield* items(casesOf(run, set, count));
    yield '],\n      "inferences": [';
    yield* items(inferencesOf(run, set));
    yield `]${totalFields(ofSet, 6)}\n    }`;
    separator = ',';
    total = addTotals(total, ofSet);
  }
  const last =
    field('statistics', statistics.list(), 2) +
    field('since', options.since ?? {}, 2) +
    field('recordedByAdk', options.recordedByAdk ?? {}, 2);
  yield `${separator === '' ? '' : '\n  '}]${totalFields(total, 2)}${last}\n}\n`;
}

function totalFields({ endings, simulated, masked, usage }: CaseTotals, margin: number): string {
  const counts = field('endings', endings, margin) + field('simulated', simulated, margin);
  return counts + field('masked', masked, margin) + field('usage', usage, margin);
}

/** Formats an additional field of an object. Empty if it has no value. */
function field(name: string, value: object, margin: number): string {
  return isKnown(value) ? `,\n${' '.repeat(margin)}"${name}": ${indentedJson(value, margin)}` : '';
}

function isKnown(value: object): boolean {
  return Object.keys(value).length > 0;
}

/** Formats the beginning of an object, so that fields can be appended. */
function openObject(fields: object, margin: number): string {
  return `${indentedJson(fields, margin).slice(0, -`\n${' '.repeat(margin)}}`.length)},\n`;
}

function describeSet(run: RunRecord, { id, name, description, file, configFile, criteria, summary }: RunSet) {
  return {
    setId: id,
    name,
    description,
    file,
    config: configFile,
    compat: run.info.compat,
    criteria,
    warnings: warningsOf(run, file, configFile),
    summary,
  };
}

/** Returns the warnings that name one of the set's files, or all of them if it is the only set. */
function warningsOf(run: RunRecord, file: string | null, configFile: string | null): readonly Problem[] {
  if (run.sets.length === 1) return run.warnings;
  return run.warnings.filter((warning) => warning.file !== undefined && [file, configFile].includes(warning.file));
}

async function* casesOf(run: RunRecord, set: RunSet, count: (one: RunCase) => void): AsyncGenerator<unknown> {
  for await (const one of run.cases(set.id)) {
    const { result, evalCase, calls } = one;
    const usage = usageOf(one);
    const masked = maskedIn(one);
    count(one);
    yield { ...result, evalCase, calls, ...(isKnown(usage) && { usage }), ...(isKnown(masked) && { masked }) };
  }
}

async function* inferencesOf(run: RunRecord, set: RunSet): AsyncGenerator<unknown> {
  for await (const { inferences } of run.cases(set.id)) yield* inferences;
}

/** Formats the items of a list on the fourth level, one item per chunk. */
async function* items(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = '';
  for await (const value of values) {
    yield `${separator}\n        ${indentedJson(value, 8)}`;
    separator = ',';
  }
  if (separator !== '') yield '\n      ';
}
