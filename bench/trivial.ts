/** The smallest evaluation: one turn, an agent that answers immediately, one exact comparison. */
import { createRegistry } from '../packages/core/dist/host.js';
import { contentText, defineCriterion, type EvalSet, noOptions } from '../packages/core/dist/index.js';

const exactMatch = defineCriterion({
  name: 'exact_match',
  origin: { package: 'agent-criteria-bench', version: '1.0.0' },
  description: 'The answer is the expected one.',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  scope: 'turn',
  evaluate: ({ actual, expected }) => ({
    value: contentText(actual.finalResponse) === contentText(expected?.finalResponse) ? 1 : 0,
  }),
});

export const agent = async (message: string): Promise<string> => `You said: ${message}`;
export const config = { criteria: { exact_match: 1 } };
export const registry = createRegistry([exactMatch]);

export function makeSet(cases: number): EvalSet {
  const evalCases = Array.from({ length: cases }, (_, index) => {
    const text = `message ${index}`;
    return {
      evalId: `case-${index}`,
      conversation: [
        {
          userContent: { role: 'user', parts: [{ text }] },
          finalResponse: { role: 'model', parts: [{ text: `You said: ${text}` }] },
        },
      ],
    };
  });
  return { evalSetId: 'trivial', evalCases };
}

export function check(passed: number, set: EvalSet): void {
  if (passed !== set.evalCases.length) throw new Error(`${passed} of ${set.evalCases.length} cases passed: all should`);
}
