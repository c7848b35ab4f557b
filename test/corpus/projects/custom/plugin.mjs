/** A criterion that breaks when it is told to. */
export const mentionsLamp = {
  kind: 'criterion',
  specVersion: 3,
  name: 'mentions_lamp',
  origin: { package: 'corpus-criterion', version: '1.0.0' },
  description: 'Whether the answer mentions the lamp.',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: {
    '~standard': { version: 1, vendor: 'corpus', validate: () => ({ value: {} }) },
    jsonSchema: { type: 'object', properties: {} },
  },
  scope: 'turn',
  evaluate({ actual }) {
    const text = actual.finalResponse?.parts?.[0]?.text ?? '';
    if (text.includes('throws')) throw new Error('the criterion broke');
    return { value: text.includes('lamp') ? 1 : 0, evidence: [{ kind: 'json', label: 'answer', value: text }] };
  },
};
