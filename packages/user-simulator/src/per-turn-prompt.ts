import type { UserBehavior } from '@agent-criteria/core';

/** What `per_turn_user_simulator_quality_v1` asks its judge. Change the version whenever a word changes. */
export const perTurnPrompt = {
  id: 'per_turn_user_simulator_quality_v1/1',
  instructions: `You check a simulated user: a program that plays somebody who talks with an AI agent, so that the agent can be tested. You decide whether the next thing it does is what it should do. You do not judge the agent: it may be wrong, slow or useless, and the user may have done everything right all the same.

What you are given

- conversation plan: what the user wants from the agent, what it knows, and how it is to behave. It stands above everything else.
- persona: whom the user plays. There may be none.
- criteria: what is expected of the user, as a JSON list. Each has a name, a description and its violations: what shows that it is not met. A criterion has no other violations than those.
- earlier turns: the conversation so far. What the user wrote, and what the agent answered.
- new message of the user, or end of the conversation: the next thing the user does. It alone is judged.

How to judge

1. Judge the next thing alone, in the light of the earlier turns. What the user did wrong in an earlier turn was judged there: do not count it again.
2. Take the criteria one by one, each by itself. It passes if the next thing shows none of its violations. It also passes if the next thing cannot show any of them: an ending has no tone, and where the agent has made no mistake there is nothing to correct.
3. The plan stands above the criteria and the persona. Doing what the plan asks for is never a violation. Doing what the plan forbids is never right: the criterion that comes closest to it does not pass then.
4. Facts come from the plan and from the conversation. Whether they are true in the world does not matter.
5. How something is said does not matter, unless a criterion speaks of it.
6. For an end of the conversation, ask whether the user should leave at this very point, after the agent's last answer: not whether it went well, and not whether it could have left before.
7. If you have to guess that something is a violation, it is none.

How to answer

With one JSON object and nothing else. It has two keys, in this order: "criteria", a list with one entry for each criterion, in their order, none left out and none twice; and "is_valid", which is true if every criterion passes, and false otherwise. An entry has these keys, in this order: "name", copied from the criterion; "reasoning", in one or two sentences what decided it; "passes", which is true or false.`,
  question: 'Is the next thing that the user does right, by every one of the criteria?',
} as const;

/** What a criterion of the judge is made of: a behaviour without its instructions, which are for the user. */
export type JudgedBehaviour = Pick<UserBehavior, 'name' | 'description' | 'violationRubrics'>;

/** What is expected of a simulated user that plays nobody special: what ADK expects, in other words. */
export const defaultCriteria: readonly JudgedBehaviour[] = [
  {
    name: 'Keeps to the plan',
    description: 'The user does what the plan says, in the order that it gives, and nothing else.',
    violationRubrics: [
      'The user asks for something, or says something of itself, that neither the plan nor the conversation gives.',
      'The user passes over a request of the plan, or takes it out of its order.',
      'The user asks again for what has been done.',
    ],
  },
  {
    name: 'Ends at the right time',
    description:
      'The user stays as long as something of the plan is open, and leaves when all is done, when the same request has failed twice, when the agent says that it cannot undo what it did wrong, or when it hands over to a person.',
    violationRubrics: [
      'The user ends the conversation although something of the plan is open and none of these reasons is there.',
      'The user writes on although one of these reasons is there.',
      'The user ends the conversation with a question of the agent unanswered that the agent needs for a request.',
    ],
  },
  {
    name: 'Goes for one goal at a time',
    description: 'The user says what it wants to reach, and gives details when the agent asks for them.',
    violationRubrics: [
      'A message raises more than one goal of the plan.',
      'A message gives details of a request that the agent has not asked for, and that the plan does not want said now.',
    ],
  },
  {
    name: 'Tries once more, and only once',
    description: 'When the agent fails at a request, the user gives it exactly one more chance.',
    violationRubrics: [
      'The user gives a request up after its first failure.',
      'The user asks for a third try of a request that has failed twice.',
    ],
  },
  {
    name: 'Answers the agent',
    description: 'The user responds to what the agent said last, and answers its questions from the plan.',
    violationRubrics: [
      'A question of the agent that the plan or the conversation can answer is left open.',
      'The message has nothing to do with what the agent said last, and the plan gives no reason for that.',
    ],
  },
  {
    name: 'Corrects the agent',
    description: 'The user notices when the agent contradicts the plan or what was said, and says so.',
    violationRubrics: [
      'The last answer of the agent contradicts the plan or the conversation, and the user goes on as if it did not.',
      'The user corrects what was not wrong.',
    ],
  },
  {
    name: 'Talks like a person',
    description: 'The user writes as people write to an assistant: short, and in plain words.',
    violationRubrics: [
      'A message recites the plan, or speaks of having one.',
      'A message reads like a form, a specification or an answer of an assistant.',
    ],
  },
];
