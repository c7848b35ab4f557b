import { type SecretMask, secretMask } from '@agent-criteria/masking';
import type { Project } from '@agent-criteria/project';
import type { Io } from './io.ts';

type Environment = Io['environment'];

/** The variables of `.env` files, by the environment that the files were read for, which may override them. */
const inFiles = new WeakMap<Environment, readonly Environment[]>();

/** Makes `maskOf` mask the secrets in the `.env` files of a project, too. */
export function maskEnvironmentFiles({ environment: read }: Project, { environment }: Pick<Io, 'environment'>): void {
  const known = inFiles.get(environment) ?? [];
  inFiles.set(environment, [...known, ...read.inFiles].slice(-MOST_FILES));
}

const MOST_FILES = 100;

/** Masks secrets in output other than runs, which are masked before they are stored. */
export function maskOf({ environment }: Pick<Io, 'environment'>): SecretMask {
  // Agents set their keys in the process, whatever environment a command has.
  return secretMask({ environment: () => [environment, process.env, ...(inFiles.get(environment) ?? [])] });
}
