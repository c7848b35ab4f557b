/** A custom metric of ADK's form. */
export const namesColor = (_metric, actual) => ({
  perInvocationResults: actual.map(({ finalResponse }) => {
    const text = finalResponse?.parts?.[0]?.text ?? '';
    return /green|blue/.test(text) ? { score: 1 } : { score: 0, reason: 'no colour' };
  }),
});
