import { CriteriaError, didYouMean, type UserBehavior, type UserPersona } from '@agent-criteria/core';

const detailOriented: UserBehavior = {
  name: 'Puts everything into the request',
  description: 'The user says at once all that the plan knows of a request, so that the agent needs not to ask.',
  behaviorInstructions: [
    'Make one request of the plan at a time, in its order.',
    'Give with a request every detail that the plan holds for it: names, numbers, dates, wishes.',
    'Go on to the next request only when the last one is done, or has been given up.',
  ],
  violationRubrics: [
    'A request is made without a detail that the plan holds for it.',
    'More than one request of the plan is made in one message.',
    'A request is made that the plan does not hold, or that is done already.',
  ],
};

const goalOriented: UserBehavior = {
  name: 'Says what is wanted, not how',
  description: 'The user names the goal and lets the agent ask for whatever it needs to know.',
  behaviorInstructions: [
    'Make one request of the plan at a time, in its order, and say in plain words what is to come of it.',
    'Keep the details of a request back until the agent asks for them.',
    'Go on to the next request only when the last one is done, or has been given up.',
  ],
  violationRubrics: [
    'A request comes with details that the agent has not asked for.',
    'More than one goal of the plan is raised in one message.',
    'A request is made that the plan does not hold, or that is done already.',
  ],
};

const answersWhatIsAsked: UserBehavior = {
  name: 'Answers only what was asked',
  description: 'The user answers questions of the agent from the plan, in full and without anything else.',
  behaviorInstructions: [
    'Answer every question of the agent that the plan has an answer to.',
    'Say nothing beyond what was asked.',
    'Where the plan has no answer, say that it is not known or does not matter; never make one up.',
  ],
  violationRubrics: [
    'A question of the agent that the plan answers is left open.',
    'The answer tells more than the agent asked for.',
    'The answer holds something that does not stand in the plan.',
  ],
};

const answersEverything: UserBehavior = {
  name: 'Answers more than was asked',
  description: 'Asked for one detail, the user tells all that the plan holds of the request.',
  behaviorInstructions: [
    'Answer every question of the agent that the plan has an answer to.',
    'Add what else the plan says of the request, whether or not the agent wants to know it.',
    'Where the plan has no answer, say that it is not known or does not matter; never make one up.',
  ],
  violationRubrics: [
    'A question of the agent that the plan answers is left open.',
    'The answer keeps back something that the plan says of the request.',
    'The answer holds something that does not stand in the plan.',
  ],
};

const corrects: UserBehavior = {
  name: 'Corrects the agent',
  description: 'The user sees when the agent is wrong about the request, and says so at once.',
  behaviorInstructions: [
    'Compare what the agent says and does with the plan and with what was said before.',
    'Where it contradicts them, say in the same message what is wrong and what is right.',
    'Do not go on with anything else before the mistake is settled.',
  ],
  violationRubrics: [
    'The agent contradicts the plan or an earlier message, and the user lets it pass.',
    'The user corrects something that was right.',
  ],
};

const doesNotCorrect: UserBehavior = {
  name: 'Leaves when the agent is wrong',
  description: 'The user does not put the agent right. A wrong statement about the request ends the conversation.',
  behaviorInstructions: [
    'Compare what the agent says and does with the plan and with what was said before.',
    'Where it contradicts them, end the conversation without saying what was wrong.',
  ],
  violationRubrics: [
    'The user tells the agent what it has got wrong.',
    'The agent contradicts the plan or an earlier message, and the user goes on.',
  ],
};

const troubleshootsOnce: UserBehavior = {
  name: 'Gives a failed request one more chance',
  description: 'When something does not work, the user tries once more with the agent, and only once.',
  behaviorInstructions: [
    'When the agent fails at a request or reports an error, ask it to try again, or follow the way out that it offers.',
    'Do so once for each request, not more often.',
  ],
  violationRubrics: [
    'A request is given up at its first failure.',
    'The user asks for the same failed request a third time.',
  ],
};

