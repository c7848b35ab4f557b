import { basename, resolve } from 'node:path';
import {
  type Agent,
  type CallPolicies,
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
  summarise,
  toErrorInfo,
} from '@agent-criteria/core';
import pLimit from 'p-limit';
import type { AgentInput } from './agent-input.ts';
import { checkStubs } from './check-stubs.ts';
import type { Journal } from './journal.ts';
import type { CallOptions } from './load/call-settings.ts';
import type { LoadedProjectConfig } from './load/project-config.ts';
import { countCases, type PlannedSet, withUniqueIds } from './planned-set.ts';
import { remember } from './remember.ts';
import { execute, type RunSettings, runSets } from './run.ts';
import { openBlobs } from './run-folder/blobs.ts';
import { type AgentFacts, describeRun, makeFolder, writeNewRun } from './run-folder/create-run.ts';
import { openFolderJournal } from './run-folder/folder-journal.ts';
import { RUNS_FOLDER } from './run-folder/layout.ts';
import { lockFolder } from './run-folder/lock.ts';
import { openRun } from './run-folder/open-run.ts';
import { writeSummary } from './run-folder/summary-file.ts';
import { checkPositive, checkRunSettings } from './settings.ts';
import { withPolicies } from './with-policies.ts';

/** What an agent is evaluated by, and how that goes. */
interface AgentEvaluationOptions extends RunSettings {
  /** Evaluates the agent of this name below the module's. */
  readonly agentName?: string | undefined;
  /** The file of a session that cases start from which name none. */
  readonly initialSessionFile?: string | undefined;
  /** What all files are judged by. Default: `test_config.json` beside each file. */
  readonly config?: unknown;
  readonly registry?: Registry | undefined;
  readonly models?: ModelLookup | undefined;
  /**
   * What criteria may look for. Default: `process.env`, into which `.env` of the agent's folder and of the working folder
   * are read when the agent is a path.
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly compat?: 'adk' | null | undefined;
  /** A model by name that judges in place of every judge that configs name. Default: what they name. */
  readonly judgeModel?: string | undefined;
  /** What stands before models, over what the project says. Needs @agent-criteria/models. */
  readonly calls?: CallOptions | undefined;
}

