import { defaultRegistry } from '@agent-criteria/core/host';
import { expect, it } from 'vitest';
import * as entry from './index.ts';
import * as pure from './pure.ts';

it('the main entry registers the simulator and its criterion on import, and exports everything that ./pure does', () => {
  expect(defaultRegistry().get('user-simulator', 'llm_backed')).toBe(pure.llmBackedUserSimulator);
  expect(defaultRegistry().get('criterion', 'per_turn_user_simulator_quality_v1')).toBe(
    pure.perTurnUserSimulatorQuality,
  );
  expect(Object.keys(entry).sort()).toEqual(Object.keys(pure).sort());
});
