import type { Part } from '@agent-criteria/core';
import type { SecretMask } from '@agent-criteria/masking';
import { artifactOf, artifactsOf } from './artifacts.ts';
import type { ChatSession } from './chat-session.ts';
import { maskedFiles } from './masked-files.ts';

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
  const part = maskedFiles(await artifactOf(session, own ?? name, version), mask);
  const masked = mask.json(part);
  const { inlineData } = masked;
  // Bytes that are no text stay as they are, also where they look like a secret in base64.
  return inlineData ? { ...masked, inlineData: { ...inlineData, data: part.inlineData?.data } } : masked;
}
