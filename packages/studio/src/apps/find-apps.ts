import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { CriteriaError } from '@agent-criteria/core';
import { findAgent } from '@agent-criteria/project/plan';
import { isUrl } from '@agent-criteria/runner';
import { isInside } from '../security/inside-folder.ts';
import { findSets } from '../sets/find-sets.ts';
import type { App } from './app.ts';

const DEEPEST = 3;
/** Excludes `index.ts`, which would match too many folders. */
const AGENT_MODULE = /^(?:app|agent)\.[mc]?[jt]s$/;
const EVAL_SET = /\.(?:evalset|test)\.jsonl?$/i;

/**
 * Finds the agents at a path, which may be a module, a URL or a folder, and in folders below it. Apps are named after
 * their folders, with dots for deeper paths, as in ADK. Nothing is imported.
 *
 * @throws CriteriaError AGENT_NOT_FOUND if there is neither an agent nor an eval set.
 */
export async function findApps(path: string): Promise<readonly App[]> {
  if (isUrl(path)) return [{ name: nameInUrl(path), folder: resolve('.'), agent: path }];
  const absolute = resolve(path);
  // Throws the same error, with the same advice, as the command.
  if (!(await isFolder(absolute))) {
    const agent = await findAgent(path);
    return [{ name: basename(dirname(agent)), folder: dirname(agent), agent }];
  }
  const found: App[] = [];
  const own = await folderAt(absolute, basename(absolute), true);
  if (own !== null) found.push(own);
  await findBelow(absolute, [], found);
  const apps = await appsOf(found);
  if (apps.length > 0) return apps;
  const message =
    'there is no agent and no eval set in this folder, nor in those below it: name the folder of an agent, or make one with agent-criteria init';
  throw new CriteriaError({ code: 'AGENT_NOT_FOUND', file: path, message });
}

/** Collects the folders below a path that have an agent or eval sets, each before those inside it. */
async function findBelow(root: string, path: readonly string[], found: App[]): Promise<void> {
  if (path.length === DEEPEST) return;
  const entries = await readdir(join(root, ...path), { withFileTypes: true }).catch(() => []);
  for (const { name } of entries.filter(isSearched).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const inside = [...path, name];
    const folder = join(root, ...inside);
    if (!(await isFolder(folder)) || !(await isInside(root, folder))) continue;
    const one = await folderAt(folder, inside.join('.'), false);
    if (one !== null) found.push(one);
    await findBelow(root, inside, found);
  }
}

/**
 * Makes apps of folders. Eval sets below an agent belong to it. A folder that has only eval sets takes the agent below
 * it, if exactly one there has no eval sets of its own: `desk/home.evalset.json` belongs to `desk/agent/agent.ts`.
 */
async function appsOf(found: readonly App[]): Promise<readonly App[]> {
  const above = (one: App) => found.filter(({ folder }) => one.folder.startsWith(`${folder}${sep}`));
  const candidates = new Map<App, App[]>();
  for (const one of found) {
    const [nearest, ...further] = above(one).reverse();
    if (one.agent === null || nearest === undefined) continue;
    if ([nearest, ...further].some(({ agent }) => agent !== null) || (await findSets(one)).length > 0) continue;
    candidates.set(nearest, [...(candidates.get(nearest) ?? []), one]);
  }
  const taken = new Map<App, App>();
  for (const [one, [agent, ...others]] of candidates) {
    if (agent !== undefined && others.length === 0) taken.set(one, agent);
  }
  const isTaken = new Set(taken.values());
  const apps: App[] = [];
  for (const one of found) {
    const { name, folder } = one;
    const agent = one.agent ?? taken.get(one)?.agent ?? null;
    const belongsToAgent = agent === null && above(one).some((other) => other.agent !== null || taken.has(other));
    if (isTaken.has(one) || belongsToAgent || apps.some((other) => other.name === name)) continue;
    apps.push({ name, folder, agent });
  }
  return apps;
}

function isSearched({ name }: { readonly name: string }): boolean {
  return !name.startsWith('.') && name !== 'node_modules' && name !== 'dist';
}

/** @param isNamed Whether the user specified this folder, in which case an `index.ts` counts as an agent, too. */
async function folderAt(folder: string, name: string, isNamed: boolean): Promise<App | null> {
  const names = await readdir(folder).catch(() => []);
  const hasSets = names.some((file) => EVAL_SET.test(file));
  const looksLikeAgent = names.some((file) => AGENT_MODULE.test(file));
  if (!isNamed && !hasSets && !looksLikeAgent) return null;
  const agent = await findAgent(folder).catch(() => null);
  // A link may lead outside the folder that the user specified.
  const isOurs = agent !== null && (await isInside(folder, agent));
  if (!isOurs && !hasSets) return null;
  return { name, folder, agent: isOurs ? agent : null };
}

/** Returns the app of an ADK server, or else the host. */
function nameInUrl(url: string): string {
  const { pathname, searchParams, hostname } = new URL(url);
  const inPath = /\/apps\/([^/]+)\/?$/.exec(pathname)?.[1];
  return searchParams.get('app') ?? (inPath === undefined ? hostname : decodeURIComponent(inPath));
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
