import { describe, expect, it } from 'vitest';
import { evalCase, turn } from '../eval-set/builders.ts';
import { historyLength, mistakesInTurnMarks, statesNoCalls, turnsWithoutStatedCalls } from './case-keys.ts';
import type { EvalCase } from './model.ts';

const call = { name: 'search', args: {} };
const marked = (agentCriteria: Record<string, unknown>): EvalCase => ({
  ...evalCase('a', [turn('1'), turn('2', { calls: [call] }), turn('3')]),
  agentCriteria: agentCriteria as never,
});

describe('history and calls_not_stated of a case', () => {
  it('are read in either spelling', () => {
    expect(historyLength(marked({ history: 2 }))).toBe(2);
    expect([...turnsWithoutStatedCalls(marked({ calls_not_stated: [0, 2] }))]).toEqual([0, 2]);
    expect([...turnsWithoutStatedCalls(marked({ callsNotStated: [2] }))]).toEqual([2]);
    expect(historyLength(marked({}))).toBe(0);
  });

  it('state no expected calls only if every judged turn is in calls_not_stated', () => {
    expect(statesNoCalls(marked({ history: 2, calls_not_stated: [2] }))).toBe(true);
    expect(statesNoCalls(marked({ history: 1, calls_not_stated: [2] }))).toBe(false);
    expect(statesNoCalls(marked({ history: 2 }))).toBe(false);
    expect(statesNoCalls({ agentCriteria: { calls_not_stated: [0] } })).toBe(false);
  });

  it.each([
    [{ history: 3 }, 'history must be how many'],
    [{ history: -1 }, 'history must be how many'],
    [{ history: '1' }, 'history must be how many'],
    [{ calls_not_stated: [3] }, 'from 0 to 2'],
    [{ callsNotStated: 0 }, 'callsNotStated must be a list'],
    [{ calls_not_stated: [1] }, 'turn 1 lists expected calls'],
  ])('are rejected if they contradict the case: %j', (agentCriteria, message) => {
    expect(mistakesInTurnMarks(marked(agentCriteria)).map(([, text]) => text)).toEqual([
      expect.stringContaining(message),
    ]);
  });

  it('are rejected without a conversation, and accepted if they are empty', () => {
    const scenario = {
      conversationScenario: { startingPrompt: 'a', conversationPlan: 'b' },
      agentCriteria: { history: 1 },
    };
    expect(mistakesInTurnMarks(scenario)).toHaveLength(1);
    expect(mistakesInTurnMarks(marked({ history: 0, calls_not_stated: [] }))).toEqual([]);
  });
});
