import type { Part } from '@agent-criteria/core';
import type { ArtifactVersions } from '@agent-criteria/core/host';
import { refusal } from '../http/refusal.ts';
import type { ChatSession } from './chat-session.ts';

/** What the agent saved in a session. */
export async function artifactsOf({ live }: ChatSession): Promise<readonly ArtifactVersions[]> {
  return (await live?.artifacts?.list()) ?? [];
}

/** @param version Default: the newest. @throws A refusal, 404. */
export async function artifactOf(session: ChatSession, name: string, version: string | undefined): Promise<Part> {
  const missing = () =>
    refusal(404, `Artifact not found: ${name}${version === undefined ? '' : `, version ${version}`}`);
  const versions = (await artifactsOf(session)).find((one) => one.name === name)?.versions ?? [];
  const wanted = version === undefined ? versions.at(-1) : versions.find((one) => String(one) === version);
  if (wanted === undefined) throw missing();
  const part = await session.live?.artifacts?.load(name, wanted);
  if (part === null || part === undefined) throw missing();
  return part;
}
