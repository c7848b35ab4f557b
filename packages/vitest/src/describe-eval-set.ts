import { resolve } from 'node:path';
import { type Duration, LONGEST_TIMER, toMilliseconds } from '@agent-criteria/calls';
import { CriteriaError, type EvalCase, type Problem } from '@agent-criteria/core';
import type { ConfigPlugins, EvalConfigInput, EvalSetSource } from '@agent-criteria/core/eval-set';
import { checkOptions, DEFAULT_CRITERIA, type ModelLookup } from '@agent-criteria/core/host';
import type { AgentSource } from '@agent-criteria/project';
import {
  type CaseOptions,
  type OpenEvaluationOptions,
  type OpenedEvaluation,
  openEvaluation,
} from '@agent-criteria/project/runs';
import { formatWarnings } from '@agent-criteria/report/console';
import { safe } from '@agent-criteria/report/terminal';
import {
  agentsOf,
  type CaseToKeep,
  type EvaluatedCase,
  type GateName,
  isUrl,
  newRunFolder,
} from '@agent-criteria/runner';
import { afterAll, describe, type RunnerTestSuite, type SuiteCollector, test } from 'vitest';
import { dependedFiles } from './depended-files.ts';
import { failureText, isPainted, measuredText, metaOf, scoreLine } from './describe-case.ts';
import { type EvalSetFiles, nameOf, pathsOf } from './eval-set-files.ts';
import { gatedCases } from './gated-cases.ts';
import { failure, plainError } from './plain-error.ts';
import { type PluginOptions, projectRegistry } from './project-registry.ts';
import type {} from './task-meta.ts';
import { testFolder } from './test-folder.ts';

/** The time limit for closing a run, which sorts its records, in milliseconds. */
const CLOSING = 60_000;
/** The default maximum number of turns with a simulated user, as in ADK. */
const SIMULATED_TURNS = 20;

/** Several agents by name. A test is created for each case and agent. A path may end in `#EXPORT`. */
export interface AgentVariants {
  readonly variants: Readonly<Record<string, AgentSource | object>>;
}

/** Options of `describeEvalSet`. Paths are relative to the folder of the test file. */
export interface DescribeEvalSetOptions<Plugins extends ConfigPlugins = ConfigPlugins>
  extends PluginOptions,
    CaseOptions,
    Pick<OpenEvaluationOptions, 'filter' | 'repeats'> {
  /**
   * The config for all sets, as a path or an object. Default: the one found for each file, such as `test_config.json`
   * next to it.
   */
  readonly config?: string | EvalConfigInput<Plugins> | null | undefined;
  /** The name of the test group. Default: the paths as given, or the id of the eval set. */
  readonly name?: string | undefined;
  readonly models?: ModelLookup | undefined;
  /**
   * The time limit for the test of one case, including all repeats and their scoring. Default: the time that
   * `turnTimeout` (5 minutes by default) and `caseTimeout` allow the agent, plus another `turnTimeout` for scoring.
   */
  readonly timeout?: Duration | undefined;
  /** Whether cases run concurrently, within Vitest's `maxConcurrency` and `concurrency.agents`. Default `false`. */
  readonly concurrent?: boolean | undefined;
  /**
   * The folder in which to save runs, for `agent-criteria report`, `show` and `score`; each run adds a subfolder.
   * `true` means the project's runs folder. Default: runs are not saved.
   */
  readonly runsFolder?: string | true | undefined;
}

/**
 * Creates a Vitest test for every case in the eval sets. The test runs the agent on the case and fails, showing the
 * differences, unless the case passes or is only measured. With several agents, there is a test for each case and
 * agent. A case runs only when its test does, so filtered-out cases cost nothing.
 *
 * Mistakes in files, config and options make the test file fail during collection, before the agent runs.
 *
 * @param agent A function, an agent, an agent from `@google/adk`, a URL, or the path of a module or folder; or several
 *   of these by name, as `{ variants: { fast: agent, … } }`.
 */
