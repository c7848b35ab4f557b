import { type Agent, CriteriaError, type Problem } from '@agent-criteria/core';
import type { Registry } from '@agent-criteria/core/host';
import { type AgentInput, toAgent } from './agent-input.ts';
import { checkAgent } from './check-agent.ts';

/** One agent of several that run side by side: every case runs with each of them. */
export interface AgentVariant {
  /** Its name in the run: letters, digits, `-`, `_` and `.`. */
  readonly variant: string;
  readonly agent: AgentInput;
  /** The agent's module, when `agent` is what it exports: a resumed run tells whether it has changed. */
  readonly agentPath?: string | undefined;
  /** The name by which `agent` was chosen among those of its module, if it was: a resumed run needs it. */
  readonly agentName?: string | undefined;
}

/** An agent as the engine runs it. A run without variants has one, and that has no name. */
export interface EngineVariant {
  readonly variant?: string | undefined;
  /** `null`: nothing runs; what was recorded is scored. */
  readonly agent: Agent | null;
}

/** An agent that is there to run. */
export interface ReadyVariant extends EngineVariant {
  readonly agent: Agent;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** What is wrong with the names of variants. Some file systems ignore case, and files are named after variants. */
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

export function isVariants(agent: AgentInput | readonly AgentVariant[]): agent is readonly AgentVariant[] {
  return Array.isArray(agent);
}

/** @throws CriteriaError USAGE for names that are not usable; AGENT_NOT_FOUND for what is no agent. */
export function toVariants(given: AgentInput | readonly AgentVariant[], registry?: Registry): readonly ReadyVariant[] {
  if (!isVariants(given)) return [{ agent: toAgent(given, registry) }];
  return toNamedAgents(given, registry).map(({ variant, agent }) => ({ variant, agent }));
}

/** Several agents, each ready to run. @throws CriteriaError as `toVariants`, with the mistakes of all of them. */
export function toNamedAgents(
  given: readonly AgentVariant[],
  registry?: Registry,
): readonly (AgentVariant & { readonly agent: Agent })[] {
  const problems = [...variantProblems(given.map(({ variant }) => variant))];
  const ready: (AgentVariant & { readonly agent: Agent })[] = [];
  for (const one of given) {
    try {
      ready.push({ ...one, agent: toAgent(one.agent, registry) });
    } catch (error) {
      if (!CriteriaError.is(error)) throw error;
      problems.push(...error.problems.map((problem) => ofVariant(one.variant, problem)));
    }
  }
  if (problems.length > 0) throw new CriteriaError(problems);
  return ready;
}

/** Asks every agent what would break its sessions. @throws CriteriaError with what all of them say. */
export async function checkAgents(variants: readonly ReadyVariant[], signal: AbortSignal | undefined): Promise<void> {
  await forEachVariant(variants, ({ agent }) => checkAgent(agent, signal));
}

/** Does something for each of them. @throws CriteriaError with the mistakes of all, each with the name of its variant. */
export async function forEachVariant<V extends { readonly variant?: string | undefined }>(
  variants: readonly V[],
  work: (variant: V) => Promise<void>,
): Promise<void> {
  const problems: Problem[] = [];
  let cause: unknown;
  for (const variant of variants) {
    try {
      await work(variant);
    } catch (error) {
      if (!CriteriaError.is(error) || variant.variant === undefined) throw error;
      problems.push(...error.problems.map((problem) => ofVariant(variant.variant, problem)));
      cause ??= error.cause;
    }
  }
  if (problems.length > 0) throw new CriteriaError(problems, { cause });
}

/** The problem with the name of the variant that has it. */
export function ofVariant(variant: string | undefined, problem: Problem): Problem {
  return variant === undefined ? problem : { ...problem, message: `variant "${variant}": ${problem.message}` };
}

/** What tells whether two lists of variants are of the same run. */
export function variantNames(variants: readonly { readonly variant?: string | undefined }[] | undefined): string[] {
  return (variants ?? []).flatMap(({ variant }) => (variant === undefined ? [] : [variant]));
}
