export { hallucinations } from './hallucinations.ts';
export type { HallucinationsCriterion, HallucinationsOptions, SegmenterName } from './options.ts';
export { splitSentences } from './split-sentences.ts';
