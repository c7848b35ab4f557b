export { hallucinations } from './hallucinations.ts';
export type { HallucinationsCriterion } from './options.ts';
export { splitSentences } from './split-sentences.ts';
