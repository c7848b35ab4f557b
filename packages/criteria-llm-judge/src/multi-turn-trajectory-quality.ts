import { defineCriterion, type Transcript } from '@agent-criteria/core';
import { judgeName, type Material, withContextWarning, withJudgeOptions } from '@agent-criteria/judge';
import { dialogueText, instructionsText, toolsText } from '@agent-criteria/judge/texts';
import { estimateRubricCalls, judgeRubrics, rubricCriterion } from './judge-rubrics.ts';
import { multiTurnTrajectoryQualityPrompt as prompt } from './multi-turn-trajectory-quality-prompt.ts';
import { rubricQualityOptions } from './options.ts';

/**
 * ADK's `rubric_based_multi_turn_trajectory_quality_v1`: the share of rubrics that the agent fulfils over the whole
 * conversation, each decided by a majority of a judge's samples. The rubrics are the criterion's own, plus those of the
 * case and the last turn that have the type `TRAJECTORY_QUALITY`.
 */
export const rubricBasedMultiTurnTrajectoryQuality = defineCriterion({
  ...rubricCriterion,
  name: 'rubric_based_multi_turn_trajectory_quality_v1',
  description: 'The whole conversation has the properties that the rubrics name.',
  needs: { rubrics: { type: 'TRAJECTORY_QUALITY' } },
  options: withJudgeOptions(rubricQualityOptions),
  models: (options) => [judgeName(options)],
  modelSettings: ({ judgeModelOptions }) => judgeModelOptions.judgeModelConfig,
  estimate: (unit, _turns, options) => estimateRubricCalls(prompt, unit, 1, options),
  scope: 'conversation',
  async evaluate(transcript, { options, tools }) {
    const happened = transcript.turns.map(({ actual }) => actual);
    const rubrics = transcript.turns.at(-1)?.rubrics ?? transcript.rubrics;
    const material: readonly Material[] = [
      { name: 'instructions', text: instructionsText(happened) },
      { name: 'tools', text: toolsText(happened) },
      { name: 'conversation', text: dialogueText(happened) },
    ];
    const score = await judgeRubrics({ rubrics, prompt, material, options, tools, transcript });
    const warnings = warningsOf(transcript);
    return withContextWarning(warnings.length === 0 ? score : { ...score, warnings }, happened);
  },
});

/** Warns about rubrics of earlier turns, which ADK silently ignores. */
function warningsOf({ turns, rubrics }: Transcript): readonly string[] {
  const judged = new Set(turns.at(-1)?.rubrics.map(({ rubricId }) => rubricId));
  return turns.slice(0, -1).flatMap((turn, index) => {
    const own = turn.rubrics.slice(rubrics.length).filter(({ rubricId }) => !judged.has(rubricId));
    const ids = own.map(({ rubricId }) => `"${rubricId}"`);
    if (ids.length === 0) return [];
    const belongs = 'a conversation is judged by the rubrics of its case and of its last turn';
    return [`rubrics of turn ${index + 1} are not judged: ${ids.join(', ')}; ${belongs}`];
  });
}
