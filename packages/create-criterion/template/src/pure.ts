export { sampleCriterionScore } from './sample-criterion.ts';
