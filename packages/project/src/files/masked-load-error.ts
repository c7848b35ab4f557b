import { secretMask } from '@agent-criteria/masking';
import { describeLoadError } from './import-module.ts';

/**
 * Describes an error on loading the user's code, with secrets masked. They are masked first, because a multi-line key
 * is not recognised once its lines are joined.
 */
export function maskedLoadError(error: unknown): string {
  return describeLoadError(error, secretMask({ environment: process.env }).text);
}
