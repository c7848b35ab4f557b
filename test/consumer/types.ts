import { defineEvalConfig } from '@agent-criteria/core';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';

const plugins = [responseMatch, toolTrajectory] as const;

export const config = defineEvalConfig({
  plugins,
  criteria: { response_match_score: { threshold: 0.7, type: 'rougeL' }, tool_trajectory_avg_score: 1 },
});

// @ts-expect-error a criterion of that name is in none of the plugins
defineEvalConfig({ plugins, criteria: { response_match: 0.7 } });

// @ts-expect-error no option of that name
defineEvalConfig({ plugins, criteria: { response_match_score: { threshold: 0.7, kind: 'rougeL' } } });

// @ts-expect-error no such value of the option
defineEvalConfig({ plugins, criteria: { response_match_score: { threshold: 0.7, type: 'rouge9' } } });

// @ts-expect-error a threshold is missing
defineEvalConfig({ plugins, criteria: { response_match_score: { type: 'rougeL' } } });
