import { CriteriaError } from '@agent-criteria/core';
import { variantProblems } from './variants.ts';

/** The agent under test; or several by name, which every case runs with, to be compared side by side. */
export type AgentOption<A> =
  | {
      readonly agent: A;
      readonly variants?: undefined;
    }
  | {
      readonly agent?: undefined;
      /** Names are 1 to 64 letters, digits, `-`, `_` and `.`, and begin with a letter or a digit. */
      readonly variants: Readonly<Record<string, A>>;
    };

/** The named agents, in their order. @throws CriteriaError USAGE for names that cannot be used. */
export function agentsOf<A>(option: {
  readonly agent?: undefined;
  readonly variants: Readonly<Record<string, A>>;
}): readonly { readonly variant: string; readonly agent: A }[];
/** The one agent, or the named ones. @throws CriteriaError USAGE also where neither is given, or both. */
export function agentsOf<A>(option: AgentOption<A>): A | readonly { readonly variant: string; readonly agent: A }[];
export function agentsOf<A>({
  agent,
  variants,
}: AgentOption<A>): A | readonly { readonly variant: string; readonly agent: A }[] {
  if (variants === undefined) {
    if (agent !== undefined) return agent;
    throw new CriteriaError({
      code: 'USAGE',
      message: 'there is no agent: give one as agent, or several by name as variants',
    });
  }
  if (agent !== undefined) {
    throw new CriteriaError({
      code: 'USAGE',
      message: 'agent and variants are both given: name one agent, or several as variants',
    });
  }
  if (typeof variants !== 'object' || variants === null || Array.isArray(variants)) {
    throw new CriteriaError({
      code: 'USAGE',
      message: 'variants must be an object of agents by name, as { fast: agent }',
    });
  }
  const problems = variantProblems(Object.keys(variants));
  if (problems.length > 0) throw new CriteriaError(problems);
  return Object.entries(variants).map(([variant, one]) => ({ variant, agent: one }));
}
