import {
  type AgentDescription,
  type ConversationScenario,
  CriteriaError,
  contentText,
  type LanguageModel,
  toErrorInfo,
} from '@agent-criteria/core';
import { generationRequest } from './generation-prompt.ts';
import { readScenarios } from './read-scenarios.ts';
import { ATTACKER, personasOf, planAims, type ScenarioAim, type Situation, toolNames } from './scenario-aims.ts';
import { isSimilar } from './similar-scenarios.ts';

/** The number of scenarios in a request: many at first, and few for those that are still missing. */
const BATCHES = [5, 3, 1] as const;

/** The number of existing scenarios, counted from the end, that the model is shown. All are compared with its answers. */
const MOST_SHOWN = 200;

export interface GenerateScenariosOptions {
  /** The agent, as `Agent.describe` returns it. */
  readonly agent: AgentDescription;
  /** The number of scenarios to write, from 1 to 1,000. */
  readonly count: number;
  /** The model that writes them. Its calls are the caller's: retries, cache, recordings and budget are layered around it. */
  readonly model: LanguageModel;
  /** Ids of built-in personas. `ATTACKER` gets scenarios of misuse. Default: all of them. */
  readonly personas?: readonly string[] | undefined;
  /** The behaviour that the scenarios should test. Default: none in particular. */
  readonly instruction?: string | null | undefined;
  /** Facts that the agent's tools find. Default: none. */
  readonly environmentContext?: string | null | undefined;
  /** Scenarios that must not be repeated. Default: none. */
  readonly existing?: readonly ConversationScenario[] | undefined;
  /**
   * Chooses which situations, personas and tools the scenarios aim at, and is passed to the model: an integer from 0.
   * Default: 0, and no seed for the model.
   */
  readonly seed?: number | undefined;
  /** Stops asking; scenarios written before are returned. Default: never. */
  readonly signal?: AbortSignal | undefined;
}

/** A new scenario, and its aim. */
export interface GeneratedScenario {
  readonly scenario: ConversationScenario;
  readonly situation: Situation;
  /** The tool that the agent should need, or `null` if it does not matter. */
  readonly tool: string | null;
}

export interface GeneratedScenarios {
  readonly scenarios: readonly GeneratedScenario[];
  /** The number of scenarios left out because they repeat another one. */
  readonly duplicates: number;
  /** Why scenarios are missing, each reason once. Empty if none is. */
  readonly problems: readonly string[];
  /** The aims of the scenarios. Whether the agent does what they aim at shows only in a run. */
  readonly coverage: ScenarioCoverage;
}

export interface ScenarioCoverage {
  readonly situations: Readonly<Record<string, number>>;
  readonly personas: Readonly<Record<string, number>>;
  /** The number of scenarios for every tool of the agent, with 0 for those that none aims at. */
  readonly tools: Readonly<Record<string, number>>;
  /** Why the tools are incomplete, or `null` if they are complete as far as the agent says. */
  readonly toolsMissing: string | null;
}

/**
 * Lets a model write scenarios for simulated users, from what an agent says of itself. The scenarios are spread over
 * situations, personas and tools; those that repeat another one are left out and asked for again, twice at most.
 *
 * @throws CriteriaError USAGE for a count or seed out of range, INVALID_DATA for an unknown persona; and the error of
 *   the first call if all calls failed.
 */
export async function generateScenarios(options: GenerateScenariosOptions): Promise<GeneratedScenarios> {
  const { agent, count, personas = [], existing = [], seed, signal } = options;
  checkWhole('count', count, 1, 1000);
  if (seed !== undefined) checkWhole('seed', seed, 0, 2 ** 31 - 1);
  const tools = toolNames(agent);
  const aims = planAims({ count, tools, personas: personasOf(personas), seed: seed ?? 0 });
  const written = new Map<number, ConversationScenario>();
  const problems = new Set<string>();
  let duplicates = 0;
  let failure: unknown;

  for (const [round, size] of BATCHES.entries()) {
    const open = aims.map((_, index) => index).filter((index) => !written.has(index));
    if (open.length === 0 || signal?.aborted) break;
    const before = [...existing, ...written.values()];
    const batches = chunks(open, size);
    const answers = await Promise.allSettled(
      batches.map((batch) => ask(options, { aims: batch.map((index) => aims[index] as ScenarioAim), before, round })),
    );
    problems.clear();
    for (const [at, answer] of answers.entries()) {
      const batch = batches[at] as readonly number[];
      if (answer.status === 'rejected') {
        failure ??= answer.reason;
        problems.add(`a call failed: ${toErrorInfo(answer.reason).message}`);
        continue;
      }
      if ('problem' in answer.value) {
        problems.add(answer.value.problem);
        continue;
      }
      for (const [place, index] of batch.entries()) {
        const found = answer.value.scenarios.get(place);
        if (found === undefined) {
          problems.add('an answer lacks a scenario, or one of its texts');
          continue;
        }
        const scenario = { ...found, userPersona: personaFor((aims[index] as ScenarioAim).persona) };
        if ([...existing, ...written.values()].some((other) => isSimilar(scenario, other))) {
          duplicates += 1;
          problems.add('the model repeated scenarios that exist');
        } else written.set(index, scenario);
      }
    }
  }
  if (written.size === 0 && failure !== undefined) throw failure;
  const isComplete = written.size === count;
  if (signal?.aborted && !isComplete) problems.add('it was stopped');
  const scenarios = [...written]
    .toSorted(([a], [b]) => a - b)
    .map(([index, scenario]) => {
      const { situation, tool } = aims[index] as ScenarioAim;
      return { scenario, situation, tool };
    });
  return {
    scenarios,
    duplicates,
    problems: isComplete ? [] : [...problems],
    coverage: coverageOf(scenarios, tools, agent),
  };
}

interface Batch {
  readonly aims: readonly ScenarioAim[];
  readonly before: readonly ConversationScenario[];
  readonly round: number;
}

async function ask(options: GenerateScenariosOptions, { aims, before, round }: Batch) {
  const { agent, model, instruction, environmentContext, seed, signal = new AbortController().signal } = options;
  const existing = before.slice(-MOST_SHOWN).map(({ startingPrompt }) => startingPrompt);
  const request = generationRequest({ agent, aims, existing, instruction, environmentContext, seed, round });
  const answer = await model.generate(request, signal);
  return readScenarios(
    answer,
    aims.length,
    request.messages.map((one) => contentText(one)),
  );
}

/** Returns a persona by its id, and ATTACKER in full, because ADK rejects a scenario that names it. */
function personaFor(persona: ScenarioAim['persona']): ConversationScenario['userPersona'] {
  return persona.id === ATTACKER ? persona : persona.id;
}

function coverageOf(
  scenarios: readonly GeneratedScenario[],
  tools: readonly string[],
  { toolsMissing }: AgentDescription,
): ScenarioCoverage {
  const count = (names: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts;
  };
  const byTool = count(scenarios.flatMap(({ tool }) => tool ?? []));
  return {
    situations: Object.fromEntries(count(scenarios.map(({ situation }) => situation))),
    personas: Object.fromEntries(
      count(
        scenarios.map(({ scenario: { userPersona } }) =>
          typeof userPersona === 'string' ? userPersona : (userPersona?.id ?? ''),
        ),
      ),
    ),
    tools: Object.fromEntries(tools.map((tool) => [tool, byTool.get(tool) ?? 0])),
    toolsMissing: toolsMissing ?? null,
  };
}

function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

function checkWhole(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const message = `${name} must be a whole number from ${least} to ${most}, and is ${value}`;
  throw new CriteriaError({ code: 'USAGE', message });
}
