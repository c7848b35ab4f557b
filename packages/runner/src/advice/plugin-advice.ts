import { contentText, didYouMean, type EvalCase, toolCalls } from '@agent-criteria/core';
import {
  DEFAULT_JUDGE_MODEL,
  expectsNothing,
  type PluginAdvice,
  type Registry,
  type UnknownName,
} from '@agent-criteria/core/host';
import { closest } from '@agent-criteria/formats/schema';
import {
  installLine,
  type KnownCriterion,
  knownCriteria,
  knownProviders,
  knownSimulators,
  knownToolSimulators,
} from './known-plugins.ts';
import { workingModelName } from './working-model-name.ts';

const MOST_LISTED = 20;
const LEAST_OF_A_NAME = 8;

const CHECKS = '@agent-criteria/criteria-checks';

/** The only criterion that judges simulated users rather than agents. */
const OF_SIMULATED_USERS = 'per_turn_user_simulator_quality_v1';

const NOTHING_KNOWN: Surroundings = { installed: new Set(), looked: null };

/** Explains unregistered names using the list of our packages. */
export const pluginAdvice: PluginAdvice = pluginAdviceWith(NOTHING_KNOWN);

/** The packages that an application has discovered. */
export interface Surroundings {
  /** Our packages that are installed, whether or not they have been loaded. */
  readonly installed: ReadonlySet<string>;
  /**
   * Third-party packages that were searched for criteria, or `null` if no package is loaded automatically, not even
   * ours.
   */
  readonly looked: readonly string[] | null;
}

/** Like `pluginAdvice`, for an application that knows which packages are installed. */
export function pluginAdviceWith(surroundings: Surroundings): PluginAdvice {
  return {
    explainUnknown: (unknown, registry) => explainUnknown(unknown, registry, surroundings),
    installedCriteria: (cases, registry) =>
      surroundings.looked === null ? [] : installedCriteria(cases, registry, surroundings.installed),
    installableCriteria: (cases, registry) => installableCriteria(cases, registry, surroundings),
    wouldScore: (criterion, evalCase) => criterion !== 'tool_parameter_match' || expectsCalls(evalCase),
  };
}

/** Explains why a name is not registered and what to do about it: install, correct, port or omit it. */
export function explainUnknown(
  unknown: UnknownName,
  registry: Registry,
  surroundings: Surroundings = NOTHING_KNOWN,
): string {
  switch (unknown.kind) {
    case 'criterion':
      return unknownCriterion(registry, unknown.name, unknown.told ?? [], surroundings);
    case 'custom-metric':
      return unknownCustomMetric(unknown.name, unknown.function);
    case 'model':
      return unknownModel(registry, unknown.name, unknown.configured);
    case 'user-simulator':
      return unknownSimulator(registry, unknown.name);
    case 'tool-simulator':
      return unknownToolSimulator(registry, unknown.name);
  }
}

function unknownCriterion(
  registry: Registry,
  name: string,
  told: readonly string[],
  { installed, looked }: Surroundings,
): string {
  const known = knownCriteria.find((criterion) => criterion.name === name);
  if (known) {
    const use = 'import it or name it in "plugins"';
    const what = `the criterion "${name}" is not registered.`;
    if (installed.has(known.package)) return `${what} Its package ${known.package} is installed: ${use}`;
    const then = looked === null ? `, then ${use}` : '';
    return `${what} It is part of ${known.package}: ${installLine(known.package)}${then}`;
  }
  const registered = registry.list('criterion').map((criterion) => criterion.name);
  const hint = nearCriterion(name, [...registered, ...knownCriteria.map((criterion) => criterion.name)]);
  const more = registered.length > MOST_LISTED ? `, and ${registered.length - MOST_LISTED} more` : '';
  const shown = registered.slice(0, MOST_LISTED).join(', ');
  const list = registered.length === 0 ? 'none is registered' : `registered: ${shown}${more}`;
  // A list would distract from the suggestion.
  const isTold = told.some((message) => message.includes(list));
  const otherwise = hint || (isTold ? '' : ` (${list})${otherSources(looked)}`);
  return `there is no criterion named "${name}"${otherwise}`;
}

