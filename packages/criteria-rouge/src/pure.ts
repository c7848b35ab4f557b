export type { Language } from './languages.ts';
export type { ResponseMatchInput, ResponseMatchOptions, RougeType } from './options.ts';
export { responseMatch } from './response-match-score.ts';
