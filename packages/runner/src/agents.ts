import { untilAborted } from '@agent-criteria/calls';
import {
  type Agent,
  type AgentDescription,
  type AgentFunction,
  CriteriaError,
  didYouMean,
  type Problem,
  toErrorInfo,
} from '@agent-criteria/core';
import { defaultRegistry, type Plan, type Registry } from '@agent-criteria/core/host';
import { agentsIn } from './engine/environment.ts';
import { agentFromFunction } from './function-agent/agent-from-function.ts';

/**
 * An agent under test, given as a value: a function, an object with `open`, or a value that a registered adapter
 * accepts.
 */
export type AgentInput = AgentFunction | Agent | AdkAgent | AiSdkAgent;

/** The properties that distinguish an `@google/adk` agent or App from other objects. */
export type AdkAgent = { readonly runAsync: unknown; readonly name: string } | { readonly rootAgent: object };

/** The properties that distinguish an agent of the AI SDK from other objects. */
export interface AiSdkAgent {
  readonly version: 'agent-v1';
  readonly generate: unknown;
  readonly stream: unknown;
}

/** An agent and the module that exports it, so that a resumed run can tell whether the agent has changed. */
export interface LoadedAgent {
  readonly agent: AgentInput;
  /** The agent's module or URL. */
  readonly agentPath?: string | undefined;
  /** The name by which the agent was selected from its module, if any. A resumed run needs it. */
  readonly agentName?: string | undefined;
}

/**
 * The agent under test, or several by name. Every case runs with each agent, so that they can be compared side by side.
 */
export type AgentOption<A = AgentInput> =
  | {
      readonly agent: A;
      readonly variants?: undefined;
    }
  | {
      readonly agent?: undefined;
      /** Each name has 1 to 64 letters, digits, `-`, `_` or `.`, and starts with a letter or digit. */
      readonly variants: Readonly<Record<string, A>>;
    };

/** One agent, or several by name, checked only when the run starts. Meant for options that are assembled from parts. */
export interface RunAgents {
  readonly agent?: AgentInput | LoadedAgent | undefined;
  /**
   * Several agents by name, instead of `agent`. Every case runs with each of them, so that they can be compared side by
   * side.
   */
  readonly variants?: Readonly<Record<string, AgentInput | LoadedAgent>> | undefined;
}

/** Returns the named agents in order. @throws CriteriaError USAGE for invalid names. */
export function agentsOf<A>(option: {
  readonly agent?: undefined;
  readonly variants: Readonly<Record<string, A>>;
}): readonly { readonly variant: string; readonly agent: A }[];
/**
 * Returns the agent, or the named ones in order.
 * @throws CriteriaError USAGE if neither or both are given, or for invalid names.
 */
