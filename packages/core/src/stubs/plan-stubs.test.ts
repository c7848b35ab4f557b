import { CriteriaError, type State } from '@agent-criteria/formats';
import { describe, expect, it } from 'vitest';
import { defineCriterion } from '../define-criterion.ts';
import { noOptions } from '../options-schema.ts';
import { createRegistry } from '../registry/registry.ts';
import { resolveEvalConfig } from '../resolve/resolve-eval-config.ts';
import { evalCase, evalSet } from '../testing/index.ts';

const always = defineCriterion({
  name: 'always',
  description: 'Always.',
  origin: { package: 'test', version: '1.0.0' },
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  scope: 'turn',
  evaluate: () => ({ value: 1 }),
});

const stub = (tool_name: string, injected_response: State) => ({
  tool_name,
  injection_configs: [{ injected_response }],
});

function plan(ofConfig: unknown, ofCase: State | undefined) {
  const more = ofCase === undefined ? {} : { agentCriteria: ofCase };
  return resolveEvalConfig({
    evalSet: evalSet([evalCase('one', [{ user: 'Hello' }], more), evalCase('two', [{ user: 'Hello' }])]),
    config: { criteria: { always: 1 }, agent_criteria: ofConfig },
    registry: createRegistry([always]),
  });
}

function problems(ofConfig: unknown, ofCase?: State): string[] {
  try {
    plan(ofConfig, ofCase);
  } catch (error) {
    if (CriteriaError.is(error)) return error.problems.map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
}

describe('planned stubs', () => {
  it('are empty if none are written', () => {
    expect(plan(undefined, undefined).stubs.size).toBe(0);
    expect(plan(undefined, { toolSimulationConfigs: undefined }).stubs.size).toBe(0);
  });

  it('of a case replace the stubs of the config tool by tool', () => {
    const { stubs } = plan(
      { tool_simulation_configs: [stub('a', { of: 'config' }), stub('b', { of: 'config' })] },
      { tool_simulation_configs: [stub('b', { of: 'case' })] },
    );
    const told = (id: string) =>
      stubs.get(id)?.map(({ toolName, injectionConfigs }) => [toolName, injectionConfigs?.[0]?.injectedResponse]);
    expect(told('one')).toEqual([
      ['b', { of: 'case' }],
      ['a', { of: 'config' }],
    ]);
    expect(told('two')).toEqual([
      ['a', { of: 'config' }],
      ['b', { of: 'config' }],
    ]);
  });

  it('are read in both spellings, leaving the keys of their maps unchanged', () => {
    const injectionConfigs = [{ matchArgs: { someKey: 1, other_key: 2 }, injectedResponse: { some_key: { aB: 1 } } }];
    const { stubs } = plan(undefined, { toolSimulationConfigs: [{ toolName: 'a', injectionConfigs }] });
    expect(stubs.get('one')).toEqual([{ toolName: 'a', injectionConfigs }]);
  });

  it('are rejected with the reason if they are invalid', () => {
    expect(problems(undefined, { tool_simulation_configs: [{ tool: 'a' }] })).toEqual([
      expect.stringMatching(/^\$\.eval_cases\[0\]\.agent_criteria\.tool_simulation_configs\[0\].*tool/),
      expect.stringContaining('tool_simulation_configs[0]'),
    ]);
    const inConfig = (...stubs: unknown[]) => problems({ tool_simulation_configs: stubs });
    expect(inConfig(stub('a', {}), stub('a', {}))).toEqual([expect.stringContaining('"a" is stubbed twice')]);
    expect(inConfig({ ...stub('a', {}), mock_strategy_type: 'MOCK_STRATEGY_TRACING' })).toEqual([
      expect.stringContaining('deprecated'),
      expect.stringContaining('there is no tool simulator named "MOCK_STRATEGY_TRACING"'),
    ]);
    expect(inConfig({ ...stub('a', {}), mock_strategy_type: 'MOCK_STRATEGY_UNSPECIFIED' })).toEqual([]);
    expect(inConfig({ tool_name: 'a', injection_configs: [] })).toEqual([expect.stringContaining('the stub')]);
    expect(inConfig({ tool_name: 'a', injection_configs: [{}] })).toEqual([expect.stringContaining('does nothing')]);
    const both = { injected_response: {}, injected_error: { injected_http_error_code: 500, error_message: 'x' } };
    expect(inConfig({ tool_name: 'a', injection_configs: [both] })).toEqual([expect.stringContaining('not both')]);
    const often = { injected_response: {}, injection_probability: 1.5 };
    expect(inConfig({ tool_name: 'a', injection_configs: [often] })).toEqual([expect.stringContaining('1.5')]);
  });

  it('are suggested for a misspelt key, which is not taken for options of a criterion', () => {
    expect(problems(undefined, { tool_simulation_config: [] })).toEqual([
      expect.stringContaining('did you mean "tool_simulation_configs"'),
    ]);
  });
});
