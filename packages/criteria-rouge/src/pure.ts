export { responseMatch } from './response-match-score.ts';
