import { defineCriterion, noOptions } from '@agent-criteria/core';
import { createRegistry } from '@agent-criteria/core/host';
import { evalCase } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import { pluginAdvice, pluginAdviceWith } from './plugin-advice.ts';

const none = createRegistry([]);
const responseMatch = defineCriterion({
  name: 'response_match_score',
  description: 'Good.',
  decides: true,
  options: noOptions,
  scope: 'turn',
  range: { min: 0, max: 1, better: 'higher' },
  origin: { package: 'mine', version: '1.0.0' },
  evaluate: () => ({ value: 1 }),
});
const led = {
  evalId: 'led',
  conversationScenario: { startingPrompt: 'Hi', conversationPlan: 'Talk.' },
};

describe('suggested criteria', () => {
  const installable = (...args: Parameters<typeof pluginAdvice.installableCriteria>) =>
    pluginAdvice.installableCriteria(...args).join('; ');

  it('apply to the cases', () => {
    const forLed = installable([led], none);
    expect(forLed).toContain('hallucinations_v1 (npm install --save-dev @agent-criteria/criteria-hallucination)');
    expect(forLed).toContain('rubric_based_final_response_quality_v1 with rubrics, ');
    expect(forLed).toContain('per_turn_user_simulator_quality_v1 (');
    expect(forLed).not.toMatch(/tool_trajectory|response_match|final_response_match_v2|response_evaluation/);

    const fixed = installable([evalCase('a', [{ user: 'Hi', answer: 'Hello' }])], none);
    expect(fixed).toContain('final_response_match_v2, ');
    expect(fixed).not.toContain('per_turn_user_simulator_quality_v1');

    const silent = installable([evalCase('a', [{ user: 'Hi', calls: [] }])], none);
    expect(silent).toContain('tool_trajectory_avg_score');
    expect(silent).not.toContain('final_response_match_v2');
    expect(installable([evalCase('a', [{ user: 'Hi' }])], none)).not.toContain('tool_trajectory_avg_score');
  });

  it('do not include registered ones', () => {
    const cases = [evalCase('a', [{ user: 'Hi', answer: 'Hello' }])];
    expect(installable(cases, none)).toContain('response_match_score');
    expect(installable(cases, createRegistry([responseMatch]))).not.toContain('response_match_score');
  });
});

it('pluginAdvice knows that tool_parameter_match scores nothing without expected calls', () => {
  const silent = evalCase('a', [{ user: 'Hi', answer: 'Hello' }]);
  const calling = evalCase('b', [{ user: 'Hi', calls: [{ name: 'look_up' }] }]);
  const would = (name: string) => [silent, calling].map((one) => pluginAdvice.wouldScore?.(name, one));
  expect(would('tool_parameter_match')).toEqual([false, true]);
  expect(would('tool_trajectory_avg_score')).toEqual([true, true]);
});

describe('the advice on an unknown name', () => {
  it('asks the user to import the package as well, unless packages are loaded automatically', () => {
    const unknown = { kind: 'criterion', name: 'safety_v1' } as const;
    const install = 'npm install --save-dev @agent-criteria/criteria-safety';
    expect(
      pluginAdviceWith({ installed: new Set(), looked: [] }).explainUnknown(unknown, none)?.endsWith(install),
    ).toBe(true);
    expect(pluginAdvice.explainUnknown(unknown, none)).toContain(`${install}, then import it or name it in "plugins"`);
  });

  it.each([
    [{ kind: 'criterion', name: 'hallucinations_v1' }, 'npm install --save-dev @agent-criteria/criteria-hallucination'],
    [{ kind: 'criterion', name: 'hallucinations_v2' }, 'did you mean "hallucinations_v1"?'],
    [{ kind: 'criterion', name: 'tool_trajectry' }, 'did you mean "tool_trajectory_avg_score"?'],
    [{ kind: 'criterion', name: 'hallucination' }, 'did you mean "hallucinations_v1"?'],
    [{ kind: 'criterion', name: 'tool_call_count_v1' }, 'npm install --save-dev @agent-criteria/criteria-efficiency'],
    [{ kind: 'user-simulator', name: 'llm_backed' }, 'npm install --save-dev @agent-criteria/user-simulator'],
    [{ kind: 'user-simulator', name: 'llm_baked' }, 'did you mean "llm_backed"?'],
    [{ kind: 'user-simulator', name: 'llm_audio' }, 'spoken conversations (llm_audio) are not supported'],
    [{ kind: 'model', name: 'gemini-x', configured: [] }, 'npm install --save-dev @agent-criteria/model-gemini'],
    [{ kind: 'model', name: 'gemini/gemini-2.5-flash', configured: [] }, 'Write "gemini-2.5-flash"'],
    [{ kind: 'model', name: 'sonet', configured: ['sonnet'] }, 'did you mean "sonnet"?'],
    [{ kind: 'custom-metric', name: 'tone', function: 'my.metrics.tone' }, 'name it "./metrics.ts#tone"'],
  ] as const)('explains %j', (unknown, text) => {
    expect(pluginAdvice.explainUnknown(unknown, none)).toContain(text);
  });

  it('lists the known names only once', () => {
    const first = pluginAdvice.explainUnknown({ kind: 'criterion', name: 'foo' }, none) ?? '';
    expect(first).toContain('none is registered');
    expect(pluginAdvice.explainUnknown({ kind: 'criterion', name: 'bar', told: [first] }, none)).toBe(
      'there is no criterion named "bar"',
    );
  });
});
