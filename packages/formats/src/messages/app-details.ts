import type { AppDetails } from '../data/model.ts';
import type { State } from '../json.ts';

/** An agent, as far as it is known. */
export interface KnownAgent {
  readonly name: string;
  /** Default: unknown. */
  readonly instructions?: string | undefined;
  /** Declarations of functions. Default: unknown. */
  readonly tools?: readonly State[] | undefined;
}

/**
 * Builds the details of agents that a turn records, with tools in the form of Gemini's API. Judges read them.
 * @returns `null` if neither instructions nor tools of any agent are known.
 */
export function appDetailsOf(agents: readonly KnownAgent[]): AppDetails | null {
  const known = agents.filter(({ instructions, tools }) => instructions !== undefined || tools !== undefined);
  if (known.length === 0) return null;
  const details = known.map(({ name, instructions, tools }) => {
    const toolDeclarations =
      tools === undefined ? undefined : tools.length === 0 ? [] : [{ functionDeclarations: tools }];
    return [name, { name, instructions, toolDeclarations }] as const;
  });
  return { agentDetails: Object.fromEntries(details) };
}
