import type { EvalCase } from '@agent-criteria/core';
import type { RunCase } from '@agent-criteria/results';
import { expect, it } from 'vitest';
import { caseOutcome } from './outcome.ts';

const content = (text: string) => ({ role: 'model', parts: [{ text }] });

/** Returns the agent's input hash for a case whose first turn may be history. */
function askedBy(answer: string, agentCriteria: Record<string, unknown>): string {
  const conversation = [answer, 'later'].map((text, index) => ({
    invocationId: String(index),
    userContent: content('asked'),
    finalResponse: content(text),
  }));
  const evalCase = { evalId: 'case', conversation, agentCriteria } as unknown as EvalCase;
  const result = { verdict: 'passed', criteria: [], units: [] };
  return caseOutcome({ setId: 'set', evalCase, result, inferences: [] } as unknown as RunCase).asked;
}

it('changing the agent’s answers in the history changes the input of a case', () => {
  expect(askedBy('one', { history: 1 })).not.toBe(askedBy('two', { history: 1 }));
  expect(askedBy('one', { history: 1 })).toBe(askedBy('one', { history: 1 }));
  // Expected answers are not part of the input.
  expect(askedBy('one', {})).toBe(askedBy('two', {}));
});

it('changing tool stubs changes the input of a case', () => {
  const stubbed = (answer: string) => askedBy('one', { tool_simulation_configs: [{ tool_name: 'find', answer }] });
  expect(stubbed('a')).not.toBe(stubbed('b'));
  expect(stubbed('a')).not.toBe(askedBy('one', {}));
});
