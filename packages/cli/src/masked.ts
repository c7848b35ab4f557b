import { type SecretMask, secretMask } from '@agent-criteria/masking';
import type { Project } from '@agent-criteria/project';
import type { Io } from './io.ts';

type Environment = Io['environment'];

/** What `.env` files say, also where it was set before, by the environment that they were read for. */
const inFiles = new WeakMap<Environment, readonly Environment[]>();

/** From here on, `maskOf` knows what the `.env` files of this project say. */
export function knowEnvironmentFiles({ environment: read }: Project, { environment }: Pick<Io, 'environment'>): void {
  const known = inFiles.get(environment) ?? [];
  inFiles.set(environment, [...known, ...read.inFiles].slice(-MOST_FILES));
}

const MOST_FILES = 100;

/** Takes secrets out of what is printed besides runs: those are masked before they are kept. */
export function maskOf({ environment }: Pick<Io, 'environment'>): SecretMask {
  // Agents set theirs in the process, whatever a command was given.
  return secretMask({ environment: () => [environment, process.env, ...(inFiles.get(environment) ?? [])] });
}
