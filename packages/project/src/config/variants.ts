import { resolve } from 'node:path';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import { isUrl, variantProblems } from '@agent-criteria/runner';
import { pathExists } from '../files/path-kind.ts';

/** Agents by the names of their variants, each given as `AGENT` or `AGENT#EXPORT`. */
export type VariantPaths = Readonly<Record<string, string>>;

const FORM = '--variant NAME=AGENT[#EXPORT]';

/**
 * Parses variants given as `NAME=AGENT[#EXPORT]`, preserving their order.
 * @throws CriteriaError USAGE with every argument in another format, and for invalid names.
 */
export function parseVariants(written: readonly string[]): VariantPaths {
  const pairs: [string, string][] = [];
  const problems: Problem[] = [];
  for (const text of written) {
    const equals = text.indexOf('=');
    const [name, agent] = [text.slice(0, equals), text.slice(equals + 1)];
    if (equals > 0 && agent.trim() !== '') pairs.push([name, agent]);
    else {
      const lacks = equals === -1 ? 'has no "="' : equals === 0 ? 'has no name' : `names no agent for "${name}"`;
      problems.push({ code: 'USAGE', message: `--variant ${JSON.stringify(text)} ${lacks}: write ${FORM}` });
    }
  }
  const names = pairs.map(([name]) => name);
  if (names.length > 0) problems.push(...variantProblems(names));
  if (problems.length > 0) throw new CriteriaError(problems);
  return Object.fromEntries(pairs);
}

/** Splits the agent of a variant into its path or URL and the name after `#`. Never splits a path that exists. */
export async function splitAgent(
  text: string,
): Promise<{ readonly path: string; readonly agentName?: string | undefined }> {
  const hash = text.lastIndexOf('#');
  if (hash <= 0 || (!isUrl(text) && (await pathExists(text)))) return { path: text };
  const [path, agentName] = [text.slice(0, hash), text.slice(hash + 1)];
  if (agentName !== '') return { path, agentName };
  const message = `"${text}" names no export after "#": write AGENT#EXPORT, or AGENT alone`;
  throw new CriteriaError({ code: 'USAGE', message });
}

/** Makes the paths from a config absolute. */
export function variantsFrom(folder: string, variants: VariantPaths): VariantPaths {
  return Object.fromEntries(
    Object.entries(variants).map(([name, agent]) => [name, isUrl(agent) ? agent : resolve(folder, agent)]),
  );
}
