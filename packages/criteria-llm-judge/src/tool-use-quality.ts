import { defineCriterion } from '@agent-criteria/core';
import { judgeContext, judgeName, type Material, withContextWarning, withJudgeOptions } from '@agent-criteria/judge';
import { estimateRubricCalls, judgeRubrics, rubricCriterion } from './judge-rubrics.ts';
import { rubricQualityOptions } from './options.ts';
import { toolUseQualityPrompt as prompt } from './tool-use-quality-prompt.ts';

/**
 * ADK's `rubric_based_tool_use_quality_v1`: the share of rubrics that the agent's tool calls fulfil, turn by turn, each
 * decided by a majority of a judge's samples. The rubrics are the criterion's own, plus those of the case and the turn
 * that have the type `TOOL_USE_QUALITY`.
 */
export const toolUseQuality = defineCriterion({
  ...rubricCriterion,
  name: 'rubric_based_tool_use_quality_v1',
  description: 'The tools are used as the rubrics require.',
  needs: { rubrics: { type: 'TOOL_USE_QUALITY' } },
  readsAnswer: false,
  options: withJudgeOptions(rubricQualityOptions),
  models: (options) => [judgeName(options)],
  modelSettings: ({ judgeModelOptions }) => judgeModelOptions.judgeModelConfig,
  estimate: (unit, turns, options) => estimateRubricCalls(prompt, unit, turns, options),
  scope: 'turn',
  async evaluate(turn, { options, tools, transcript }) {
    const context = judgeContext(turn, transcript, { serverSideCalls: tools.compat !== 'adk' });
    const material: readonly Material[] = [
      { name: 'tools', text: context.tools },
      ...(tools.compat === 'adk' ? [] : [{ name: 'earlier turns', text: context.earlierTurns }]),
      { name: 'user message', text: context.userMessage },
      { name: 'tool calls', text: context.toolSteps },
      ...(tools.compat === 'adk' || context.grounding === ''
        ? []
        : [{ name: "sources of the model's own search", text: context.grounding }]),
    ];
    const score = await judgeRubrics({ rubrics: turn.rubrics, prompt, material, options, tools, transcript });
    return withContextWarning(score, [turn.actual]);
  },
});
