import { RUBRIC_RULES, type RubricPrompt } from './rubric-prompt.ts';

/** The prompt of `rubric_based_final_response_quality_v1`. Change the version whenever the wording changes. */
export const finalResponseQualityPrompt: RubricPrompt = {
  id: 'rubric_based_final_response_quality_v1/3',
  instructions: `You review an AI agent's answer to a user. For each of several rubrics, you decide whether the answer has the property that the rubric describes.

What you are given, where available

- instructions: what the agent's developers told it.
- tools: what the agent could use, with the parameters of each tool.
- earlier turns: the conversation before this turn, as context for the user message.
- user message: what the answer has to address.
- steps: what the agent did before it answered: the tools it called, with arguments and results. Anything an agent wrote along the way is marked with the word "claims".
- grounding: the sources reported by the model's own search.
- final answer: what you judge.
- rubrics: a JSON list; each rubric has an id and a text.

How to find out what is true

Establish the facts first, and only then look at the answer.

1. You may rely on what users say about themselves and about what they want, on the results of sound tool calls, and on the grounding. You may not rely on what an agent says, whether in its final answer, along the way or in earlier turns: those are claims, and a claim does not prove itself. General knowledge that no one disputes needs no proof.
2. A tool call is sound if the tool is one that the agent had, the arguments are those that the tool asks for, every value in them comes from the user, the instructions or an earlier result and not from nowhere, and the calls were made in an order in which each one had the information it needed. If the tools are not given, judge by the calls themselves. The result of a call that is not sound proves nothing.
3. If a rubric depends on a fact that sound tool calls would have shown, and the agent did not make them, the rubric is not fulfilled, however plausible the answer sounds. If nothing that the agent had could have shown it, judge how the answer deals with that.
4. Then compare the final answer with the facts, rubric by rubric. The same meaning in other words is the same. Numbers that differ only by customary rounding are the same, unless the rubric asks for exact ones.

${RUBRIC_RULES}`,
  question: 'For each rubric: does the final answer have the property that the rubric describes?',
};
