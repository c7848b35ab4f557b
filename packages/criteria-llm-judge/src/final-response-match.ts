import { contentText, type Invocation, intermediateTexts } from '@agent-criteria/core';
import { answerText, defineJudgeCriterion, messageText } from '@agent-criteria/judge';
import manifest from '../package.json' with { type: 'json' };
import { finalResponseMatchPrompt } from './final-response-match-prompt.ts';
import { finalResponseMatchOptions } from './options.ts';

/**
 * ADK's `final_response_match_v2`: 1 if the agent's answer says the same as the expected one, or else 0, as decided by
 * a majority of a judge's samples. A turn without an expected answer is not applicable; a missing answer is judged like
 * any other.
 */
export const finalResponseMatch = defineJudgeCriterion({
  name: 'final_response_match_v2',
  origin: { package: manifest.name, version: manifest.version },
  description: 'The final answer means the same as the reference.',
  needs: { reference: 'response' },
  adk: { mean: 'sum', missing: 'dropped' },
  options: finalResponseMatchOptions,
  ...finalResponseMatchPrompt,
  labels: {
    key: 'is_the_agent_response_valid',
    positive: 'valid',
    negative: 'invalid',
    // ADK accepts these too.
    alsoPositive: ['true'],
    alsoNegative: ['false', 'almost', 'partially', 'partially_valid', 'partially valid'],
  },
  material({ actual, expected }, { options, compat }) {
    const whole = options.includeIntermediateResponsesInFinal;
    const adk = compat === 'adk';
    if (expected === null || (!adk && !hasText(expected, whole))) {
      return { notApplicable: 'the case has no expected answer for this turn' };
    }
    return {
      'user message': messageText((adk ? expected : actual).userContent),
      "agent's answer": answerText(actual, whole),
      'reference answer': answerText(expected, whole),
    };
  },
});

function hasText(invocation: Invocation, whole: boolean): boolean {
  const texts = whole ? intermediateTexts(invocation).map(({ text }) => text) : [];
  return [...texts, contentText(invocation.finalResponse)].some((text) => text.trim() !== '');
}
