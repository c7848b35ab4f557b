import { registerPlugin } from '@agent-criteria/core';
import { llmBackedUserSimulator, perTurnUserSimulatorQuality } from './pure.ts';

export * from './pure.ts';

registerPlugin(llmBackedUserSimulator);
registerPlugin(perTurnUserSimulatorQuality);
