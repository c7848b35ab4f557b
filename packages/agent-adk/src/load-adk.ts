import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CriteriaError } from '@agent-criteria/core';
import type { AdkModule, AdkRoot } from './adk-shapes.ts';

const NAME = '@google/adk';
const INSTALL = `npm install ${NAME}@2`;

/** An installed copy of `@google/adk`. */
export interface AdkCopy {
  /** Its folder. */
  readonly folder: string;
  readonly require: NodeJS.Require;
}

/**
 * Finds the `@google/adk` that a file imports, else that of the working folder, else the one next to this package.
 * Imports nothing.
 *
 * @param from A path or a file URL; default: only the working folder is searched.
 * @throws CriteriaError AGENT_NOT_FOUND with the install command, if there is none, or none of version 2.
 */
export function findAdk(from?: string): AdkCopy {
  // The peers of this package are installed where it is.
  const places = [
    ...(from === undefined || from === '' ? [] : [toPath(from)]),
    resolve('agent.js'),
    fileURLToPath(import.meta.url),
  ];
  for (const place of places) {
    const require = createRequire(place);
    const manifest = resolveManifest(require);
    if (manifest === undefined) continue;
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version?: string };
    if (version?.startsWith('2.')) return { folder: dirname(manifest), require };
    throw notFound(`${NAME} ${version} is installed, but this adapter needs version 2`);
  }
  throw notFound(`${NAME} is not installed next to the agent or in the working folder`);
}

/** Imports it through the entry that the agent itself was loaded by, so that each class exists once. */
export async function importAdk({ folder, require }: AdkCopy, root: AdkRoot): Promise<AdkModule> {
  const required = requiredAdk(require);
  if (required && [required.BaseAgent, required.App].some((made) => root instanceof made)) return required;
  return import(pathToFileURL(join(folder, entryOf(folder))).href);
}

/** Finds a copy that CommonJS modules have loaded. */
function requiredAdk(require: NodeJS.Require): AdkModule | undefined {
  try {
    return require.cache[require.resolve(NAME)]?.exports;
  } catch {
    return undefined;
  }
}

function entryOf(folder: string): string {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { import: entry } = exports['.'];
  return typeof entry === 'string' ? entry : entry.default;
}

interface Manifest {
  readonly exports: { readonly '.': { readonly import: string | { readonly default: string } } };
}

function resolveManifest(require: NodeJS.Require): string | undefined {
  try {
    return require.resolve(`${NAME}/package.json`);
  } catch {
    return undefined;
  }
}

function toPath(from: string): string {
  return from.startsWith('file:') ? fileURLToPath(from) : resolve(from);
}

function notFound(problem: string): CriteriaError {
  return new CriteriaError({ code: 'AGENT_NOT_FOUND', message: `${problem}: ${INSTALL}` });
}
