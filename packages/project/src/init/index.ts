export { fitPreset } from './fit-preset.ts';
export { type InitPlan, type InitResult, initProject, planInit } from './init-project.ts';
export { presets } from './presets.ts';
