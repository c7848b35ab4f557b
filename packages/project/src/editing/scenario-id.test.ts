import { describe, expect, it } from 'vitest';
import { pythonJson, scenarioId } from './scenario-id.ts';

describe('scenarioId', () => {
  // Both ids come from Python: hashlib.sha256(json.dumps(scenario, sort_keys=True).encode()).hexdigest()[:8].
  it('equals the id that ADK gives a scenario', () => {
    const scenario = { startingPrompt: 'Is the pool open?', conversationPlan: 'Ask for the hours, then book a lane.' };
    expect(scenarioId(scenario)).toBe('dedc6843');
    expect(scenarioId({ ...scenario, userPersona: null })).toBe('dedc6843');
  });

  it('equals ADK’s id for any text and for a complete persona', () => {
    const userPersona = {
      id: 'HASTY',
      description: 'In a hurry.',
      behaviors: [
        {
          name: 'brief',
          description: 'Says little.',
          behaviorInstructions: ['Answer in one word.'],
          violationRubrics: [],
        },
      ],
    };
    const startingPrompt = 'Où est «la» piscine? 🏊\n\u007f\u2028"\\/';
    expect(scenarioId({ startingPrompt, conversationPlan: '', userPersona })).toBe('e8baec72');
    const more = { startingPrompt, conversationPlan: '', userPersona: { ...userPersona, note: 'x' }, note: 'x' };
    expect(scenarioId(more)).toBe('e8baec72');
  });
});

describe('pythonJson', () => {
  it('sorts keys, adds spaces as Python does and escapes non-ASCII characters', () => {
    expect(pythonJson({ b: ['é', null], a: { d: '\u{1f3ca}', c: '' } })).toBe(
      '{"a": {"c": "", "d": "\\ud83c\\udfca"}, "b": ["\\u00e9", null]}',
    );
  });
});
