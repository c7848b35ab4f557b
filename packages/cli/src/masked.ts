import { type SecretMask, secretMask } from '@agent-criteria/core/host';
import type { Io } from './io.ts';

/** Takes secrets out of what is printed besides runs: those are masked before they are kept. */
export function maskOf({ environment }: Io): SecretMask {
  return secretMask({ environment });
}
