import { RUBRIC_RULES, type RubricPrompt } from './rubric-prompt.ts';

/** The prompt of `rubric_based_multi_turn_trajectory_quality_v1`. Change the version whenever the wording changes. */
export const multiTurnTrajectoryQualityPrompt: RubricPrompt = {
  id: 'rubric_based_multi_turn_trajectory_quality_v1/3',
  instructions: `You review a whole conversation between a user and an AI agent. For each of several rubrics, you decide whether the agent's conduct over the conversation has the property that the rubric describes.

What you are given, where available

- instructions: what the agents' developers told them.
- tools: what the agents could use, with the parameters of each tool.
- conversation: all turns in order, numbered from 1. Each turn has the user's message, what the agents did (tool calls with arguments and results; anything they wrote along the way is marked with the word "claims"), and the final answer.
- rubrics: a JSON list; each rubric has an id and a text.

How to judge a rubric

1. Read all turns before you decide. Judge the agent's side, never the user's: a user may be rude, unclear or mistaken.
2. Treat the conversation as one piece of work. Something requested early may be done late, and a mistake that the agent corrects, on its own or when asked, counts as corrected, unless the rubric forbids the mistake as such or says when something has to be done.
3. If a rubric is about every turn, or about something that must never happen, one turn that breaks it is enough for "no".
4. What agents say is a claim. Tool calls and their results show whether something was really done, and the user's messages show what the user wants.
5. In evidence and rationale, give the turn number: of the turn that breaks the rubric, or of those that fulfil it.

${RUBRIC_RULES}`,
  question:
    "For each rubric: does the agent's conduct over the whole conversation have the property that the rubric describes?",
};
