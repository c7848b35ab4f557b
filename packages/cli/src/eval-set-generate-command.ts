import {
  type Agent,
  type AgentDescription,
  type ConversationScenario,
  CriteriaError,
  type LanguageModel,
  type State,
} from '@agent-criteria/core';
import { counted, createRegistry, defaultRegistry, pluginsOf } from '@agent-criteria/core/host';
import { parseConversationGenerationConfig } from '@agent-criteria/formats/parse';
import type { Project } from '@agent-criteria/project';
import { openModel, settingsOfFlags } from '@agent-criteria/project/config';
import { addScenarioCases, createEvalSet, type EvalSetFile, readEvalSetFile } from '@agent-criteria/project/editing';
import { agentFolder, appName, findEvalSet, readJsonFile, shellWord } from '@agent-criteria/project/files';
import { loadAgent } from '@agent-criteria/project/plan';
import { safe } from '@agent-criteria/report/terminal';
import { usage } from './arguments.ts';
import type { Given } from './command-flags.ts';
import { wholeNumber } from './flag-values.ts';
import type { Io } from './io.ts';
import { loadOptional } from './load-optional.ts';
import { printJson, printWarnings } from './print.ts';
import { openProject } from './project.ts';

const PACKAGE = '@agent-criteria/user-simulator/generate';
const DEFAULT_MODEL = 'gemini-2.5-flash';
const DEFAULT_COUNT = 10;

/** The part of `@agent-criteria/user-simulator` that the command uses without depending on it. */
interface Generator {
  generateScenarios(options: {
    readonly agent: AgentDescription;
    readonly count: number;
    readonly model: LanguageModel;
    readonly personas: readonly string[];
    readonly instruction?: string | null | undefined;
    readonly environmentContext?: string | null | undefined;
    readonly existing: readonly ConversationScenario[];
    readonly seed?: number | undefined;
    readonly signal: AbortSignal;
  }): Promise<{
    readonly scenarios: readonly {
      readonly scenario: ConversationScenario;
      readonly situation: string;
      readonly tool: string | null;
    }[];
    readonly duplicates: number;
    readonly problems: readonly string[];
    readonly coverage: Coverage;
  }>;
}

interface Coverage {
  readonly situations: Readonly<Record<string, number>>;
  readonly personas: Readonly<Record<string, number>>;
  readonly tools: Readonly<Record<string, number>>;
  readonly toolsMissing: string | null;
}

/** Lets a model write scenarios from what an agent says of itself, and adds each to an eval set, as a case. */
export async function evalSetGenerateCommand(
  { flags, positionals, form }: Given<'eval_set generate_eval_cases'>,
  io: Io,
): Promise<number> {
  const [agent, id] = positionals;
  if (agent === undefined || id === undefined) throw usage(`name an agent and the id of a set: ${form}`);
  const { user_simulation_config_file: file, count, seed, persona = [], model: named, json } = flags;
  const config = file === undefined ? null : await readConfig(file);
  const asked = wholeNumber('count', count) ?? config?.value.count ?? DEFAULT_COUNT;
  const { generateScenarios } = await loadOptional<Generator>(PACKAGE, {
    command: 'eval_set generate_eval_cases',
    folders: [await agentFolder(agent), '.'],
  });
  const project = await openProject(agent, settingsOfFlags(flags), io);
  const target = await readTarget(agent, id);
  const described = await describeAgent(agent, project, io.signal);
  const { generationInstruction, environmentContext, modelName } = config?.value ?? {};
  checkKnown(described, generationInstruction, agent);

  const existing = target?.value.evalCases ?? [];
  const opened = await openModel(project, {
    name: named ?? modelName ?? DEFAULT_MODEL,
    purpose: 'generate_eval_cases',
    signal: io.signal,
  });
  const generated = await generateScenarios({
    agent: described,
    count: asked,
    model: opened.model,
    personas: persona,
    instruction: generationInstruction,
    environmentContext,
    existing: existing.flatMap(({ conversationScenario }) => conversationScenario ?? []),
    seed: seed === undefined ? undefined : Number(seed),
    signal: io.signal,
  }).finally(async () => printWarnings(await opened.close(), io));

  const { scenarios, problems, duplicates, coverage } = generated;
  const set = target ?? (await createEvalSet({ agent, id }));
  const session = {
    appName: appName(await agentFolder(agent)),
    userId: 'test_user_id',
    state: emptyState(described),
  };
  const { added } = await addScenarioCases(
    set,
    scenarios.map(({ scenario, situation, tool }) => ({
      scenario,
      agentCriteria: { tags: tool === null ? [situation] : [situation, tool] },
    })),
    session,
  );
  printWarnings([...(config?.warnings ?? []), ...set.warnings], io);
  if (json === true) {
    printJson({ file: set.file, added: added.map(({ evalId }) => evalId), asked, duplicates, problems, coverage }, io);
  } else io.out(textOf({ ...generated, asked, added: added.length, file: set.file, agent }));
  if (io.signal.aborted) return 130;
  if (added.length === asked) return 0;
  const lacking = counted(asked - added.length, 'scenario');
  io.err(`Exit code 3: ${lacking} missing: ${safe(problems.join('; '))}. Repeat the command to add more.\n`);
  return 3;
}

