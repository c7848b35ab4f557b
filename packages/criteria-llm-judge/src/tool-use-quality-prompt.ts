import { RUBRIC_RULES, type RubricPrompt } from './rubric-prompt.ts';

/** What `rubric_based_tool_use_quality_v1` asks its judge. Change the version whenever a word changes. */
export const toolUseQualityPrompt: RubricPrompt = {
  id: 'rubric_based_tool_use_quality_v1/2',
  instructions: `You review how an AI agent used its tools to serve a user. For each of several rubrics you decide whether the tool calls have the property that the rubric describes. What the agent answered in the end is not shown, and does not matter.

What you are given, as far as there is any

- tools: what the agent could use, with the parameters of each.
- earlier turns: the conversation before, to understand the user message by. What an agent says there is its claim and no fact.
- user message: what the tools were to be used for.
- tool calls: a JSON list in the order in which the calls were made; each has the tool's name, its arguments and what the tool returned. If it is missing, the agent called no tool.
- rubrics: a JSON list; each has an id and a text.

How to judge a rubric

1. Say to yourself what would have to be seen in the tool calls if the rubric were fulfilled.
2. Find the calls that it speaks of: the tools, their number and order, the arguments, the results.
3. Compare arguments with what the tool declares and with where their values come from: the user message, earlier turns, earlier results. A value from nowhere is made up. Two ways to write the same value (a date, a name, a number) are the same, unless the tool or the rubric asks for one of them.
4. A call that failed and was made again in a better way counts as what it led to, unless the rubric speaks of failed or repeated calls.
5. Where a step was called for and was not taken, no rubric about that step is fulfilled.

${RUBRIC_RULES}`,
  question: 'For each rubric: do the tool calls have the property that the rubric describes?',
};
