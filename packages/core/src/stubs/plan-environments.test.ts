import { CriteriaError, type State } from '@agent-criteria/formats';
import { describe, expect, it } from 'vitest';
import type { ToolSimulator } from '../contracts/tool-simulator.ts';
import { defineCriterion } from '../define-criterion.ts';
import { noOptions } from '../options-schema.ts';
import { createRegistry } from '../registry/registry.ts';
import { resolveEvalConfig } from '../resolve/resolve-eval-config.ts';
import { evalCase, evalSet, scriptedModel } from '../testing/index.ts';

const origin = { package: 'test', version: '1.0.0' };
const always = defineCriterion({
  name: 'always',
  description: 'Always.',
  origin,
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  scope: 'turn',
  evaluate: () => ({ value: 1 }),
});

const simulator: ToolSimulator = {
  kind: 'tool-simulator',
  specVersion: 1,
  name: 'MOCK_STRATEGY_TOOL_SPEC',
  origin,
  models: ({ simulationModel = 'small' }) => [simulationModel],
  check: ({ toolNames }) =>
    toolNames.includes('forbidden') ? [{ code: 'INVALID_DATA', message: 'forbidden cannot be simulated' }] : [],
  open: () => ({ answer: async () => ({}) }),
};

const simulated = (tool_name: string, more: State = {}) => ({ tool_name, mock_strategy_type: 1, ...more });

function plan(ofConfig: object, ofCase: State = {}, more: object = {}) {
  return resolveEvalConfig({
    evalSet: evalSet([
      evalCase('one', [{ user: 'Hello' }], { agentCriteria: ofCase }),
      evalCase('two', [{ user: 'Hi' }]),
    ]),
    config: { criteria: { always: 1 }, agent_criteria: ofConfig },
    registry: createRegistry([always, simulator]),
    models: (name) => (name === 'small' ? scriptedModel([], 'small') : undefined),
    ...more,
  });
}

function problems(...written: Parameters<typeof plan>): string[] {
  try {
    plan(...written);
  } catch (error) {
    if (CriteriaError.is(error)) return error.problems.map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
}

describe('planned environments', () => {
  it('have the keys of the config, and of the case in place of these, and a simulator for each tool that names one', () => {
    const shared = { simulation_model: 'small', environment_data: 'of the config', tracing: 'then' };
    const { environments } = plan(
      { ...shared, tool_simulation_configs: [simulated('a')] },
      { environment_data: 'of the case', tool_simulation_configs: [simulated('b')], unlistedTools: 'error' },
    );
    const [one, two] = [environments.get('one'), environments.get('two')];
    expect(one?.config).toMatchObject({
      simulationModel: 'small',
      environmentData: 'of the case',
      tracing: 'then',
      unlistedTools: 'error',
    });
    expect([...(one?.simulators.keys() ?? [])]).toEqual(['b', 'a']);
    expect(two?.config).toMatchObject({ environmentData: 'of the config' });
    expect(two?.config.unlistedTools).toBeUndefined();
    expect([...(two?.simulators.values() ?? [])]).toEqual([simulator]);
  });

  it('are absent where injections decide alone, and present without stubs where unlisted tools are errors', () => {
    const stub = { tool_name: 'a', injection_configs: [{ injected_response: {} }], mock_strategy_type: 0 };
    expect(plan({ tool_simulation_configs: [stub] }).environments.size).toBe(0);
    const { environments, stubs } = plan({ unlisted_tools: 'error' });
    expect([...environments.keys()]).toEqual(['one', 'two']);
    expect([...stubs.values()]).toEqual([[], []]);
  });

  it('are absent if nothing runs', () => {
    expect(plan({ tool_simulation_configs: [simulated('a')] }, {}, { scoringOnly: true }).environments.size).toBe(0);
  });

  it('need a simulator that is registered, a model that exists, and a case that can be simulated', () => {
    const named = (name: string) => ({ tool_simulation_configs: [simulated('a', { mock_strategy_type: name })] });
    expect(problems(named('MOCK_STRATEGY_TOOL_SPECS'))).toEqual([
      expect.stringContaining('did you mean "MOCK_STRATEGY_TOOL_SPEC"'),
    ]);
    const of = { tool_simulation_configs: [simulated('a'), simulated('b')], simulation_model: 'large' };
    expect(problems(of)).toEqual([expect.stringMatching(/MOCK_STRATEGY_TOOL_SPEC: .*"large"/)]);
    expect(problems({}, { tool_simulation_configs: [simulated('forbidden')] })).toEqual([
      '$.eval_cases[0]: forbidden cannot be simulated',
    ]);
  });

  it('are refused with the place of a wrong key', () => {
    expect(problems({}, { unlisted_tools: 'never' })).toEqual([
      expect.stringMatching(/^\$\.eval_cases\[0\]\.agent_criteria\.unlisted_tools: .*never/),
    ]);
    expect(problems({ environment_data: { orders: [] } })).toEqual([expect.stringContaining('environment_data')]);
  });
});
