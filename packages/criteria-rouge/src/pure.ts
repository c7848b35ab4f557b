export type { Language } from './languages.ts';
export type { ResponseMatchOptions, RougeType } from './options.ts';
export { responseMatch } from './response-match-score.ts';
