export { toolParameterMatch } from './tool-parameter-match.ts';
export { toolTrajectory } from './tool-trajectory-avg-score.ts';
