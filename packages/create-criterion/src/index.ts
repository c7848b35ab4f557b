export { createCriterion } from './create-criterion.ts';
