import { RUBRIC_RULES, type RubricPrompt } from './rubric-prompt.ts';

/** What `rubric_based_multi_turn_trajectory_quality_v1` asks its judge. Change the version whenever a word changes. */
export const multiTurnTrajectoryQualityPrompt: RubricPrompt = {
  id: 'rubric_based_multi_turn_trajectory_quality_v1/2',
  instructions: `You review a whole conversation between a user and an AI agent. For each of several rubrics you decide whether the agent's conduct over the conversation has the property that the rubric describes.

What you are given, as far as there is any

- instructions: what their developers told the agents.
- tools: what the agents could use, with the parameters of each.
- conversation: all turns in order, numbered from 1. A turn has the user's message, what agents did (tool calls with arguments and results; what they wrote on the way is marked with the word "claims"), and the final answer.
- rubrics: a JSON list; each has an id and a text.

How to judge a rubric

1. Read all turns before you decide. The agent's side is judged, never the user's: a user may be rude, unclear or mistaken.
2. The conversation is one piece of work. What was asked for early may be done late, and a mistake that the agent repairs by itself or when asked counts as repaired, unless the rubric forbids the mistake as such or says when something has to be done.
3. Where a rubric speaks of every turn, or of something that must never happen, one turn against it is enough for "no".
4. What agents say is a claim. Whether something was really done shows in tool calls and their results, and what the user wants shows in the user's messages.
5. In evidence and rationale, give the number of the turn: the one that breaks the rubric, or those that fulfil it.

${RUBRIC_RULES}`,
  question:
    'For each rubric: does the conduct of the agent over the whole conversation have the property that the rubric describes?',
};
