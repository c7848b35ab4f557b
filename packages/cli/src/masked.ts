import { type SecretMask, secretMask } from '@agent-criteria/core/host';
import type { Io } from './io.ts';

/** Takes secrets out of what is printed besides runs: those are masked before they are kept. */
export function maskOf({ environment }: Pick<Io, 'environment'>): SecretMask {
  // Agents set theirs in the process, whatever a command was given.
  return secretMask({ environment: () => [environment, process.env] });
}
