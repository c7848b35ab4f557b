import { contentText, noOptions } from '@agent-criteria/cli';
import { defineJudgeCriterion } from '@agent-criteria/judge';

/** Whether a reader can tell what each number in an answer means. Not applicable to answers without numbers. */
export const numbersExplained = defineJudgeCriterion({
  name: 'numbers_explained',
  description: 'Every number in the answer says what it counts or measures.',
  origin: { package: '@agent-criteria/example-judge-criterion', version: '1.0.0' },
  promptVersion: '2',
  instructions: `You judge whether the numbers in an answer can be understood. A number is explained if the answer says
what it counts or measures, with its unit if it has one. What the user wrote may make it clear. Dates and
times explain themselves. Whether a number is correct is not your concern.`,
  question: 'Does the answer explain every number in it?',
  options: noOptions,
  material({ actual }) {
    const answer = contentText(actual.finalResponse);
    if (!/\p{N}/u.test(answer)) return { notApplicable: 'the answer has no number' };
    return { 'user message': contentText(actual.userContent), answer };
  },
});
