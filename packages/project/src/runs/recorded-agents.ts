import type { AgentRecord, RunPlan } from '@agent-criteria/runner';

/** An agent of a run; of one among several, with its name. */
export interface RecordedAgent extends AgentRecord {
  readonly variant?: string | undefined;
}

/** The agents that a run was begun with: one, or several side by side. */
export function recordedAgents({ agent, variants }: RunPlan): readonly RecordedAgent[] {
  return variants ?? [agent];
}