export function describeEvalSet<const Plugins extends ConfigPlugins = ConfigPlugins>(
  agent: AgentSource | AgentVariants | object,
  files: EvalSetFiles,
  options: DescribeEvalSetOptions<Plugins> = {},
): void {
  const folder = testFolder();
  // Failures get the stack trace of this call, because frames inside this package would not help.
  const place = { stack: '' };
  Error.captureStackTrace(place, describeEvalSet);
  const name = safe(options.name ?? nameOf(files));
  const group: TestGroup = describe(name, async () => {
    let opened: OpenedEvaluation;
    try {
      opened = await open(agent, files, folder, options);
    } catch (error) {
      if (!lineOf(group.suite).some(({ mode }) => mode === 'skip' || mode === 'todo'))
        throw plainError(error, place.stack);
      // Skipped tests may lack keys and agents.
      test.skip('cannot be evaluated as it is configured', () => undefined);
      return;
    }
    const agents = isVariants(agent) ? Object.values(agent.variants) : [agent];
    if (group.suite !== undefined) group.suite.meta.agentCriteriaFiles = await dependedFiles(agents, opened, folder);
    const begin = beginOnce(() => start(opened, group.suite, { ...options, variants: variantsOf(agent) }, folder));
    const several = opened.sets.length > 1;
    const variants = variantsOf(agent);
    const count = opened.sets.reduce((sum, { plan }) => sum + plan.evalSet.evalCases.length, 0) * variants.length;
    const held = gatedCases(opened, count);
    const asked = opened.gates?.names ?? [];
    // Cached, because once a gate has caused a test to be skipped, that test looks as if a filter had excluded it.
    let decides: boolean | null = null;
    let excused = 0;
    const answered = new Set<string>();
    const isConcurrent = options.concurrent === true || lineOf(group.suite).some((suite) => suite.concurrent === true);
    for (const { plan } of opened.sets) {
      const { evalSetId, evalCases } = plan.evalSet;
      const register = (): void => {
        for (const evalCase of evalCases) for (const variant of variants) testOf(evalCase, evalSetId, variant);
      };
      if (!several) register();
      else {
        const inner: TestGroup = describe(safe(evalSetId), () => {
          register();
          locate(inner, group);
        });
      }
    }
    for (const gate of asked) testOfGate(gate);
    // Gate tests need the results of all cases, so they must run last.
    if (asked.length > 0 && group.suite !== undefined) group.suite.shuffle = false;
    locate(group, group);
    afterAll(async () => {
      const record = await held.record();
      printWarnings(await opened.close(record));
      // Some gates are evaluated only if all the others hold.
      const more = record?.results.find((one) => one.holds !== true && !asked.some((gate) => isSame(gate, one)));
      if (more !== undefined) throw failure(`${gateTitle(more)} cannot tell: ${safe(more.text)}`, place.stack);
      const silent = asked.map(gateTitle).filter((title) => !answered.has(title));
      if (excused > 0 && silent.length > 0) throw failure(unaskedText(excused, silent), place.stack);
    }, CLOSING);

    /** Whether the gates alone decide. They cannot if a filter excludes any test. */
    function gatesDecide(): boolean {
      decides ??=
        opened.gates?.decide === true &&
        asked.length > 0 &&
        asked.every((gate) => chosenNames(group.suite).has(gateTitle(gate))) &&
        chosenCases(opened, group.suite, variants).length === count;
      return decides;
    }

    function testOfGate(gate: GateName): void {
      const title = gateTitle(gate);
      // Not concurrent, because it needs the results of the cases.
      test(title, { timeout: CLOSING, concurrent: false }, async (context) => {
        const found = await held.results();
        if ('waiting' in found) return context.skip(found.waiting);
        if ('unknown' in found) throw failure(`${title} cannot tell: ${found.unknown}`, place.stack);
        answered.add(title);
        const result = found.results.find((one) => isSame(gate, one));
        if (result === undefined) throw failure(`${title} has no result`, place.stack);
        const text = safe(result.text);
        if (result.holds !== true) {
          const verdict = result.holds === null ? 'cannot tell' : 'does not hold';
          throw failure(`${title} ${verdict}: ${text}`, place.stack);
        }
        await context.annotate(text, 'gate');
      });
    }

    function testOf(evalCase: EvalCase, setId: string, variant: string | undefined): void {
      const own = options.timeout === undefined ? timeoutOf(evalCase, opened) : toMilliseconds(options.timeout);
      // Longer than the case's own limit, whose error message is better. A concurrent case may have to wait for all
      // others.
      const timeout = Math.min(own * (isConcurrent ? count : 2), LONGEST_TIMER);
      const evaluate = async (signal: AbortSignal): Promise<EvaluatedCase> => {
        await begin();
        const key = JSON.stringify([setId, evalCase.evalId, variant]);
        held.begin(key);
        const evaluated = await opened.evaluateCase(setId, evalCase.evalId, { variant, signal, timeout: own });
        held.end(key, evaluated);
        return evaluated;
      };
      test(titleOf(evalCase, variant), { timeout, ...(isConcurrent ? { concurrent: true } : {}) }, async (context) => {
        const evaluated = await evaluate(context.signal).catch((error: unknown) => {
          throw plainError(error, place.stack);
        });
        context.task.meta.agentCriteria = metaOf(evaluated);
        const text = await failureText(evaluated);
        if (text !== null && gatesDecide() && evaluated.problems.length === 0) {
          // Skipped, because the gates decide whether the run passes.
          excused += 1;
          await context.annotate(text, 'notice');
          context.skip(`${evaluated.result.verdict}; the gates decide`);
        }
        if (text !== null) throw failure(text, place.stack);
        if (evaluated.result.verdict === 'informational') await context.annotate(measuredText(evaluated), 'notice');
        else await context.annotate(scoreLine(evaluated), 'scores');
        const cut = evaluated.result.units.filter(({ ending }) => ending.by === 'turn-limit').length;
        if (cut > 0) await context.annotate(turnLimitText(cut, evaluated.result.units.length), 'notice');
      });
    }
  });
}