export function agentsOf<A>(option: {
  readonly agent?: A | undefined;
  readonly variants?: Readonly<Record<string, A>> | undefined;
}): A | readonly { readonly variant: string; readonly agent: A }[];
export function agentsOf<A>({
  agent,
  variants,
}: {
  readonly agent?: A | undefined;
  readonly variants?: Readonly<Record<string, A>> | undefined;
}): A | readonly { readonly variant: string; readonly agent: A }[] {
  const usage = (message: string) => new CriteriaError({ code: 'USAGE', message });
  if (variants === undefined) {
    if (agent !== undefined) return agent;
    throw usage('there is no agent: give one as agent, or several by name as variants');
  }
  if (agent !== undefined) {
    throw usage('agent and variants are both given: name one agent, or several as variants');
  }
  if (typeof variants !== 'object' || variants === null || Array.isArray(variants)) {
    throw usage('variants must be an object of agents by name, as { fast: agent }');
  }
  const problems = variantProblems(Object.keys(variants));
  if (problems.length > 0) throw new CriteriaError(problems);
  return Object.entries(variants).map(([variant, one]) => ({ variant, agent: one }));
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Lists the problems with variant names. Names must differ in more than case, because files are named after them. */
export function variantProblems(names: readonly string[]): readonly Problem[] {
  if (names.length === 0) {
    return [{ code: 'USAGE', message: 'the list of variants is empty: name at least one, or pass a single agent' }];
  }
  return names.flatMap((name, index): Problem[] => {
    if (!NAME.test(name)) {
      const message = `"${name}" cannot be the name of a variant: use 1 to 64 letters, digits, "-", "_" and ".", beginning with a letter or a digit`;
      return [{ code: 'USAGE', message }];
    }
    const first = names.findIndex((other) => other.toLowerCase() === name.toLowerCase());
    if (first === index) return [];
    const other = names[first] ?? '';
    const why = other === name ? '' : `, which differs from "${other}" only in case`;
    return [{ code: 'USAGE', message: `there are two variants named "${name}"${why}; give each its own name` }];
  });
}

/** An agent as the engine runs it. The only agent of a run without variants has no name. */
export interface EngineVariant {
  readonly variant?: string | undefined;
  /** The agent, or `null` if recorded inferences are scored without running one. */
  readonly agent: Agent | null;
}

/** An agent that is ready to run. */
export interface ReadyAgent extends EngineVariant {
  readonly agent: Agent;
  /** Its module or URL, if known. */
  readonly path: string | null;
  readonly agentName?: string | undefined;
}

/**
 * Prepares a run's agents.
 * @throws CriteriaError USAGE for invalid names, or AGENT_NOT_FOUND listing every value that is not an agent.
 */
export async function readyAgents(option: RunAgents, registry?: Registry): Promise<readonly ReadyAgent[]> {
  const asked = agentsOf(option);
  const ready: ReadyAgent[] = [];
  await forEachVariant(Array.isArray(asked) ? asked : [{ agent: asked }], async ({ variant, agent: given }) => {
    const { agent, agentPath, agentName } = isLoaded(given) ? given : { agent: given };
    const named = variant === undefined ? {} : { variant };
    ready.push({ ...named, agent: toAgent(agent, registry), path: agentPath ?? null, agentName });
  });
  return ready;
}

/** Converts prepared agents back to the options of a run. */
export function runAgents(agents: readonly ReadyAgent[]): RunAgents {
  const [first] = agents;
  if (first?.variant === undefined) return { agent: first?.agent };
  return { variants: Object.fromEntries(agents.map(({ variant, agent }) => [variant, agent])) };
}

const LOADED_KEYS: readonly string[] = ['agent', 'agentPath', 'agentName'] satisfies (keyof LoadedAgent)[];

function isLoaded(given: AgentInput | LoadedAgent): given is LoadedAgent {
  if (typeof given !== 'object' || given === null || !Object.hasOwn(given, 'agent')) return false;
  // Other objects may also have an `agent` property.
  return Object.keys(given).every((key) => LOADED_KEYS.includes(key));
}

function toAgent(value: unknown, registry: Registry = defaultRegistry()): Agent {
  const isAgent = typeof value === 'function' || (typeof value === 'object' && value !== null && 'open' in value);
  const adapter = isAgent ? undefined : registry.list('agent-adapter').find((one) => one.accepts(value));
  return adapter?.adapt(value, '') ?? agentFromValue(value);
}

/**
 * Creates an agent from a function, or returns an object with `open` unchanged.
 * @throws CriteriaError AGENT_NOT_FOUND describing any other value.
 */
export function agentFromValue(value: unknown, name?: string): Agent {
  if (typeof value === 'function') {
    if (/^class\b/.test(Function.prototype.toString.call(value))) {
      const message = 'a class is not an agent: export an instance of it that has an open method, or a function';
      throw new CriteriaError({ code: 'AGENT_NOT_FOUND', message });
    }
    return agentFromFunction(value as AgentFunction, name);
  }
  if (typeof value === 'object' && value !== null && 'open' in value && typeof value.open === 'function')
    return value as Agent;
  const found = value === null ? 'null' : `a value of type ${typeof value}`;
  throw new CriteriaError({
    code: 'AGENT_NOT_FOUND',
    message: `${found} is not an agent: use an async function (message, session) => answer, an object with an open method, or register the adapter of its framework`,
  });
}

/**
 * Calls a function for each variant.
 * @throws CriteriaError collecting the problems of all variants, each with the variant's name.
 */
export async function forEachVariant<V extends { readonly variant?: string | undefined }>(
  variants: readonly V[],
  work: (variant: V) => Promise<void>,
): Promise<void> {
  const problems: Problem[] = [];
  let cause: unknown;
  for (const one of variants) {
    try {
      await work(one);
    } catch (error) {
      const { variant } = one;
      if (!CriteriaError.is(error) || variant === undefined) throw error;
      problems.push(
        ...error.problems.map((problem) => ({ ...problem, message: `variant "${variant}": ${problem.message}` })),
      );
      cause ??= error.cause;
    }
  }
  if (problems.length > 0) throw new CriteriaError(problems, { cause });
}

/** Returns the names of the variants. Empty for a single unnamed agent. */
export function variantNames(variants: readonly { readonly variant?: string | undefined }[]): string[] {
  return variants.flatMap(({ variant }) => (variant === undefined ? [] : [variant]));
}

/** An agent as described in a run folder. */
export interface AgentFacts {
  readonly name: string;
  /** Its module or URL, if known. */
  readonly path: string | null;
  /** The name of the export that was selected from its module, if any. */
  readonly agentName?: string | undefined;
}

/** A run's agents as described in its folder. */
export interface RunAgentFacts {
  readonly agent: AgentFacts;
  /** The variants, if there are several agents. */
  readonly variants?: readonly (AgentFacts & { readonly variant: string })[] | undefined;
}

/** Describes a run's agents for its folder. */
export function agentFacts(agents: readonly ReadyAgent[]): RunAgentFacts {
  const variants = agents.flatMap(({ variant, agent: { name }, path, agentName }) =>
    variant === undefined ? [] : [{ variant, name, path, agentName }],
  );
  if (variants.length > 0) return { agent: { name: variantNames(variants).join(', '), path: null }, variants };
  const [first] = agents;
  return { agent: { name: first?.agent.name ?? '', path: first?.path ?? null, agentName: first?.agentName } };
}

/**
 * Rejects stubbed cases if the agent's real tools would be called unnoticed, because the agent does not support stubs
 * or has no tool with the stubbed name.
 * @throws CriteriaError INVALID_CONFIG listing each problem once.
 */
export function checkStubs(plans: readonly Plan[], agents: readonly ReadyAgent[], signal?: AbortSignal): Promise<void> {
  const stubbed = plans.filter(({ stubs }) => stubs.size > 0);
  return forEachVariant(agents, async ({ agent }) => {
    if (stubbed.length === 0) return;
    const description = agent.supportsStubs === true ? await descriptionOf(agent, signal) : null;
    const names = description === null ? null : toolNames(description);
    const ofModel = description === null ? [] : agentsIn(description).flatMap(({ modelTools = [] }) => modelTools);
    const problems = stubbed.flatMap((plan) =>
      agent.supportsStubs === true
        ? [...unknownTools(plan, agent, names), ...modelTools(plan, agent, ofModel)]
        : [unsupported(plan, agent)],
    );
    if (problems.length > 0) throw new CriteriaError(problems);
  });
}

/**
 * Asks each agent whether anything would break all of its sessions. Reports nothing after an abort.
 * @throws CriteriaError with the problems of all agents.
 */
export function checkAgents(agents: readonly ReadyAgent[], signal: AbortSignal | undefined): Promise<void> {
  return forEachVariant(agents, async ({ agent }) => {
    if (signal?.aborted) return;
    try {
      await checkAgent(agent, signal);
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  });
}

/**
 * Returns a function that checks agents like `checkAgents`, but asks each agent only once. A check does not stop when
 * the signal aborts, because others may be waiting for it; only the caller stops waiting.
 */
export function agentChecks(): typeof checkAgents {
  const checks = new Map<ReadyAgent, Promise<void>>();
  return async (agents, signal) => {
    const checkAll = () =>
      forEachVariant(agents, (one) => {
        const check = checks.get(one) ?? checkAgent(one.agent, undefined);
        checks.set(one, check);
        return check;
      });
    try {
      await (signal === undefined ? checkAll() : untilAborted(checkAll, signal));
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  };
}

async function checkAgent(agent: Agent, signal: AbortSignal | undefined): Promise<void> {
  const problems = (await agent.check?.(signal)) ?? [];
  if (problems.length > 0) throw new CriteriaError(problems);
}

function unsupported({ stubs, evalSet }: Plan, agent: Agent): Problem {
  const [caseId, [stub] = []] = [...stubs][0] ?? [];
  const what = stub === undefined ? 'allows no unlisted tools (unlisted_tools)' : `stubs the tool "${stub.toolName}"`;
  const message =
    `the case "${caseId}" of "${evalSet.evalSetId}" ${what}, but the agent "${agent.name}" ` +
    'does not support stubs, so its real tools would be called: agents of @google/adk support them, and any agent with supportsStubs; ' +
    `or remove ${stub === undefined ? 'unlisted_tools' : 'tool_simulation_configs'}`;
  return { code: 'INVALID_CONFIG', message };
}

/** Reports stubs for tools that the agent does not have. */
function unknownTools({ stubs, evalSet }: Plan, agent: Agent, names: ReadonlySet<string> | null): readonly Problem[] {
  if (names === null) return [];
  return firstCases(stubs, (toolName) => !names.has(toolName)).map(([toolName, caseId]) => {
    const list = names.size === 0 ? 'it has none' : `it has ${[...names].slice(0, 50).join(', ')}`;
    const message =
      `the case "${caseId}" of "${evalSet.evalSetId}" stubs the tool "${toolName}", which the agent "${agent.name}" does not ` +
      `have${didYouMean(toolName, names)} (${list})`;
    return { code: 'INVALID_CONFIG', message };
  });
}

/** Reports stubs for tools that the model's service runs itself, on which stubs have no effect. */
function modelTools(
  { stubs, evalSet, environments }: Plan,
  agent: Agent,
  ofModel: readonly string[],
): readonly Problem[] {
  const hermetic = [...environments].find(([, { config }]) => config.unlistedTools === 'error');
  const [unlisted] = ofModel;
  const open =
    hermetic === undefined || unlisted === undefined
      ? []
      : [
          {
            code: 'INVALID_CONFIG' as const,
            message:
              `the case "${hermetic[0]}" of "${evalSet.evalSetId}" allows no unlisted tools (unlisted_tools), but the model's own service runs the tool ` +
              `"${unlisted}" of the agent "${agent.name}", where nothing can stop it: set unlisted_tools to "real", or give the agent its own tool instead`,
          },
        ];
  const replaced = firstCases(stubs, (toolName) => ofModel.includes(toolName)).map(([toolName, caseId]) => {
    const message =
      `the case "${caseId}" of "${evalSet.evalSetId}" stubs the tool "${toolName}" of the agent "${agent.name}", which the model's ` +
      'own service runs: no stub can replace it; remove the stub, or give the agent its own tool instead';
    return { code: 'INVALID_CONFIG' as const, message };
  });
  return [...replaced, ...open];
}

/** Returns the matching stubbed tools, each with the first case that stubs it. */
function firstCases(
  stubs: Plan['stubs'],
  matches: (toolName: string) => boolean,
): readonly (readonly [toolName: string, caseId: string])[] {
  const cases = new Map<string, string>();
  for (const [caseId, configs] of stubs) {
    for (const { toolName } of configs) if (matches(toolName) && !cases.has(toolName)) cases.set(toolName, caseId);
  }
  return [...cases];
}

/** @throws CriteriaError AGENT_FAILED if the agent cannot be created. */
async function descriptionOf(agent: Agent, signal?: AbortSignal): Promise<AgentDescription | null> {
  try {
    return (await agent.describe?.(signal)) ?? null;
  } catch (cause) {
    signal?.throwIfAborted();
    if (CriteriaError.is(cause)) throw cause;
    const message =
      `the tools of the agent "${agent.name}" cannot be listed, so its stubs cannot be checked: ` +
      toErrorInfo(cause).message;
    throw new CriteriaError({ code: 'AGENT_FAILED', message }, { cause });
  }
}

/** Returns the tools of an agent and its sub-agents, or `null` if not all are known. */
function toolNames(description: AgentDescription): ReadonlySet<string> | null {
  const agents = agentsIn(description);
  const names = new Set<string>();
  for (const { tools = [], toolsMissing } of agents) {
    if (toolsMissing !== undefined) return null;
    for (const { name } of tools) if (typeof name === 'string') names.add(name);
  }
  // ADK adds this tool to every agent that has another to transfer to.
  if (agents.length > 1) names.add('transfer_to_agent');
  return names;
}
