import type { AgentInput } from './agent-input.ts';
import type { AgentFacts, VariantFacts } from './run-folder/create-run.ts';
import { type AgentVariant, isVariants, type ReadyVariant, variantNames } from './variants.ts';

/** An agent as it is asked for, or several, and where they come from. */
export interface AskedAgent {
  readonly agent: AgentInput | readonly AgentVariant[];
  readonly agentPath?: string | undefined;
  readonly agentName?: string | undefined;
}

/** What a run folder keeps of its agents. @param variants The agents as they run. */
export function agentFacts(
  { agent, agentPath, agentName }: AskedAgent,
  variants: readonly ReadyVariant[],
): { readonly agent: AgentFacts; readonly variants?: readonly VariantFacts[] | undefined } {
  if (!isVariants(agent)) {
    return { agent: { name: variants[0]?.agent.name ?? '', path: agentPath ?? null, agentName } };
  }
  const facts = agent.map((one, index) => ({
    variant: one.variant,
    name: variants[index]?.agent.name ?? '',
    path: one.agentPath ?? null,
    agentName: one.agentName,
  }));
  return { agent: { name: variantNames(agent).join(', '), path: null }, variants: facts };
}
