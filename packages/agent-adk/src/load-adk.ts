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
  /** The path of its ES module. */
  readonly entry: string;
  readonly require: NodeJS.Require;
}

interface Manifest {
  readonly version?: string;
  readonly exports: { readonly '.': { readonly import: string | { readonly default: string } } };
}

/**
 * Finds the copy of `@google/adk` that a file would import, or else the one in the working directory, or else the one
 * next to this package. Imports nothing.
 *
 * @param from A path or a file URL. Default: the search starts in the working directory.
 * @throws CriteriaError AGENT_NOT_FOUND, with the install command, if no copy is found or it is not version 2.
 */
export function findAdk(from?: string): AdkCopy {
  // The peer dependencies of this package are installed next to it.
  const places = [
    ...(from === undefined || from === '' ? [] : [from.startsWith('file:') ? fileURLToPath(from) : resolve(from)]),
    resolve('agent.js'),
    fileURLToPath(import.meta.url),
  ];
  for (const place of places) {
    const require = createRequire(place);
    const manifest = resolved(require, `${NAME}/package.json`);
    if (manifest === undefined) continue;
    const { version, exports } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest;
    if (!version?.startsWith('2.')) {
      throw notFound(`${NAME} ${version} is installed, but this adapter needs version 2`);
    }
    const { import: entry } = exports['.'];
    return { entry: join(dirname(manifest), typeof entry === 'string' ? entry : entry.default), require };
  }
  throw notFound(`${NAME} is not installed next to the agent or in the working folder`);
}

/** Imports ADK through the same entry as the agent, so that each class exists only once. */
export async function importAdk({ entry, require }: AdkCopy, root: AdkRoot): Promise<AdkModule> {
  // Present if CommonJS modules have loaded this copy.
  const required: AdkModule | undefined = require.cache[resolved(require, NAME) ?? '']?.exports;
  if (required && [required.BaseAgent, required.App].some((made) => root instanceof made)) return required;
  return import(pathToFileURL(entry).href);
}

function resolved(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}

function notFound(problem: string): CriteriaError {
  return new CriteriaError({ code: 'AGENT_NOT_FOUND', message: `${problem}: ${INSTALL}` });
}
