import { type CustomMetricFunction, contentText } from '@agent-criteria/cli';

/** Whether an answer names a number of degrees; it has nothing to say of turns in which none was asked for. */
export const namesDegrees: CustomMetricFunction = (_metric, actual) => ({
  perInvocationResults: actual.map(({ userContent, finalResponse }) => {
    if (!contentText(userContent).startsWith('How warm')) return { score: 1 };
    return /\d+ degrees/.test(contentText(finalResponse)) ? { score: 1 } : { score: 0, reason: 'no degrees' };
  }),
});
