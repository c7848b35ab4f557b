import { resolve } from 'node:path';
import { CriteriaError, type Problem, toErrorInfo } from '@agent-criteria/core';
import type { ConfigPlugins, EvalConfigInput } from '@agent-criteria/core/eval-set';
import { type CaseResult, checkOptions } from '@agent-criteria/core/host';
import { formatProblem } from '@agent-criteria/formats';
import type { RunRecord, RunSet } from '@agent-criteria/results';
import {
  checkPositive,
  journalRecord,
  memoryJournal,
  openRun,
  type RunSettings,
  run,
  runSettingNames,
  timeNow,
} from '@agent-criteria/runner';
import { callsOver } from '../config/call-settings.ts';
import { findTestFiles } from '../files/find-files.ts';
import type { AgentSource } from '../plan/asked-agents.ts';
import { fixedRepeats } from '../plan/auto-repeats.ts';
import { withPolicies } from '../plan/open-policies.ts';
import { type AgentEvaluationOptions, prepareEvaluation } from './prepare-evaluation.ts';

/** The parameters of ADK's `AgentEvaluator.evaluate`, and settings for the run. */
export interface EvaluateAgentOptions<Plugins extends ConfigPlugins = ConfigPlugins>
  extends AgentEvaluationOptions,
    RunSettings {
  /**
   * The config for all files: a path or an object. Default: the one found for each file, such as `test_config.json`
   * next to it.
   */
  readonly config?: string | EvalConfigInput<Plugins> | null | undefined;
  /** The module or folder of the agent, its URL, a function, or an agent. */
  readonly agentModule: AgentSource | object;
  /** A test file, or a folder whose `*.test.json` files are used, including those in subfolders. */
  readonly evalDatasetFilePathOrDir: string;
  /** How often each case runs, each time in a new session. Default: the project's `repeats`, else 2. */
  readonly numRuns?: number | undefined;
  /** Functions that receive the finished run, even if it failed, for example to print it or write it as CSV. */
  readonly reporters?: readonly ((run: RunRecord) => void | Promise<void>)[] | undefined;
  /** The folder in which to save the run, as in `run`. Default: it is not saved. */
  readonly folder?: string | undefined;
}

/**
 * Evaluates an agent on test files, like ADK's `AgentEvaluator.evaluate`. Use it in a test of any test runner, or
 * without one. Every file is evaluated, regardless of the results of the others.
 *
 * @returns The run, if no case failed, ended in an error or could not be evaluated.
 * @throws CriteriaError EVALUATION_FAILED with the problems of each case that failed, ended in an error or could not be
 *   evaluated; or, before the agent runs, a CriteriaError with every mistake in files, configs and options.
 */
export async function evaluateAgent<const Plugins extends ConfigPlugins>(
  options: EvaluateAgentOptions<Plugins>,
): Promise<RunRecord> {
  checkOptions(options, optionNames, {
    agentModule: 'an agent, or the path of its module or folder',
    evalDatasetFilePathOrDir: 'the path of a test file, or of a folder of them',
  });
  const { agentModule } = options;
  checkPositive({ numRuns: options.numRuns });
  // The agent's module may change the working folder.
  const workingFolder = resolve('.');
  const folder = options.folder === undefined ? undefined : resolve(options.folder);
  const { sets, agents, settings, project } = await prepareEvaluation(agentModule, options, () =>
    findTestFiles(options.evalDatasetFilePathOrDir),
  );
  const repeats = options.numRuns ?? fixedRepeats(project?.settings.repeats, 2);
  const startedAt = timeNow();
  const journal = folder === undefined ? await memoryJournal() : undefined;
  const { policies: given, calls: how } = options;
  const calls = callsOver(settings, how);
  const plans = sets.map(({ plan }) => plan);
  const outcome = await withPolicies(plans, { policies: given, project, calls }, (policies) =>
    run({
      ...settings,
      policies,
      ...agents.options,
      sets,
      folder,
      workingFolder,
      journal,
      repeats,
    }),
  );
  const facts = {
    id: 'in memory',
    startedAt,
    endedAt: timeNow(),
    agent: agents.name,
    repeats,
  };
  const record = journal === undefined ? openRun(folder ?? '') : await journalRecord(journal, facts, sets);
  const problems = [
    ...(await failuresOf(record)),
    ...outcome.problems,
    ...(await report(record, options.reporters ?? [])),
  ];
  if (problems.length === 0 && outcome.finished && outcome.summary.exitCode === 0) return record;
  const unfinished: Problem = { code: 'EVALUATION_FAILED', message: 'the run is incomplete' };
  throw new CriteriaError(problems.length > 0 ? problems : unfinished, { warnings: record.warnings });
}

const optionNames = {
  ...runSettingNames,
  agentName: true,
  initialSessionFile: true,
  config: true,
  registry: true,
  models: true,
  compat: true,
  judgeModel: true,
  calls: true,
  from: true,
  agentModule: true,
  evalDatasetFilePathOrDir: true,
  numRuns: true,
  reporters: true,
  folder: true,
} as const satisfies Record<keyof EvaluateAgentOptions, true>;

/** Returns the failures of all cases, in the order of the files. */
async function failuresOf(record: RunRecord): Promise<Problem[]> {
  const sets = new Map(record.sets.map((set) => [set.id, set]));
  const problems: Problem[] = [];
  for await (const { setId, result } of record.cases()) {
    if (result.verdict === 'passed' || result.verdict === 'informational') continue;
    const set = sets.get(setId);
    const file = set?.file ?? null;
    for (const failure of failuresOfCase(result, set)) {
      const message = `the case "${result.caseId}": ${failure}`;
      problems.push({ code: 'EVALUATION_FAILED', message, ...(file === null ? {} : { file }) });
    }
  }
  return problems;
}

function failuresOfCase(result: CaseResult, set: RunSet | undefined): readonly string[] {
  const criteria = result.criteria.filter(({ verdict }) => verdict === 'failed' || verdict === 'not-evaluated');
  const failures = criteria.map(({ name, verdict, threshold, score, reason }) => {
    const lower = set?.criteria.find((criterion) => criterion.name === name)?.range.better === 'lower';
    const expected = `expected ${lower ? 'at most' : 'at least'} ${threshold}, got ${score ?? 'no score'}`;
    const what = verdict === 'failed' ? 'failed' : 'was not evaluated';
    return `${name} ${what}: ${expected}${reason === undefined ? '' : ` (${reason})`}`;
  });
  if (result.verdict === 'error') return [`error: ${result.reason ?? 'it failed'}`, ...failures];
  return failures.length > 0 ? failures : [result.reason ?? result.verdict];
}

/** Passes the run to every reporter. If one fails, the others still receive it, and the failure is reported. */
async function report(
  record: RunRecord,
  reporters: NonNullable<EvaluateAgentOptions['reporters']>,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const reporter of reporters) {
    try {
      await reporter(record);
    } catch (error) {
      const message = CriteriaError.is(error)
        ? error.problems.map(formatProblem).join('; ')
        : toErrorInfo(error).message;
      problems.push({ code: 'CALL_FAILED', message: `a reporter failed: ${message}` });
    }
  }
  return problems;
}