async function readConfig(file: string) {
  const { value } = await readJsonFile(file);
  return parseConversationGenerationConfig(value, { file });
}

/** Reads the set that the cases are added to, or returns `null` if it has yet to be created. */
async function readTarget(agent: string, id: string): Promise<EvalSetFile | null> {
  try {
    return await readEvalSetFile(await findEvalSet(agent, id));
  } catch (error) {
    if (CriteriaError.is(error) && error.code === 'FILE_NOT_FOUND') return null;
    throw error;
  }
}

/** @throws CriteriaError for an agent that does not load, or cannot describe itself. */
async function describeAgent(path: string, { config }: Project, signal: AbortSignal): Promise<AgentDescription> {
  const registry = createRegistry([...new Set([...pluginsOf(defaultRegistry()), ...config.plugins])]);
  const agent: Agent = await loadAgent(path, registry);
  return (await agent.describe?.(signal)) ?? { name: agent.name };
}

/** Rejects an agent of which nothing is known but its name: the model would invent one. */
function checkKnown(agent: AgentDescription, instruction: string | null | undefined, path: string): void {
  const { description, instructions, tools = [], agents = [] } = agent;
  if (instruction || description || instructions || tools.length > 0 || agents.length > 0) return;
  const message =
    'the agent says nothing about itself, so no scenarios can be written for it: declare its instructions and tools, or describe it under generation_instruction in a --user-simulation-config-file';
  throw new CriteriaError({ code: 'USAGE', file: path, message });
}

/** Returns an initial state with an empty text for each placeholder in the instructions of the agents, as ADK does. */
function emptyState({ instructions = '', agents = [] }: AgentDescription): State {
  const own = [...instructions.matchAll(/\{([A-Za-z_]\w*)\}/g)].map(([, name = '']) => [name, ''] as const);
  return { ...Object.fromEntries(own), ...Object.assign({}, ...agents.map(emptyState)) };
}

interface Summary {
  readonly asked: number;
  readonly added: number;
  readonly duplicates: number;
  readonly coverage: Coverage;
  readonly file: string;
  readonly agent: string;
}

function textOf({ asked, added, duplicates, coverage, file, agent }: Summary): string {
  const { situations, personas, tools, toolsMissing } = coverage;
  const without = Object.keys(tools).filter((tool) => tools[tool] === 0);
  const aimed = Object.keys(tools).length - without.length;
  const lines = [
    `${counted(added, 'case')} added to ${file}, of ${asked} asked for${duplicates === 0 ? '' : `; ${counted(duplicates, 'duplicate')} left out`}.`,
    ...(added === 0
      ? []
      : [
          `Situations: ${listOf(situations)}`,
          `Personas: ${listOf(personas)}`,
          Object.keys(tools).length === 0
            ? `Tools: none known${toolsMissing === null ? '' : ` (${toolsMissing})`}`
            : `Tools: ${aimed} of ${Object.keys(tools).length}${without.length === 0 ? '' : `, not ${without.join(', ')}`}${toolsMissing === null ? '' : ` (more may exist: ${toolsMissing})`}`,
          'This is what the scenarios aim at; whether the agent calls these tools shows only in a run.',
          '',
          'Next: read them, delete those that no user would write, and run them:',
          `  agent-criteria eval_set show ${shellWord(agent)} ${shellWord(file)}`,
          `  agent-criteria eval ${shellWord(agent)} ${shellWord(file)} --dry-run`,
        ]),
  ];
  return `${lines.map((line) => safe(line)).join('\n')}\n`;
}

function listOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
