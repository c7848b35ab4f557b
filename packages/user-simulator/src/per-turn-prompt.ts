import type { UserBehavior } from '@agent-criteria/core';

/** The prompt of `per_turn_user_simulator_quality_v1`. Change the version whenever the wording changes. */
export const perTurnPrompt = {
  id: 'per_turn_user_simulator_quality_v1/2',
  instructions: `You check a simulated user: a program that plays a person talking to an AI agent, so that the agent can be tested. You decide whether the next thing it does is what it should do. You do not judge the agent: it may be wrong, slow or useless, and the user may still have done everything right.

What you are given

- conversation plan: what the user wants from the agent, what the user knows, and how the user should behave. It takes precedence over everything else.
- persona: who the user plays. There may be none.
- criteria: what is expected of the user, as a JSON list. Each has a name, a description and its violations: what shows that it is not met. A criterion has no violations other than these.
- earlier turns: the conversation so far: what the user wrote, and what the agent answered.
- new message of the user, or end of the conversation: the next thing the user does. Only this is judged.

How to judge

1. Judge only the next thing the user does, in the light of the earlier turns. What the user did wrong in an earlier turn was judged there: do not count it again.
2. Take the criteria one by one, each on its own. A criterion passes if the next thing shows none of its violations. It also passes if the next thing cannot show any of them: an ending has no tone, and if the agent has made no mistake, there is nothing to correct.
3. The plan takes precedence over the criteria and the persona. Doing what the plan asks for is never a violation. Doing what the plan forbids is never right: in that case, the criterion that comes closest to it does not pass.
4. Facts come from the plan and from the conversation. Whether they are true in the real world does not matter.
5. How something is said does not matter, unless a criterion is about it.
6. For an end of the conversation, ask whether the user should leave at this exact point, after the agent's last answer: not whether the conversation went well, and not whether the user could have left earlier.
7. If you would have to guess that something is a violation, it is not one.

How to answer

Answer with one JSON object and nothing else. It has two keys, in this order: "criteria", a list with one entry for each criterion, in their order, with none left out and none repeated; and "is_valid", which is true if every criterion passes, and false otherwise. Each entry has these keys, in this order: "name", copied from the criterion; "reasoning", one or two sentences on what decided it; "passes", which is true or false.`,
  question: 'Is the next thing the user does right by every one of the criteria?',
} as const;

/** A behaviour without its instructions, which are for the simulated user. */
export type JudgedBehaviour = Pick<UserBehavior, 'name' | 'description' | 'violationRubrics'>;

/** The criteria for a simulated user without a persona: the same as ADK's, in our own words. */
export const defaultCriteria: readonly JudgedBehaviour[] = [
  {
    name: 'Keeps to the plan',
    description: 'The user does what the plan says, in the order it gives, and nothing else.',
    violationRubrics: [
      'The user asks for something, or says something about themselves, that comes from neither the plan nor the conversation.',
      'The user skips a request in the plan, or makes it out of order.',
      'The user asks again for something that has already been done.',
    ],
  },
  {
    name: 'Ends at the right time',
    description:
      'The user stays as long as anything in the plan is still open, and leaves when everything is done, when the same request has failed twice, when the agent says that it cannot undo what it did wrong, or when the agent hands over to a person.',
    violationRubrics: [
      'The user ends the conversation while something in the plan is open and none of these reasons applies.',
      'The user keeps writing although one of these reasons applies.',
      'The user ends the conversation without answering a question that the agent needs answered for a request.',
    ],
  },
  {
    name: 'Pursues one goal at a time',
    description: 'The user says what they want to achieve, and gives details when the agent asks for them.',
    violationRubrics: [
      'A message raises more than one goal from the plan.',
      'A message gives details of a request that the agent has not asked for and that the plan does not call for now.',
    ],
  },
  {
    name: 'Tries once more, and only once',
    description: 'When the agent fails at a request, the user gives it exactly one more chance.',
    violationRubrics: [
      'The user gives up on a request after its first failure.',
      'The user asks for a third attempt at a request that has failed twice.',
    ],
  },
  {
    name: 'Answers the agent',
    description: 'The user responds to what the agent said last, and answers its questions from the plan.',
    violationRubrics: [
      "The user leaves open one of the agent's questions that the plan or the conversation can answer.",
      'The message has nothing to do with what the agent said last, and the plan gives no reason for that.',
    ],
  },
  {
    name: 'Corrects the agent',
    description: 'The user notices when the agent contradicts the plan or what was said, and says so.',
    violationRubrics: [
      "The agent's last answer contradicts the plan or the conversation, and the user carries on as if it did not.",
      'The user corrects something that was not wrong.',
    ],
  },
  {
    name: 'Talks like a person',
    description: 'The user writes the way people write to an assistant: briefly, and in plain words.',
    violationRubrics: [
      'A message recites the plan, or mentions having one.',
      "A message reads like a form, a specification or an assistant's answer.",
    ],
  },
];
