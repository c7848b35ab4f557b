import type { Part } from '@agent-criteria/core';
import type { ArtifactVersions } from '@agent-criteria/core/host';
import type { SecretMask } from '@agent-criteria/masking';
import { refusal } from '../http/refusal.ts';
import { artifactText } from './artifact-content.ts';
import type { ChatSession } from './chat-session.ts';

type Named = Awaited<ReturnType<typeof artifactsOf>>[number];

/** Lists the artifacts of a session, with secrets in their names masked. */
export async function maskedArtifacts(session: ChatSession, mask: SecretMask): Promise<readonly Named[]> {
  return (await artifactsOf(session)).map((one) => ({ ...one, name: mask.text(one.name) }));
}

/**
 * Returns an artifact with secrets in its text masked. Other content, such as images, is unchanged.
 *
 * @param name The name given by the agent, or the name as masked by `maskedArtifacts`.
 * @param version Default: the latest.
 * @throws A 404 refusal.
 */
export async function maskedArtifact(
  session: ChatSession,
  name: string,
  version: string | undefined,
  mask: SecretMask,
): Promise<Part> {
  const all = await artifactsOf(session);
  const own = all.some((one) => one.name === name) ? name : all.find((one) => mask.text(one.name) === name)?.name;
  const part = await artifactOf(session, own ?? name, version);
  const { inlineData } = part;
  if (!inlineData) return mask.json(part);
  const text = artifactText(part) ?? '';
  const safe = mask.text(text);
  const data = safe === text ? inlineData.data : Buffer.from(safe, 'utf8').toString('base64');
  return { ...mask.json(part), inlineData: { ...inlineData, data } };
}

export async function artifactsOf({ live }: ChatSession): Promise<readonly ArtifactVersions[]> {
  return (await live?.artifacts?.list()) ?? [];
}

/** @param version Default: the latest. @throws A 404 refusal. */
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