/** Describes where else the criterion might come from. */
function otherSources(looked: readonly string[] | null): string {
  const name = 'name the package under "plugins" or import it';
  if (looked === null) return `. If a package provides it, ${name}`;
  const where =
    looked.length === 0
      ? 'no dependency of the project has the keyword "agent-criteria-plugin"'
      : `looked in ${looked.join(', ')} too`;
  return `; ${where}. If another package provides it, name the package under "plugins"`;
}

/** Suggests the criterion that was probably meant. Also matches the beginning of a name, as in `tool_trajectry`. */
function nearCriterion(written: string, names: readonly string[]): string {
  const whole = didYouMean(written, names);
  if (whole !== '') return whole;
  const beginnings = new Map<string, string>();
  for (const name of names) {
    const words = name.split('_');
    for (let count = 1; count < words.length; count++) {
      const beginning = words.slice(0, count).join('_');
      // A short prefix resembles too many words.
      if (beginning.length >= LEAST_OF_A_NAME && !beginnings.has(beginning)) beginnings.set(beginning, name);
    }
  }
  const near = closest(written, beginnings.keys());
  return near === undefined ? '' : `; did you mean "${beginnings.get(near)}"?`;
}

/** Explains why a custom metric's function cannot run, and what to do: load it, port it, or register a criterion. */
function unknownCustomMetric(name: string, functionName: string): string {
  const instead = `Or register a criterion named "${name}" (defineCriterion, then "plugins" or registerPlugin) that does the same`;
  if (functionName.includes('#')) {
    return `the function "${functionName}" is not loaded: loadPlan of @agent-criteria/project does that. ${instead}`;
  }
  const words = functionName.split('.').filter((word) => /^\w+$/.test(word));
  const exported = words.at(-1) ?? 'evaluate';
  const file = words.at(-2) ?? 'custom_metrics';
  return (
    `"${functionName}" is a function in Python, which cannot be called from here. Port it: ` +
    `function ${exported}(evalMetric, actualInvocations, expectedInvocations, conversationScenario), returning ` +
    `{ perInvocationResults: [{ score }] } with one entry for each actual invocation, and name it "./${file}.ts#${exported}". ${instead}`
  );
}

/**
 * Explains why there is no model with this name, and what to do: install its provider, or name another model.
 * @param configured The names of the models that the caller configured.
 */
function unknownModel(registry: Registry, name: string, configured: readonly string[]): string {
  const asked = name === 'judge' ? DEFAULT_JUDGE_MODEL : name;
  const installed = new Set(registry.list('model-provider').map(({ origin }) => origin.package));
  const missing = knownProviders.filter((provider) => !installed.has(provider.package));
  const known = missing.find((provider) => provider.accepts.test(asked));
  const what =
    name === 'judge'
      ? `no judge model is set, and no provider for the default, ${asked}, is registered`
      : `no provider for the model "${name}" is registered${didYouMean(name, configured)}`;
  const working = workingModelName(asked);
  if (working !== null && !configured.includes(asked))
    return `${what}. ${working[0]?.toUpperCase()}${working.slice(1)}. Or set your own model under "models" in agent-criteria.config`;
  const from = known === undefined ? '' : `. It comes with ${known.package}: ${installLine(known.package)}`;
  // Sort, because the order of registration depends on the bundler.
  const providers = registry
    .list('model-provider')
    .map((provider) => provider.names ?? provider.name)
    .sort();
  const there = [...configured.map((own) => `"${own}"`), ...providers];
  const list = there.length === 0 ? 'no model is configured' : `there are ${there.join(', ')}`;
  const understood = missing.map(({ names, package: brings }) => `${names} of ${brings}`).join('; ');
  const others = known === undefined && missing.length > 0 ? `. Providers that can be installed: ${understood}` : '';
  return `${what} (${list})${from}${others}. Or name another model: "judgeModel" and "models" in agent-criteria.config, or --judge-model`;
}

