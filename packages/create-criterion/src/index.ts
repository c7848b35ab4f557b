export { type Created, type CreateOptions, createCriterion } from './create-criterion.ts';
