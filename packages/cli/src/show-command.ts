import { CriteriaError, didYouMean } from '@agent-criteria/core';
import { settingsOfFlags } from '@agent-criteria/project/config';
import { findRun, isResultFile, loadInstruments, statisticsFacts } from '@agent-criteria/project/runs';
import { consoleReport, jsonReport } from '@agent-criteria/report';
import { consoleCases, consoleFailures, consolePlan } from '@agent-criteria/report/console';
import { safeJson } from '@agent-criteria/report/terminal';
import type { RunCase, RunRecord, RunSet } from '@agent-criteria/results';
import { usage } from './arguments.ts';
import type { Given } from './command-flags.ts';
import { wholeNumber } from './flag-values.ts';
import type { Io } from './io.ts';
import { callsOf, judgePrompts } from './judge-prompts.ts';
import { openNamedRun } from './named-run.ts';
import { printJson } from './print.ts';
import { openProject } from './project.ts';
import { showCommand } from './report-run.ts';

export async function showCommandLine({ flags, positionals, form }: Given<'show'>, io: Io): Promise<number> {
  const scoring = wholeNumber('scoring', flags.scoring);
  const project = await openProject(undefined, settingsOfFlags(flags), io);
  const { word, caseId } = meant(positionals, project.runsFolder);
  const { run, opened, record } = await openNamedRun(word, scoring, project);
  const json = flags.json === true;
  if (flags.judge_prompt === true && opened === null) {
    throw usage('a result file of ADK does not contain the prompts of its judges: leave out --judge-prompt');
  }
  if (caseId === undefined) {
    if (flags.judge_prompt === true) throw usage(`name the case whose judges you want to see: ${form}`);
    const command = (_set: string, id: string, variant?: string) => showCommand(run, id, variant);
    const facts = opened === null ? undefined : statisticsFacts(opened, await loadInstruments(project));
    const options = { color: io.color, width: io.width.out, command, facts };
    if (json) for await (const piece of jsonReport(record, { facts })) io.raw(safeJson(piece));
    else for await (const piece of consoleReport(record, options)) io.out(piece);
    return 0;
  }
  const found = await casesCalled(record, caseId, flags.variant);
  if (json) {
    const cases = found.map((one) =>
      flags.judge_prompt === true && opened !== null ? { ...one, calls: callsOf(opened, one) } : one,
    );
    printJson(cases.length === 1 ? cases[0] : cases, io);
    return 0;
  }
  if (flags.judge_prompt === true && opened !== null) {
    for (const one of found) io.out(judgePrompts(opened, one, io));
    return 0;
  }
  for (const set of record.sets) {
    const own = found.filter(({ setId }) => setId === set.id);
    if (own.length > 0) for await (const piece of oneCase(record, set, own, io)) io.out(piece);
  }
  return 0;
}

/** Resolves the arguments. A single one names a run or, if there is no such run, a case of the last run. */
function meant(
  [first, second]: readonly string[],
  runsFolder: string,
): { readonly word?: string | undefined; readonly caseId?: string | undefined } {
  if (first === undefined || second !== undefined || isResultFile(first)) return { word: first, caseId: second };
  try {
    return { word: findRun(first, runsFolder) };
  } catch (error) {
    if (!CriteriaError.is(error) || error.code !== 'RUN_NOT_FOUND') throw error;
    return { word: 'last', caseId: first };
  }
}

/** Finds the cases with this id, which several sets may share. */
async function casesCalled(opened: RunRecord, caseId: string, variant: string | undefined): Promise<RunCase[]> {
  const found: RunCase[] = [];
  const names: readonly (string | undefined)[] = opened.info.variants?.map(({ name }) => name) ?? [undefined];
  if (variant !== undefined && !names.includes(variant)) {
    const there = opened.info.variants === undefined ? 'no variants' : `the variants ${names.join(', ')}`;
    throw usage(`run ${opened.info.id} has no variant "${variant}": it has ${there}`);
  }
  for (const { id } of opened.sets) {
    for (const name of variant === undefined ? names : [variant]) {
      const one = await opened.case({ setId: id, caseId, variant: name });
      if (one !== undefined) found.push(one);
    }
  }
  if (found.length > 0) return found;
  const ids: string[] = [];
  for await (const { evalCase } of opened.cases()) if (!ids.includes(evalCase.evalId)) ids.push(evalCase.evalId);
  const shown = ids.slice(0, 20).join(', ') + (ids.length > 20 ? `, and ${ids.length - 20} more` : '');
  const message = `there is no such run, and run ${opened.info.id} has no case "${caseId}"${didYouMean(caseId, ids) || `; it has: ${shown}`}`;
  throw new CriteriaError({ code: 'UNKNOWN_CASE', message });
}

/** Formats the run as if it had only this case. @param variants The case as each variant ran it. */
async function* oneCase(
  opened: RunRecord,
  set: RunSet,
  variants: readonly RunCase[],
  { color, width }: Io,
): AsyncGenerator<string> {
  const names = variants.flatMap(({ variant }) => variant ?? []);
  const { repeats, auto, compat } = opened.info;
  const alone: RunRecord = {
    ...opened,
    sets: [set],
    info: { ...opened.info, variants: opened.info.variants?.filter(({ name }) => names.includes(name)) },
    async *cases() {
      yield* variants;
    },
  };
  const options = { color, width: width.out, detailed: true };
  yield consolePlan(set, { cases: 1, repeats, auto, variants: names, compat }, options);
  yield* consoleFailures(alone, options);
  yield* consoleCases(alone, set, options);
}
