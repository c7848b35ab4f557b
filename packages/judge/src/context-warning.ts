import type { Invocation, Score } from '@agent-criteria/core';

const WARNING =
  "The context is incomplete: neither the agent's instructions nor its tools are recorded, and the judge did not see them.";

/**
 * The score, with a warning where nothing is known of what the agents were told and which tools they had: agents behind a
 * server do not tell it by themselves, and plain functions need not.
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
