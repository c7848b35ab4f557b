import { type SecretMask, secretMask } from '@agent-criteria/masking';
import type { Project } from '@agent-criteria/project';
import type { Io } from './io.ts';

type Environment = Io['environment'];

/**
 * The variables from `.env` files, keyed by the environment for which they were read. That environment may override
 * them.
 */
const inFiles = new WeakMap<Environment, readonly Environment[]>();

/** Makes `maskOf` also mask the secrets in a project's `.env` files. */
export function maskEnvironmentFiles({ environment: read }: Project, { environment }: Pick<Io, 'environment'>): void {
  const known = inFiles.get(environment) ?? [];
  inFiles.set(environment, [...known, ...read.inFiles].slice(-MOST_FILES));
}

const MOST_FILES = 100;

/** Masks secrets in output other than runs, which are masked before they are saved. */
export function maskOf({ environment }: Pick<Io, 'environment'>): SecretMask {
  // Agents set their keys in `process.env`, whatever environment a command was given.
  return secretMask({ environment: () => [environment, process.env, ...(inFiles.get(environment) ?? [])] });
}
