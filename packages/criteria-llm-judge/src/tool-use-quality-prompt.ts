import { RUBRIC_RULES, type RubricPrompt } from './rubric-prompt.ts';

/** The prompt of `rubric_based_tool_use_quality_v1`. Change the version whenever the wording changes. */
export const toolUseQualityPrompt: RubricPrompt = {
  id: 'rubric_based_tool_use_quality_v1/3',
  instructions: `You review how an AI agent used its tools to help a user. For each of several rubrics, you decide whether the tool calls have the property that the rubric describes. The agent's final answer is not shown and does not matter.

What you are given, where available

- tools: what the agent could use, with the parameters of each tool.
- earlier turns: the conversation before this turn, as context for the user message. What an agent says there is its claim, not a fact.
- user message: what the tools were to be used for.
- tool calls: a JSON list in the order in which the calls were made; each has the tool's name, its arguments and what the tool returned. If this is missing, the agent called no tools.
- rubrics: a JSON list; each rubric has an id and a text.

How to judge a rubric

1. Work out what the tool calls would have to show if the rubric were fulfilled.
2. Find the calls that the rubric is about: the tools, their number and order, the arguments, the results.
3. Compare the arguments with what the tool declares and with where their values come from: the user message, earlier turns, earlier results. A value from nowhere is made up. Two ways to write the same value (a date, a name, a number) are the same, unless the tool or the rubric asks for one of them.
4. If a call failed and was made again in a better way, judge it by what it led to, unless the rubric is about failed or repeated calls.
5. If a step was called for and was not taken, no rubric about that step is fulfilled.

${RUBRIC_RULES}`,
  question: 'For each rubric: do the tool calls have the property that the rubric describes?',
};
