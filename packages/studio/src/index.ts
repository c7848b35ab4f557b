export { type RunningStudio, type StudioOptions, startStudio } from './start-studio.ts';