function isSame(one: GateName, other: GateName): boolean {
  return one.name === other.name && one.variant === other.variant;
}

const optionNames = {
  agentName: true,
  calls: true,
  caseTimeout: true,
  compat: true,
  concurrency: true,
  concurrent: true,
  config: true,
  criterionTimeout: true,
  environment: true,
  filter: true,
  initialSessionFile: true,
  judgeModel: true,
  maskSecrets: true,
  models: true,
  name: true,
  plugins: true,
  prices: true,
  redact: true,
  registry: true,
  repeats: true,
  runsFolder: true,
  timeout: true,
  turnTimeout: true,
} as const satisfies Record<keyof DescribeEvalSetOptions, true>;

/** Returns the names of several agents, or `[undefined]` for a single one. */
function variantsOf(agent: object | string): readonly (string | undefined)[] {
  return isVariants(agent) ? Object.keys(agent.variants) : [undefined];
}

function isVariants(agent: object | string): agent is AgentVariants {
  return typeof agent === 'object' && Object.keys(agent).join() === 'variants';
}

function titleOf({ evalId }: EvalCase, variant: string | undefined): string {
  return safe(variant === undefined ? evalId : `${evalId} (${variant})`);
}

function gateTitle({ name, variant }: GateName): string {
  return safe(`gate ${name}${variant === undefined ? '' : ` (${variant})`}`);
}

/** Reports failed cases that were left to gates when some of the gates' data is missing. */
function unaskedText(excused: number, silent: readonly string[]): string {
  const cases = excused === 1 ? 'a case that did not pass was' : `${excused} cases that did not pass were`;
  return `${cases} left to the gates, but not everything ran that they need: ${silent.join(', ')} could not be asked`;
}

/** Reports conversations that passed but ended at their turn limit. */
function turnLimitText(cut: number, all: number): string {
  const which = all === 1 ? 'the conversation' : `${cut} of ${all} conversations`;
  return `Passed, at the turn limit: ${which} ended there, before the user had finished.`;
}

async function open(
  agent: AgentSource | AgentVariants | object,
  files: EvalSetFiles,
  folder: string,
  options: Omit<DescribeEvalSetOptions, 'config'> & { readonly config?: unknown },
): Promise<OpenedEvaluation> {
  checkOptions(options, optionNames);
  const inFolder = (path: string): string => resolve(folder, path);
  const { config, calls, initialSessionFile, registry, plugins, concurrent, runsFolder, timeout, name, ...rest } =
    options;
  const { cache, recording } = calls ?? {};
  const paths = pathsOf(files);
  if (paths?.length === 0) {
    throw new CriteriaError({ code: 'EMPTY', message: 'the list of files is empty, so nothing would be tested' });
  }
  const placed = (one: AgentSource | object) => (typeof one === 'string' && !isUrl(one) ? inFolder(one) : one);
  return openEvaluation({
    ...rest,
    agent: isVariants(agent) ? agentsOf(agent).map((one) => ({ ...one, agent: placed(one.agent) })) : placed(agent),
    evalSets: paths?.map(inFolder) ?? [files as EvalSetSource],
    config: typeof config === 'string' ? inFolder(config) : config,
    initialSessionFile: initialSessionFile && inFolder(initialSessionFile),
    registry: await projectRegistry(paths === null ? criteriaOf(config) : [], { registry, plugins }, folder),
    calls: calls && {
      ...calls,
      cache: typeof cache === 'string' ? inFolder(cache) : cache,
      recording: recording && { ...recording, file: recording.file && inFolder(recording.file) },
    },
    from: folder,
  });
}

