import { defineCriterion } from '@agent-criteria/core';
import { judgeContext, judgeName, type Material, withContextWarning, withJudgeOptions } from '@agent-criteria/judge';
import { finalResponseQualityPrompt as prompt } from './final-response-quality-prompt.ts';
import { estimateRubricCalls, judgeRubrics, rubricCriterion } from './judge-rubrics.ts';
import { finalResponseQualityOptions } from './options.ts';

/**
 * ADK's `rubric_based_final_response_quality_v1`: the share of rubrics that the agent's answer fulfils, turn by turn,
 * each decided by a majority of a judge's samples. The rubrics are the criterion's own, plus those of the case and the
 * turn that have the type `FINAL_RESPONSE_QUALITY`.
 */
export const finalResponseQuality = defineCriterion({
  ...rubricCriterion,
  name: 'rubric_based_final_response_quality_v1',
  description: 'The final answer has the properties that the rubrics name.',
  needs: { rubrics: { type: 'FINAL_RESPONSE_QUALITY' } },
  options: withJudgeOptions(finalResponseQualityOptions),
  models: (options) => [judgeName(options)],
  modelSettings: ({ judgeModelOptions }) => judgeModelOptions.judgeModelConfig,
  estimate: (unit, turns, options) => estimateRubricCalls(prompt, unit, turns, options),
  scope: 'turn',
  async evaluate(turn, { options, tools, transcript }) {
    const intermediateResponses = options.includeIntermediateResponsesInFinal;
    const adk = tools.compat === 'adk';
    const context = judgeContext(turn, transcript, { intermediateResponses, serverSideCalls: !adk });
    const material: readonly Material[] = [
      { name: 'instructions', text: context.instructions },
      { name: 'tools', text: context.tools },
      ...(adk ? [] : [{ name: 'earlier turns', text: context.earlierTurns }]),
      { name: 'user message', text: context.userMessage },
      { name: 'steps', text: adk ? context.toolSteps : context.events },
      { name: 'grounding', text: context.grounding },
      { name: 'final answer', text: context.answer },
    ];
    const score = await judgeRubrics({ rubrics: turn.rubrics, prompt, material, options, tools, transcript });
    return withContextWarning(score, [turn.actual]);
  },
});
