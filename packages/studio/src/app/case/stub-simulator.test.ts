import { expect, it } from 'vitest';
import { newStub, simulatorOf, withSimulator } from './stub-simulator.ts';

it.each([
  [{ mock_strategy_type: 'MOCK_STRATEGY_TOOL_SPEC' }, 'MOCK_STRATEGY_TOOL_SPEC'],
  [{ mockStrategyType: 1 }, 'MOCK_STRATEGY_TOOL_SPEC'],
  [{ mock_strategy_type: 'dice' }, 'dice'],
  [{ mock_strategy_type: 'MOCK_STRATEGY_UNSPECIFIED' }, null],
  [{ mock_strategy_type: ['recorded'] }, null],
  [{}, null],
])('the simulator of the stub %j is %j', (stub, name) => {
  expect(simulatorOf(stub)).toBe(name);
});

it('a simulator takes the place of the answer of a new stub, and gives it back', () => {
  const simulated = withSimulator({ ...newStub(), mine: 1 }, 'recorded');
  expect(simulated).toEqual({ tool_name: '', mine: 1, mock_strategy_type: 'recorded' });
  expect(withSimulator(simulated, null)).toEqual({ ...newStub(), mine: 1 });
});

it('a simulator leaves the answers that somebody wrote, and keeps the spelling of its key', () => {
  const stub = { toolName: 'a', injectionConfigs: [{ injectedResponse: { a: 1 } }], mockStrategyType: 'dice' };
  expect(withSimulator(stub, 'recorded')).toEqual({ ...stub, mockStrategyType: 'recorded' });
});
