import type { PrepareRunOptions, Settings } from '@agent-criteria/project';
import { parseVariants, type VariantPaths } from '@agent-criteria/project/config';
import { findAgent } from '@agent-criteria/project/plan';
import { usage } from './arguments.ts';
import type { Io } from './io.ts';
import { openProject } from './project.ts';

/** The agents to run, and the remaining arguments, which are eval sets. */
export interface NamedAgents {
  readonly agent?: string | undefined;
  readonly variants?: VariantPaths | undefined;
  readonly evalSets: readonly string[];
}

/**
 * Returns the agent named in the arguments, or the variants named by flags, or, if the first argument is not an agent,
 * those of the config.
 * @throws CriteriaError USAGE for invalid flags, and if both an agent and variants are named.
 */
export async function namedAgents(
  positionals: readonly string[],
  flags: { readonly variant?: readonly string[] | undefined } & Pick<PrepareRunOptions, 'agentName'>,
  settings: Settings,
  io: Io,
): Promise<NamedAgents> {
  const { variant = [], agentName } = flags;
  const [first, ...more] = positionals;
  if (variant.length > 0) {
    const variants = parseVariants(variant);
    if (first !== undefined && (await isModule(first))) {
      throw usage(
        `"${first}" is an agent: with --variant, all arguments are eval sets; to run it too, write --variant NAME=${first}`,
      );
    }
    refuseName(agentName, variants);
    return { variants, evalSets: positionals };
  }
  if (first !== undefined && (await isAgent(first))) return { agent: first, evalSets: more };
  const { variants } = (await openProject(undefined, settings, io)).config.settings;
  if (variants === undefined) return { agent: first, evalSets: more };
  refuseName(agentName, variants);
  return { variants, evalSets: positionals };
}

function refuseName(agentName: string | undefined, variants: VariantPaths): void {
  if (agentName === undefined) return;
  const [[name, agent] = ['NAME', 'AGENT']] = Object.entries(variants);
  throw usage(`--agent-name is for one agent: with variants, write ${name}=${agent}#${agentName}`);
}

async function isAgent(path: string): Promise<boolean> {
  return (await agentFile(path)) !== null;
}

/** Whether a path is a module or a URL. A folder with an agent may also contain eval sets. */
async function isModule(path: string): Promise<boolean> {
  const file = await agentFile(path);
  return file?.endsWith(path.replace(/^(\.\.?[\\/])+/, '')) === true;
}

async function agentFile(path: string): Promise<string | null> {
  try {
    return await findAgent(path);
  } catch {
    return null;
  }
}
