import type { Invocation, Score } from '@agent-criteria/core';

const WARNING =
  "The context is incomplete: neither the agent's instructions nor its tools were recorded, so the judge did not see them.";

/**
 * Adds a warning to a score if no agent's instructions or tools are known. Agents behind a server do not report them by
 * default, and plain functions do not have to.
 */
export function withContextWarning(score: Score, invocations: readonly Invocation[]): Score {
  if ('missing' in score && score.missing === 'not-applicable') return score;
  const isKnown = invocations.some(({ appDetails }) =>
    Object.values(appDetails?.agentDetails ?? {}).some(
      ({ instructions, toolDeclarations }) => Boolean(instructions) || (toolDeclarations?.length ?? 0) > 0,
    ),
  );
  return isKnown ? score : { ...score, warnings: [...(score.warnings ?? []), WARNING] };
}
