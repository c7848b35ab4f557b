import { secretMask } from '@agent-criteria/masking';
import { describeLoadError } from './import-module.ts';

/**
 * Describes an error from loading the user's code, on one line and with secrets masked. Masking comes first, because a
 * multi-line key is not recognised once its lines are joined.
 */
export function maskedLoadError(error: unknown): string {
  return describeLoadError(error, secretMask({ environment: process.env }).text);
}
