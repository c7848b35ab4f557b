import {
  type Agent,
  type AgentDescription,
  CriteriaError,
  type State,
  type Tools,
  type Unit,
  type UnitKey,
} from '@agent-criteria/core';
import {
  type Caller,
  type PlannedEnvironment,
  type SimulatedTools,
  type ToolEnvironment,
  type ToolSimulator,
  toolNamesOf,
} from '@agent-criteria/core/host';
import { isObject } from '@agent-criteria/formats';
import { copyJson } from '../copy-json.ts';

export interface EnvironmentOptions {
  readonly planned: PlannedEnvironment;
  readonly agent: Agent;
  readonly unit: Unit;
  readonly key: UnitKey;
  readonly signal: AbortSignal;
  /** Creates the tools with which a simulator calls models. */
  tools(simulator: string): Tools;
  /** Returns the zero-based index of the turn in progress. */
  turn(): number;
}

/** Describes a tool simulator as a caller of models. Each of its calls belongs to the turn in progress. */
export function simulatorCaller(key: UnitKey, name: string, turn: () => number): Caller {
  return {
    role: 'tool',
    key,
    name,
    get turn() {
      return turn();
    },
  };
}

/**
 * Opens the simulated environment of one session. Each simulator is opened with its first call, and answers one call after the
 * other, so that calls made at the same time see each other's effects in a fixed order.
 */
export function openEnvironment(options: EnvironmentOptions): ToolEnvironment {
  const { planned, unit, key, signal, agent } = options;
  const { config, simulators } = planned;
  const opened = new Map<ToolSimulator, SimulatedTools>();
  const counts = new Map<string, number>();
  let before: Promise<unknown> = Promise.resolve();

  function open(simulator: ToolSimulator): SimulatedTools {
    let session = opened.get(simulator);
    if (session === undefined) {
      const toolNames = toolNamesOf(simulators, simulator);
      const start = {
        key,
        case: copyJson(unit.case),
        toolNames,
        environment: copyJson(config),
        declarations: () => declarationsOf(agent, signal),
      };
      session = simulator.open(start, options.tools(simulator.name));
      opened.set(simulator, session);
    }
    return session;
  }
  async function answerNext(simulator: ToolSimulator, tool: string, args: State, index: number): Promise<State> {
    signal.throwIfAborted();
    const answer = await open(simulator).answer({ tool, args, index, turn: options.turn() });
    if (isObject(answer)) return copyJson(answer) as State;
    const message = `the tool simulator "${simulator.name}" gave no object as the answer of "${tool}"`;
    throw new CriteriaError({ code: 'CALL_FAILED', message });
  }
  return {
    unlistedTools: config.unlistedTools ?? 'real',
    async answer({ tool, args }) {
      const simulator = simulators.get(tool);
      if (simulator === undefined) {
        throw new CriteriaError({ code: 'NOT_SUPPORTED', message: `no simulator answers for the tool "${tool}"` });
      }
      const index = counts.get(tool) ?? 0;
      counts.set(tool, index + 1);
      const own = before.then(() => answerNext(simulator, tool, args, index));
      // A call after a failed one is answered or fails by itself.
      before = own.catch(() => undefined);
      return own;
    },
  };
}

const described = new WeakMap<Agent, Promise<readonly State[] | null>>();

/** Returns the declarations of an agent's tools, or `null` if they cannot be listed. Asks each agent once. */
function declarationsOf(agent: Agent, signal: AbortSignal): Promise<readonly State[] | null> {
  const known = described.get(agent);
  if (known !== undefined) return known;
  const asked = (async () => {
    const description = (await agent.describe?.(signal)) ?? null;
    return description === null ? null : agentsIn(description).flatMap(({ tools = [] }) => tools);
  })().catch(() => {
    described.delete(agent);
    return null;
  });
  described.set(agent, asked);
  return asked;
}

/** Lists an agent and all its sub-agents. */
export function agentsIn(description: AgentDescription): readonly AgentDescription[] {
  const found = [description];
  for (const { agents = [] } of found) found.push(...agents);
  return found;
}
