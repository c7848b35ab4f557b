import {
  type Agent,
  type CaseResult,
  CriteriaError,
  createRegistry,
  formatProblem,
  type ModelLookup,
  type Problem,
  type Registry,
  type RunRecord,
  type RunSet,
  runRecord,
  toErrorInfo,
} from '@agent-criteria/core';
import type { AgentInput } from './agent-input.ts';
import type { CallOptions } from './load/call-settings.ts';
import type { LoadedProjectConfig } from './load/project-config.ts';
import { type PlannedSet, withUniqueIds } from './planned-set.ts';
import { remember } from './remember.ts';
import { type RunSettings, runSets } from './run.ts';
import { openRun } from './run-folder/open-run.ts';
import { checkPositive } from './settings.ts';
import { withPolicies } from './with-policies.ts';

/** The parameters of ADK's `AgentEvaluator.evaluate`, and how the run goes. */
export interface EvaluateAgentOptions extends RunSettings {
  /** The module or folder of the agent, its URL, a function, or an agent. */
  readonly agentModule: AgentInput | object;
  /** A test file, or a folder: all `*.test.json` in it and in the folders below it. */
  readonly evalDatasetFilePathOrDir: string;
  /** How often each case runs, each time in a session of its own. Default 2. */
  readonly numRuns?: number | undefined;
  /** Evaluates the agent of this name below the module's. */
  readonly agentName?: string | undefined;
  /** The file of a session that cases start from which name none. */
  readonly initialSessionFile?: string | undefined;
  /** What all files are judged by. Default: `test_config.json` beside each file. */
  readonly config?: unknown;
  /** Get the run when it is over, also when it has failed: to print it, or to write it as CSV. */
  readonly reporters?: readonly ((run: RunRecord) => void | Promise<void>)[] | undefined;
  /** Where the run is kept, as `run` has it. Default: nothing is kept. */
  readonly folder?: string | undefined;
  readonly registry?: Registry | undefined;
  readonly models?: ModelLookup | undefined;
  /**
   * What criteria may look for. Default: `process.env`, into which `.env` of the agent's folder and of the working folder
   * are read when `agentModule` is a path.
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly compat?: 'adk' | null | undefined;
  /** A model by name that judges in place of every judge that configs name. Default: what they name. */
  readonly judgeModel?: string | undefined;
  /** What stands before models, over what the project says. Needs @agent-criteria/models. */
  readonly calls?: CallOptions | undefined;
}

/**
 * Evaluates an agent on test files, as ADK's `AgentEvaluator.evaluate` does: the check to write in a test of any test
 * runner, or in none. Every file is evaluated, whatever the others come to.
 *
 * @returns The run, when every case of every file passed.
 * @throws CriteriaError EVALUATION_FAILED with all that failed, broke or could not be evaluated, one problem each; before
 *   the agent runs, with every mistake in files, configs and options.
 */
export async function evaluateAgent(options: EvaluateAgentOptions): Promise<RunRecord> {
  const { numRuns = 2, agentModule, folder } = options;
  checkPositive({ numRuns });
  const { sets, agent, settings, project } = await prepare(options);
  const agentPath = typeof agentModule === 'string' ? agentModule : undefined;
  const startedAt = Date.now();
  const memory = remember(settings.prices);
  const { policies: given } = options;
  const calls = { prices: settings.prices, redact: settings.redact, ...options.calls };
  const plans = sets.map(({ plan }) => plan);
  const outcome = await withPolicies(plans, { policies: given, project, calls }, (policies) =>
    runSets(
      { ...settings, policies, sets, agent, agentPath, folder, repeats: numRuns },
      folder === undefined ? memory.hooks : {},
    ),
  );
  const facts = { id: 'in memory', startedAt, endedAt: Date.now(), agent: agentPath ?? agent.name, repeats: numRuns };
  const record =
    folder === undefined
      ? runRecord(
          facts,
          sets.map((set) => memory.recorded(set, numRuns)),
        )
      : openRun(folder);
  const problems = [
    ...(await failuresOf(record)),
    ...outcome.problems,
    ...(await report(record, options.reporters ?? [])),
  ];
  if (problems.length === 0 && outcome.finished && outcome.summary.exitCode === 0) return record;
  const unfinished: Problem = { code: 'EVALUATION_FAILED', message: 'the run did not come to its end' };
  throw new CriteriaError(problems.length > 0 ? problems : unfinished, { warnings: record.warnings });
}