/** Returns the names of the criteria in a config object. Configs in files load their own criteria. */
function criteriaOf(config: unknown): readonly string[] {
  if (config === undefined || config === null) return Object.keys(DEFAULT_CRITERIA);
  if (typeof config !== 'object' || !('criteria' in config) || typeof config.criteria !== 'object') return [];
  return Object.keys(config.criteria ?? {});
}

/** The parts of a test group that are used during collection. */
type TestGroup = Pick<SuiteCollector, 'suite' | 'tasks'>;

/** Gives tests the location of their group, which editors use to run the tests on a line. */
function locate({ tasks }: TestGroup, { suite }: TestGroup): void {
  if (suite?.location === undefined) return;
  for (const task of tasks) if (task.type !== 'collector') task.location = { ...suite.location };
}

/** Returns a test group and its ancestors. */
function lineOf(suite: RunnerTestSuite | undefined): readonly RunnerTestSuite[] {
  return suite === undefined ? [] : [suite, ...lineOf(suite.suite)];
}

/** Returns the time that the agent's limits allow, plus time for scoring. */
function timeoutOf(evalCase: EvalCase, { limits, repeats }: OpenedEvaluation): number {
  const { turnTimeout, caseTimeout } = limits;
  const turns = evalCase.conversation?.length ?? SIMULATED_TURNS;
  // Two more turns for opening and closing the session.
  return Math.min((turns + 2) * turnTimeout, caseTimeout + turnTimeout) * repeats + turnTimeout;
}

/** Returns a function that runs the work once, before the first test. If the work fails, every test fails. */
function beginOnce(work: () => Promise<void>): () => Promise<void> {
  let begun: Promise<void> | null = null;
  return () => {
    begun ??= work();
    return begun;
  };
}

/** Prints warnings and creates the run folder, once it is known which tests run. */
async function start(
  opened: OpenedEvaluation,
  suite: RunnerTestSuite | undefined,
  {
    runsFolder,
    variants,
  }: Pick<DescribeEvalSetOptions, 'runsFolder'> & { readonly variants: readonly (string | undefined)[] },
  folder: string,
): Promise<void> {
  printWarnings([
    ...opened.sets.flatMap(({ plan, warnings = plan.warnings }) => warnings),
    ...(opened.gates?.warnings ?? []),
  ]);
  if (runsFolder === undefined) return;
  const kept = newRunFolder(runsFolder === true ? opened.runsFolder : resolve(folder, runsFolder));
  await opened.persistTo(kept, chosenCases(opened, suite, variants));
  console.info(`This run is saved: agent-criteria report ${safe(kept)}`);
}

/** Returns the cases whose tests are not filtered out. */
function chosenCases(
  { sets }: OpenedEvaluation,
  suite: RunnerTestSuite | undefined,
  variants: readonly (string | undefined)[],
): readonly CaseToKeep[] {
  const groups = (suite?.tasks ?? []).flatMap((task) => (task.type === 'suite' ? [task] : []));
  return sets.flatMap(({ plan: { evalSet } }) => {
    const { evalSetId: setId, evalCases } = evalSet;
    const group = sets.length > 1 ? groups.find(({ name }) => name === safe(setId)) : suite;
    const names = chosenNames(group);
    return evalCases.flatMap((evalCase) =>
      variants.flatMap((variant) =>
        names.has(titleOf(evalCase, variant)) ? [{ setId, caseId: evalCase.evalId, variant }] : [],
      ),
    );
  });
}

/** Returns the names of a group's tests that are not filtered out. */
function chosenNames(group: RunnerTestSuite | undefined): ReadonlySet<string> {
  const chosen = (group?.tasks ?? []).filter(({ type, mode }) => {
    return type === 'test' && (mode === 'run' || mode === 'queued' || mode === 'only');
  });
  return new Set(chosen.map(({ name }) => name));
}

function printWarnings(problems: readonly Problem[]): void {
  if (problems.length > 0) console.warn(formatWarnings(problems, { color: isPainted() }).trimEnd());
}