/** Explains why there is no simulated user of this type. */
function unknownSimulator(registry: Registry, name: string): string {
  if (name === 'llm_audio') return 'spoken conversations (llm_audio) are not supported: use "llm_backed"';
  const packageName = knownSimulators.get(name);
  if (packageName) {
    return `no simulator of the type "${name}" is registered: ${installLine(packageName)}, then import it`;
  }
  const registered = registry.list('user-simulator').map((simulator) => simulator.name);
  const names = [...new Set([...registered, ...knownSimulators.keys()])];
  return `there is no simulator of the type "${name}"${didYouMean(name, names)} (known: ${names.join(', ')})`;
}

/** Explains why there is no tool simulator of this name. */
function unknownToolSimulator(registry: Registry, name: string): string {
  const packageName = knownToolSimulators.get(name);
  if (packageName)
    return `no tool simulator named "${name}" is registered: ${installLine(packageName)}, then import it`;
  const registered = registry.list('tool-simulator').map((simulator) => simulator.name);
  const names = [...new Set([...registered, ...knownToolSimulators.keys()])];
  return `there is no mock_strategy_type "${name}"${didYouMean(name, names)} (known: ${names.join(', ')})`;
}

/** Lists criteria from our installed packages that judge the agent and would apply to at least one of these cases. */
function installedCriteria(
  cases: readonly EvalCase[],
  registry: Registry,
  installed: ReadonlySet<string>,
): readonly string[] {
  const fitting = knownCriteria.filter(
    (known) =>
      installed.has(known.package) &&
      known.name !== OF_SIMULATED_USERS &&
      registry.get('criterion', known.name) === undefined &&
      cases.some((one) => fitsWhenInstalled(known, one)),
  );
  // Checks need options, so list other criteria first.
  return fitting.toSorted((a, b) => Number(a.package === CHECKS) - Number(b.package === CHECKS)).map(nameWithRubrics);
}

/**
 * Lists unregistered criteria from our packages that would apply to at least one of these cases, with how to install
 * them.
 */
function installableCriteria(
  cases: readonly EvalCase[],
  registry: Registry,
  { installed, looked }: Surroundings,
): readonly string[] {
  const byPackage = new Map<string, string[]>();
  for (const known of knownCriteria) {
    const isRegistered = registry.get('criterion', known.name) !== undefined;
    if (isRegistered || !cases.some((one) => fitsWhenInstalled(known, one))) continue;
    const brought = byPackage.get(known.package) ?? [];
    byPackage.set(known.package, [...brought, nameWithRubrics(known)]);
  }
  // Checks need options, so list other criteria first.
  const inOrder = [...byPackage].sort(([a], [b]) => Number(a === CHECKS) - Number(b === CHECKS));
  return inOrder.map(([name, brought]) => {
    const use = looked === null ? 'import it, or name it in "plugins"' : 'name them in the config';
    const how = installed.has(name) ? `${name} is installed: ${use}` : installLine(name);
    return `${brought.join(', ')} (${how})`;
  });
}

function nameWithRubrics({ name, needsRubrics }: KnownCriterion): string {
  return needsRubrics ? `${name} with rubrics` : name;
}

/** Whether an expected turn lists tool calls, whose arguments can be compared. */
function expectsCalls({ conversation }: EvalCase): boolean {
  return (conversation ?? []).some((turn) => toolCalls(turn).length > 0);
}

function fitsWhenInstalled({ name, referenceBased, measuredByDefault }: KnownCriterion, evalCase: EvalCase): boolean {
  if (measuredByDefault === true) return false;
  if (name === OF_SIMULATED_USERS) return Boolean(evalCase.conversationScenario);
  if (!referenceBased) return true;
  // Every expected turn is a reference for tool calls, because a turn that lists none expects none.
  if (name === 'tool_trajectory_avg_score')
    return (evalCase.conversation ?? []).length > 0 && !expectsNothing(evalCase);
  if (name === 'tool_parameter_match') return expectsCalls(evalCase);
  return (evalCase.conversation ?? []).some((turn) => contentText(turn.finalResponse).trim() !== '');
}
