import { defineEvalConfig } from '@agent-criteria/core';
import { type HallucinationsCriterion, hallucinations } from '@agent-criteria/criteria-hallucination/pure';
import {
  finalResponseMatch,
  finalResponseQuality,
  type LlmAsAJudgeCriterion,
  type RubricsBasedCriterion,
} from '@agent-criteria/criteria-llm-judge/pure';
import { responseMatch } from '@agent-criteria/criteria-rouge/pure';
import { toolTrajectory } from '@agent-criteria/criteria-trajectory/pure';

const plugins = [responseMatch, toolTrajectory] as const;

export const config = defineEvalConfig({
  plugins,
  criteria: { response_match_score: { threshold: 0.7, type: 'rougeL' }, tool_trajectory_avg_score: 1 },
});

// @ts-expect-error none of the plugins has a criterion of that name
defineEvalConfig({ plugins, criteria: { response_match: 0.7 } });

// @ts-expect-error an unknown option
defineEvalConfig({ plugins, criteria: { response_match_score: { threshold: 0.7, kind: 'rougeL' } } });

// @ts-expect-error an invalid value for the option
defineEvalConfig({ plugins, criteria: { response_match_score: { threshold: 0.7, type: 'rouge9' } } });

// @ts-expect-error a threshold is missing
defineEvalConfig({ plugins, criteria: { response_match_score: { type: 'rougeL' } } });

const judges = [finalResponseMatch, finalResponseQuality, hallucinations] as const;
const match: LlmAsAJudgeCriterion = {
  threshold: 0.8,
  judgeModelOptions: { judgeModel: 'ollama/qwen3', numSamples: 3 },
};
const quality: RubricsBasedCriterion = {
  threshold: 0.8,
  rubrics: [{ rubricId: 'short', rubricContent: { textProperty: 'The answer is short.' } }],
};
const grounded: HallucinationsCriterion = { threshold: 0.9, evaluateIntermediateNlResponses: true };

export const judged = defineEvalConfig({
  plugins: judges,
  criteria: {
    final_response_match_v2: match,
    rubric_based_final_response_quality_v1: quality,
    hallucinations_v1: grounded,
  },
});

// @ts-expect-error an unknown option of a judge
const samples: LlmAsAJudgeCriterion = { threshold: 1, judgeModelOptions: { samples: 3 } };

// @ts-expect-error the number of samples is a number
const numSamples: HallucinationsCriterion = { threshold: 1, judgeModelOptions: { numSamples: '3' } };

// @ts-expect-error a rubric needs an id
const rubrics: RubricsBasedCriterion = { threshold: 1, rubrics: [{}] };

export const wrong = [samples, numSamples, rubrics];

// @ts-expect-error a judge needs a threshold
defineEvalConfig({ plugins: judges, criteria: { hallucinations_v1: {} } });
