export { type Equality, equalValues, isBranch, presentKeys } from './equality.ts';
export { type Budget, brief, excerpt } from './excerpt.ts';
export { isNear } from './is-near.ts';
export { compilePattern } from './pattern.ts';
export { each, formatSteps, formatValuePath, parseValuePath, type ValuePath } from './value-path.ts';
