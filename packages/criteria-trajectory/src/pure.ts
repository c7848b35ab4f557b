export * from './match.ts';
export type { TrajectoryInput, TrajectoryOptions } from './options.ts';
export { toolParameterMatch } from './tool-parameter-match.ts';
export { toolTrajectory } from './tool-trajectory-avg-score.ts';
