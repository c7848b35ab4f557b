export { defineToolSimulator } from './define-tool-simulator.ts';
export { recordedTools } from './recorded-tools.ts';
export { toolSpecSimulator } from './tool-spec-simulator.ts';
