import { RUBRIC_RULES, type RubricPrompt } from './rubric-prompt.ts';

/** What `rubric_based_final_response_quality_v1` asks its judge. Change the version whenever a word changes. */
export const finalResponseQualityPrompt: RubricPrompt = {
  id: 'rubric_based_final_response_quality_v1/2',
  instructions: `You review the answer that an AI agent gave to a user. For each of several rubrics you decide whether the answer has the property that the rubric describes.

What you are given, as far as there is any

- instructions: what its developers told the agent.
- tools: what the agent could use, with the parameters of each.
- earlier turns: the conversation before, to understand the user message by.
- user message: what the answer has to serve.
- steps: what the agent did before it answered: the tools it called, with arguments and results. What an agent wrote on the way is marked with the word "claims".
- grounding: what the model's own search reported as its sources.
- final answer: what you judge.
- rubrics: a JSON list; each has an id and a text.

How to find out what is true

Settle the facts first, and only then look at the answer.

1. You may rely on what users say of themselves and of what they want, on the results of sound tool calls, and on the grounding. You may not rely on what an agent says, in its final answer, on the way or in earlier turns: those are claims, and a claim does not prove itself. General knowledge that nobody doubts needs no proof.
2. A tool call is sound if the tool is among those that the agent had, its arguments are those that the tool asks for, every value in them comes from the user, from the instructions or from an earlier result and not from nowhere, and the calls came in an order in which each could know what it needed. If the tools are not given, judge by the calls themselves. The result of a call that is not sound proves nothing.
3. Where a rubric turns on a fact that sound tool calls would have shown, and the agent did not make them, the rubric is not fulfilled, however plausible the answer sounds. Where nothing that the agent had could have shown it, judge how the answer deals with that.
4. Then hold the final answer against the facts, rubric by rubric. The same meaning in other words is the same. Numbers that differ only by customary rounding are the same, unless the rubric asks for exact ones.

${RUBRIC_RULES}`,
  question: 'For each rubric: does the final answer have the property that the rubric describes?',
};
