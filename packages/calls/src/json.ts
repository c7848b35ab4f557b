export { limitedCopies } from './limited-copies.ts';
export { type JsonLimits, toJson } from './to-json.ts';
