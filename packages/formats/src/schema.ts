export { checkSchema, schemaKeywords } from './schema/check-schema.ts';
export { describeIssues } from './schema/describe-issues.ts';
export { closest, didYouMean } from './schema/did-you-mean.ts';
export { formatPath } from './schema/path.ts';
export { type Check, fits, is, type ReadAsOptions, readAs, type Schema } from './schema/read-as.ts';
export { respell } from './schema/respell.ts';
export { fieldOf } from './schema/spelling.ts';
export { type CompilePattern, type Violation, validate } from './schema/validate.ts';
