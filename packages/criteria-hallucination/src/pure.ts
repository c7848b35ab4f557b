export { hallucinations } from './hallucinations.ts';
export type { HallucinationsCriterion, HallucinationsInput, HallucinationsOptions, SegmenterName } from './options.ts';
export { splitSentences } from './split-sentences.ts';
