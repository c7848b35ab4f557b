export { type RunningStudio, startStudio } from './start-studio.ts';
