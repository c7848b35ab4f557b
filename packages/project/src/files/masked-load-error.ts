import { secretMask } from '@agent-criteria/masking';
import { describeLoadError } from './import-module.ts';

/** The error on loading code of the user, without secrets: once its lines are joined, a key of several lines is not recognised. */
export function maskedLoadError(error: unknown): string {
  return describeLoadError(error, secretMask({ environment: process.env }).text);
}
