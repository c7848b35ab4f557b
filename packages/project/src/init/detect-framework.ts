import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isObject } from '@agent-criteria/formats';
import { type Framework, frameworks } from './frameworks.ts';

/** A framework that a project uses, and the version range that it asks for. */
export interface UsedFramework {
  readonly framework: Framework;
  readonly range: string;
}

/** Finds the framework among the dependencies of the nearest `package.json`, in the folder or above it. */
export async function detectFramework(folder: string): Promise<UsedFramework | null> {
  for (let above = resolve(folder); ; above = dirname(above)) {
    const text = await readFile(join(above, 'package.json'), 'utf8').catch(() => null);
    if (text !== null) return frameworkIn(text);
    if (above === dirname(above)) return null;
  }
}

/** @param text The text of a `package.json`. A damaged one has no framework: `npm` complains of it. */
function frameworkIn(text: string): UsedFramework | null {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(manifest)) return null;
  const { dependencies, devDependencies, peerDependencies } = manifest;
  for (const framework of frameworks) {
    for (const list of [dependencies, devDependencies, peerDependencies]) {
      if (!isObject(list) || !Object.hasOwn(list, framework.dependency)) continue;
      const range = list[framework.dependency];
      if (typeof range === 'string' && isSupported(range, framework)) return { framework, range };
    }
  }
  return null;
}

/** Whether a range such as `^6.0.1` may be supported. One without a number, such as `latest` or `workspace:*`, may be. */
function isSupported(range: string, { since }: Framework): boolean {
  const major = /\d+/.exec(range)?.[0];
  return major === undefined || Number(major) >= since;
}