/** Whatever is wrong is told together, and the agent's module is imported last: importing runs code. */
async function prepare(options: EvaluateAgentOptions): Promise<{
  readonly sets: readonly PlannedSet[];
  readonly agent: Agent;
  readonly settings: RunSettings;
  readonly project: LoadedProjectConfig | undefined;
}> {
  // Here, not above: who brings everything as values never loads it.
  const load = await import('./load/index.ts');
  const { agentModule, agentName, config, registry, models, compat, judgeModel, calls } = options;
  const path = typeof agentModule === 'string' ? agentModule : undefined;
  const found = load.collectProblems();
  const module = await found.attempt(() => (path === undefined ? '' : load.findAgent(path)));
  const environment = await found.attempt(async () => {
    if (options.environment !== undefined || path === undefined) return options.environment ?? process.env;
    const loaded = await load.loadEnvironment({ agent: path });
    load.applyEnvironment(loaded);
    return process.env;
  });
  // After the variables: a config that is a module may read them.
  const project = await found.attempt(async () => load.loadProjectConfig(await load.findProjectConfig(path)));
  const session = await found.attempt(async () =>
    options.initialSessionFile === undefined ? null : load.loadInitialSession(options.initialSessionFile),
  );
  const files = await found.attempt(() => load.findTestFiles(options.evalDatasetFilePathOrDir));
  const modelsRecorded = calls?.recording?.mode === undefined ? undefined : calls.recording.mode === 'replay';
  const common = {
    ...{ config, registry, models, compat, project, environment, initialSession: session },
    ...{ judgeModel, modelsRecorded },
  };
  const sets: PlannedSet[] = [];
  const adapters = [];
  for (const file of files ?? []) {
    const loaded = await found.attempt(() => load.loadPlan({ ...common, evalSet: file }));
    if (loaded === undefined) continue;
    const { plan, configFile, warnings } = loaded;
    sets.push({ plan, file, configFile, warnings });
    adapters.push(...loaded.registry.list('agent-adapter'));
  }
  found.throwIfAny();
  const known = createRegistry(adapters);
  const agent =
    typeof module === 'string' && path !== undefined
      ? await load.loadAgent(path, known, { agentName })
      : await load.adaptAgent(
          agentName === undefined ? agentModule : load.findSubAgent([agentModule], agentName),
          known,
        );
  return {
    sets: withUniqueIds(sets),
    agent,
    settings: load.withProjectSettings(options, project),
    project,
  };
}

/** Everything that kept a case from passing, in the order of the files. */
async function failuresOf(record: RunRecord): Promise<Problem[]> {
  const sets = new Map(record.sets.map((set) => [set.id, set]));
  const problems: Problem[] = [];
  for await (const { setId, result } of record.cases()) {
    if (result.verdict === 'passed' || result.verdict === 'informational') continue;
    const set = sets.get(setId);
    const file = set?.file ?? null;
    for (const told of failuresOfCase(result, set)) {
      const message = `the case "${result.caseId}": ${told}`;
      problems.push({ code: 'EVALUATION_FAILED', message, ...(file === null ? {} : { file }) });
    }
  }
  return problems;
}

function failuresOfCase(result: CaseResult, set: RunSet | undefined): readonly string[] {
  const criteria = result.criteria.filter(({ verdict }) => verdict === 'failed' || verdict === 'not-evaluated');
  const told = criteria.map(({ name, verdict, threshold, score, reason }) => {
    const lower = set?.criteria.find((criterion) => criterion.name === name)?.range.better === 'lower';
    const expected = `expected ${lower ? 'at most' : 'at least'} ${threshold}, got ${score ?? 'no score'}`;
    const what = verdict === 'failed' ? 'failed' : 'was not evaluated';
    return `${name} ${what}: ${expected}${reason === undefined ? '' : ` (${reason})`}`;
  });
  if (result.verdict === 'error') return [`error: ${result.reason ?? 'it broke'}`, ...told];
  return told.length > 0 ? told : [result.reason ?? result.verdict];
}

/** Every reporter gets the run; one that fails keeps it from nobody, and is told. */
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
