import type { Part } from '@agent-criteria/core';
import type { ArtifactVersions } from '@agent-criteria/core/host';
import { refusal } from '../http/refusal.ts';
import type { ChatSession } from './chat-session.ts';

/** Lists the artifacts of a session: those of its agent or, until the agent's session is opened, those it starts with. */
export async function artifactsOf({ live, artifacts }: ChatSession): Promise<readonly ArtifactVersions[]> {
  if (live === null) return artifacts.map(({ name, versions }) => ({ name, versions: [...versions.keys()] }));
  return (await live.artifacts?.list()) ?? [];
}

/** @param version Default: the latest. @throws A 404 refusal. */
export async function artifactOf(session: ChatSession, name: string, version: string | undefined): Promise<Part> {
  const missing = () =>
    refusal(404, `Artifact not found: ${name}${version === undefined ? '' : `, version ${version}`}`);
  const versions = (await artifactsOf(session)).find((one) => one.name === name)?.versions ?? [];
  const wanted = version === undefined ? versions.at(-1) : versions.find((one) => String(one) === version);
  if (wanted === undefined) throw missing();
  const part = await loadArtifact(session, name, wanted);
  if (part === null) throw missing();
  return part;
}

/** @returns `null` if there is no such version. */
export async function loadArtifact(
  { live, artifacts }: ChatSession,
  name: string,
  version: number,
): Promise<Part | null> {
  if (live !== null) return (await live.artifacts?.load(name, version)) ?? null;
  return artifacts.find((one) => one.name === name)?.versions[version] ?? null;
}

/**
 * Copies the artifacts of the agent into the session, so that it can be opened again with them.
 * @returns Whether there are new ones.
 */
export async function withNewArtifacts(session: ChatSession): Promise<boolean> {
  if (session.live === null) return false;
  const listed = await artifactsOf(session);
  const count = (all: readonly { readonly versions: readonly unknown[] }[]): number =>
    all.reduce((sum, { versions }) => sum + versions.length, all.length);
  // Versions are only ever added.
  if (count(listed) === count(session.artifacts)) return false;
  const copied: { name: string; versions: Part[] }[] = [];
  for (const { name, versions } of listed) {
    const parts: Part[] = [];
    for (const version of versions) {
      const part = await loadArtifact(session, name, version);
      if (part !== null) parts.push(part);
    }
    copied.push({ name, versions: parts });
  }
  session.artifacts = copied;
  return true;
}
