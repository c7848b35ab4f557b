import { type SecretMask, secretMask } from '@agent-criteria/masking';
import type { Project } from '@agent-criteria/project';
import type { Io } from './io.ts';

type Environment = Io['environment'];

/** The variables of `.env` files, by the environment that the files were read for: it may override them. */
const inFiles = new WeakMap<Environment, readonly Environment[]>();

/** Makes `maskOf` mask the secrets in the `.env` files of a project, too. */
export function maskEnvironmentFiles({ environment: read }: Project, { environment }: Pick<Io, 'environment'>): void {
  const known = inFiles.get(environment) ?? [];
  inFiles.set(environment, [...known, ...read.inFiles].slice(-MOST_FILES));
}

const MOST_FILES = 100;

/** Takes secrets out of what is printed besides runs: those are masked before they are kept. */
export function maskOf({ environment }: Pick<Io, 'environment'>): SecretMask {
  // Agents set theirs in the process, whatever a command was given.
  return secretMask({ environment: () => [environment, process.env, ...(inFiles.get(environment) ?? [])] });
}