/** The parameters of ADK's `AgentEvaluator.evaluate`, and how the run goes. */
export interface EvaluateAgentOptions extends AgentEvaluationOptions {
  /** The module or folder of the agent, its URL, a function, or an agent. */
  readonly agentModule: AgentInput | object;
  /** A test file, or a folder: all `*.test.json` in it and in the folders below it. */
  readonly evalDatasetFilePathOrDir: string;
  /** How often each case runs, each time in a session of its own. Default 2. */
  readonly numRuns?: number | undefined;
  /** Get the run when it is over, also when it has failed: to print it, or to write it as CSV. */
  readonly reporters?: readonly ((run: RunRecord) => void | Promise<void>)[] | undefined;
  /** Where the run is kept, as `run` has it. Default: nothing is kept. */
  readonly folder?: string | undefined;
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
  const { sets, agent, settings, project } = await prepare(agentModule, options, (load) =>
    load.findTestFiles(options.evalDatasetFilePathOrDir),
  );
  const agentPath = typeof agentModule === 'string' ? agentModule : undefined;
  const startedAt = Date.now();
  const memory = remember(settings.prices);
  const { policies: given } = options;
  const calls = { prices: settings.prices, redact: settings.redact, ...options.calls };
  const plans = sets.map(({ plan }) => plan);
  const outcome = await withPolicies(plans, { policies: given, project, calls }, (policies) =>
    runSets(
      { ...settings, policies, sets, agent, agentPath, agentName: options.agentName, folder, repeats: numRuns },
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

/** An agent and what it is evaluated on, for whoever decides himself when which case runs. */
export interface OpenEvaluationOptions
  extends Omit<AgentEvaluationOptions, 'runTimeout' | 'policies' | 'signal' | 'drain'> {
  /** The module or folder of the agent, its URL, a function, or an agent. */
  readonly agent: AgentInput | object;
  /** Each a path (of a file, a folder or a pattern) or an eval set as a value. */
  readonly evalSets: readonly unknown[];
  /** How often each case runs, each time in a session of its own. Default 1. */
  readonly repeats?: number | undefined;
  /** The folder from which the project's config is looked for when the agent is no path. Default: the working folder. */
  readonly from?: string | undefined;
}

/** An evaluation whose cases are run one by one. Whoever opened it closes it. */
export interface OpenedEvaluation {
  readonly sets: readonly PlannedSet[];
  /** Where the project keeps its runs. */
  readonly runsFolder: string;
  /** Milliseconds that a turn and a repeat of a case may take, by options and project. */
  readonly limits: { readonly turnTimeout: number; readonly caseTimeout: number };
  /**
   * Runs a case and scores it, whatever came of it before. Never rejects for what the agent or a criterion does.
   * @param how `timeout`: milliseconds for all of it, from its start. Default: no limit.
   */
  evaluateCase(
    setId: string,
    caseId: string,
    how?: { readonly signal?: AbortSignal | undefined; readonly timeout?: number | undefined },
  ): Promise<EvaluatedCase>;
  /**
   * Keeps what is evaluated from now on, as a run of these cases.
   * @throws CriteriaError WRITE_FAILED.
   */
  keepIn(folder: string, cases: readonly { readonly setId: string; readonly caseId: string }[]): void;
  /** Closes what stands before models, and the run folder; gives what they have to tell. */
  close(): Promise<readonly Problem[]>;
}

export interface EvaluatedCase {
  /** A run of this case alone. */
  readonly record: RunRecord;
  readonly result: CaseResult;
  /** What kept it from its end, or from being kept: a spent budget, a full disk. Such a case has not passed. */
  readonly problems: readonly Problem[];
}

/**
 * Evaluates an agent case by case: all that `evaluateAgent` checks is checked now, and nothing runs yet. Of all cases
 * together, at most `concurrency.agents` sessions are open at once.
 *
 * @throws CriteriaError with every mistake in files, configs and options.
 */
export async function openEvaluation(options: OpenEvaluationOptions): Promise<OpenedEvaluation> {
  const { repeats = 1, agent: asked } = options;
  checkRunSettings({ ...options, repeats });
  const { sets, agent, settings, project } = await prepare(asked, options, async (load) => {
    const found = load.collectProblems();
    const all = [];
    for (const one of options.evalSets) {
      const files = typeof one === 'string' ? await found.attempt(() => load.findEvalSets(one)) : [one];
      all.push(...(files ?? []));
    }
    found.throwIfAny();
    // A file that two patterns match is one set.
    return [...new Set(all)];
  });
  const plans = sets.map(({ plan }) => plan);
  await checkStubs(plans, agent);
  const { prices, redact, turnTimeout = 300_000, caseTimeout = Number.POSITIVE_INFINITY } = settings;
  const { agents = 4, scoring = 16 } = settings.concurrency ?? {};
  const { loadPolicies, projectRunsFolder } = await import('./load/index.ts');
  const policies: CallPolicies | undefined = await loadPolicies(plans, project, { prices, redact, ...options.calls });
  // The repeats of a case run side by side as far as this allows.
  const each = Math.min(repeats, agents);
  const limit = pLimit(Math.floor(agents / each));
  const agentPath = typeof asked === 'string' ? asked : null;
  let kept: KeptCases | null = null;

  const evaluate = async (
    set: PlannedSet,
    caseId: string,
    { signal, timeout: runTimeout }: NonNullable<Parameters<OpenedEvaluation['evaluateCase']>[2]>,
  ): Promise<EvaluatedCase> => {
    const startedAt = Date.now();
    const memory = remember(prices);
    const one = withCases(set, new Set([caseId]));
    const journal = kept?.journal;
    const writing = journal === undefined ? null : { folder: '', warnings: [], journal, finish() {}, unlock() {} };
    const outcome = await execute([one], agent, writing, memory.hooks, {
      ...settings,
      ...{ policies, signal, runTimeout, repeats, turnTimeout, caseTimeout },
      ...{ agents: each, calls: scoring, judge: true },
    });
    const recorded = memory.recorded(one, repeats);
    const [result] = recorded.cases;
    if (result === undefined) throw new CriteriaError({ code: 'INTERNAL', message: `"${caseId}" came to nothing` });
    if (outcome.finished) kept?.note(result);
    const facts = { id: 'in memory', startedAt, endedAt: Date.now(), agent: agentPath ?? agent.name, repeats };
    return { record: runRecord(facts, [recorded]), result, problems: outcome.problems };
  };

  return {
    sets,
    limits: { turnTimeout, caseTimeout },
    runsFolder: (project && projectRunsFolder(project)) ?? RUNS_FOLDER,
    async evaluateCase(setId, caseId, how = {}) {
      const set = sets.find(({ plan }) => plan.evalSet.evalSetId === setId);
      if (!set?.plan.evalSet.evalCases.some(({ evalId }) => evalId === caseId)) {
        throw new CriteriaError({ code: 'UNKNOWN_CASE', message: `there is no case "${caseId}" in a set "${setId}"` });
      }
      return limit(() => evaluate(set, caseId, how));
    },
    keepIn(folder, cases) {
      const chosen = sets.map((set) => {
        const own = cases.filter(({ setId }) => setId === set.plan.evalSet.evalSetId);
        return withCases(set, new Set(own.map(({ caseId }) => caseId)));
      });
      const some = chosen.filter(({ plan }) => plan.evalSet.evalCases.length > 0);
      kept = keepCases(folder, some, {
        agent: { name: agent.name, path: agentPath, agentName: options.agentName },
        repeats,
        settings,
      });
    },
    async close() {
      const told = await policies?.close();
      kept?.close();
      return told ?? [];
    },
  };
}

function withCases(set: PlannedSet, ids: ReadonlySet<string>): PlannedSet {
  const { plan } = set;
  const evalCases = plan.evalSet.evalCases.filter(({ evalId }) => ids.has(evalId));
  return { ...set, plan: { ...plan, evalSet: { ...plan.evalSet, evalCases } } };
}

/** The run folder of cases that run one by one. */
interface KeptCases {
  /** Stays open when a case has ended. */
  readonly journal: Journal & { close(): void };
  /** A case has come to its end. */
  note(result: CaseResult): void;
  close(): void;
}

function keepCases(
  folder: string,
  sets: readonly PlannedSet[],
  about: {
    readonly agent: AgentFacts;
    readonly repeats: number;
    readonly settings: RunSettings;
  },
): KeptCases {
  const { agent, repeats, settings } = about;
  const { redact, prices } = settings;
  makeFolder(folder);
  const unlock = lockFolder(folder);
  try {
    const blobs = openBlobs(folder);
    const plans = describeRun({ sets, agent, repeats, id: basename(resolve(folder)), now: Date.now() });
    writeNewRun(folder, plans, true, blobs, redact);
    const journal = openFolderJournal({ folder, scoring: 1, repeats, blobs, redact, prices });
    const results = new Map<string, CaseResult>();
    const nameOf = (setId: string, caseId: string) => JSON.stringify([setId, caseId]);
    return {
      journal: {
        ...journal,
        // Of a case that runs again, an attempt that was cut short says nothing: what it came to before stands.
        keepInference: (evalCase, recorded) =>
          results.has(nameOf(recorded.key.setId, recorded.key.caseId)) && recorded.inference.ending.by === 'abort'
            ? recorded
            : journal.keepInference(evalCase, recorded),
        close() {},
      },
      note: (result) => void results.set(nameOf(result.setId, result.caseId), result),
      close() {
        try {
          journal.close();
          const total = countCases(sets);
          if (results.size === total) writeSummary(folder, 1, summarise([...results.values()]), total * repeats);
        } finally {
          unlock();
        }
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

type Load = typeof import('./load/index.ts');

/** Whatever is wrong is told together, and the agent's module is imported last: importing runs code. */
async function prepare(
  asked: AgentInput | object,
  options: AgentEvaluationOptions & Pick<OpenEvaluationOptions, 'from'>,
  findSets: (load: Load) => Promise<readonly unknown[]>,
): Promise<{
  readonly sets: readonly PlannedSet[];
  readonly agent: Agent;
  readonly settings: RunSettings;
  readonly project: LoadedProjectConfig | undefined;
}> {
  // Here, not above: who brings everything as values never loads it.
  const load = await import('./load/index.ts');
  const { agentName, config, registry, models, compat, judgeModel, calls, from } = options;
  const path = typeof asked === 'string' ? asked : undefined;
  const found = load.collectProblems();
  const module = await found.attempt(() => (path === undefined ? '' : load.findAgent(path)));
  const environment = await found.attempt(async () => {
    if (options.environment !== undefined || path === undefined) return options.environment ?? process.env;
    const loaded = await load.loadEnvironment({ agent: path });
    load.applyEnvironment(loaded);
    return process.env;
  });
  // After the variables: a config that is a module may read them.
  const project = await found.attempt(async () => load.loadProjectConfig(await load.findProjectConfig(path ?? from)));
  const session = await found.attempt(async () =>
    options.initialSessionFile === undefined ? null : load.loadInitialSession(options.initialSessionFile),
  );
  const evalSets = await found.attempt(() => findSets(load));
  const modelsRecorded = calls?.recording?.mode === undefined ? undefined : calls.recording.mode === 'replay';
  const common = {
    ...{ config, registry, models, compat, project, environment, initialSession: session },
    ...{ judgeModel, modelsRecorded },
  };
  const sets: PlannedSet[] = [];
  const adapters = [];
  for (const evalSet of evalSets ?? []) {
    const loaded = await found.attempt(() => load.loadPlan({ ...common, evalSet }));
    if (loaded === undefined) continue;
    const { plan, configFile, warnings } = loaded;
    sets.push({ plan, file: typeof evalSet === 'string' ? evalSet : null, configFile, warnings });
    adapters.push(...loaded.registry.list('agent-adapter'));
  }
  found.throwIfAny();
  const known = createRegistry(adapters);
  const agent =
    typeof module === 'string' && path !== undefined
      ? await load.loadAgent(path, known, { agentName })
      : await load.adaptAgent(agentName === undefined ? asked : load.findSubAgent([asked], agentName), known);
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
