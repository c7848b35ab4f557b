import type { Criterion } from '@agent-criteria/core';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';

/** ADK's default criteria come with the command. */
export const builtInCriteria: readonly Criterion[] = [toolTrajectory, responseMatch];
