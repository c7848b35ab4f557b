import type { ToolSimulationConfig } from './model.ts';

/** ADK's numbers for strategies. */
const NUMBERS: readonly string[] = ['MOCK_STRATEGY_UNSPECIFIED', 'MOCK_STRATEGY_TOOL_SPEC', 'MOCK_STRATEGY_TRACING'];

/** Returns the name of the simulator that answers the calls that no injection decides, or `null` if there is none. */
export function mockStrategyOf({ mockStrategyType: written }: ToolSimulationConfig): string | null {
  const name = typeof written === 'number' ? (NUMBERS[written] ?? String(written)) : (written ?? NUMBERS[0]);
  return name === undefined || name === NUMBERS[0] ? null : name;
}