const endsAfterTrouble: UserBehavior = {
  name: 'Ends after a second failure, or when all is done',
  description: 'The user stays while there is something left to try or to ask for, and ends then.',
  behaviorInstructions: [
    'End the conversation once the agent has done everything that the plan asks for, or has refused what is left.',
    'End it when a request has failed for the second time, and when the agent cannot undo what it did wrong.',
    'End it when the agent hands over to a person.',
    'To say yes or to confirm is not an end: wait for what the agent does then.',
  ],
  violationRubrics: [
    'The conversation ends although a request of the plan is open and has not failed twice.',
    'The conversation goes on although the plan is done, a request has failed twice, or a person has taken over.',
    'The user ends with a confirmation before the agent has acted on it.',
  ],
};

const endsAtTrouble: UserBehavior = {
  name: 'Ends at the first failure, or when all is done',
  description: 'The user has no patience with what does not work: the first failure ends the conversation.',
  behaviorInstructions: [
    'End the conversation once the agent has done everything that the plan asks for, or has refused what is left.',
    'End it as soon as the agent fails at a request or reports an error; do not ask it to try again.',
    'End it when the agent hands over to a person.',
    'To say yes or to confirm is not an end: wait for what the agent does then.',
  ],
  violationRubrics: [
    'The conversation ends although a request of the plan is open and nothing has failed.',
    'The user goes on, or asks for another try, after the agent has failed at a request.',
    'The user ends with a confirmation before the agent has acted on it.',
  ],
};

const professional: UserBehavior = {
  name: 'Writes as at work',
  description: 'The user is polite, exact and brief, in the words of somebody who knows the subject.',
  behaviorInstructions: [
    'Write whole, correct sentences, and use the terms of the subject.',
    'Leave out small talk, slang, exclamations and emojis.',
  ],
  violationRubrics: ['A message holds slang, emojis or small talk.', 'A message is careless in spelling or grammar.'],
};

const conversational: UserBehavior = {
  name: 'Writes as in a chat',
  description: 'The user writes the way people talk: short, plain and friendly.',
  behaviorInstructions: [
    'Write short sentences in everyday words, as in a chat with somebody helpful.',
    'Do not write like a form, a letter or a specification.',
  ],
  violationRubrics: [
    'A message reads like a document: headings, lists, formal phrases.',
    'A message uses technical terms that the plan does not.',
  ],
};

/**
 * The personas that a scenario can name by id: ADK's three, composed of the same behaviours in words of our own.
 * Frozen, with everything in them.
 */
export const builtInPersonas: readonly UserPersona[] = freeze([
  {
    id: 'EXPERT',
    description:
      'Somebody who knows the subject well, knows exactly what is wanted, and expects the same of the agent.',
    behaviors: [
      ...[detailOriented, answersWhatIsAsked, corrects, troubleshootsOnce],
      ...[endsAfterTrouble, professional],
    ],
  },
  {
    id: 'NOVICE',
    description: 'Somebody who is new to the subject, knows the goal but not the way, and relies on the agent.',
    behaviors: [goalOriented, doesNotCorrect, answersEverything, endsAtTrouble, conversational],
  },
  {
    id: 'EVALUATOR',
    description:
      'Somebody who tries out the agent: gives it all it needs, does not help it, and sees what comes of it.',
    behaviors: [detailOriented, answersWhatIsAsked, endsAtTrouble, doesNotCorrect, conversational],
  },
]);

/**
 * The persona of a scenario: itself, or the built-in one of this id; `null` where there is none.
 *
 * @throws CriteriaError INVALID_DATA for an id that is not known. Case matters, as in ADK.
 */
export function findPersona(persona: UserPersona | string | null | undefined): UserPersona | null {
  if (typeof persona !== 'string') return persona ?? null;
  const found = builtInPersonas.find(({ id }) => id === persona);
  if (found !== undefined) return found;
  const known = builtInPersonas.map(({ id }) => id);
  throw new CriteriaError({
    code: 'INVALID_DATA',
    message:
      `there is no persona with the id ${JSON.stringify(persona)}${didYouMean(persona, known)} (known: ${known.join(', ')}); ` +
      'name one of these, or write the persona out: { "id", "description", "behaviors" }',
  });
}

/** They are shared: nobody may change what the next one gets. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}
