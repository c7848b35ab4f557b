import { Buffer } from 'node:buffer';
import type { Part } from '@agent-criteria/core';
import type { SecretMask } from '@agent-criteria/masking';

/** Masks the secrets in the text of a part, also in a text file. Other files are unchanged. */
export function maskedPart(part: Part, mask: SecretMask): Part {
  const { inlineData } = part;
  if (!inlineData?.data) return mask.json(part);
  const others = mask.json({ ...part, inlineData: { ...inlineData, data: '' } });
  const bytes = Buffer.from(inlineData.data, 'base64');
  const text = bytes.toString('utf8');
  const safe = Buffer.from(text, 'utf8').equals(bytes) ? mask.text(text) : text;
  const data = safe === text ? inlineData.data : Buffer.from(safe, 'utf8').toString('base64');
  return { ...others, inlineData: { ...inlineData, ...others.inlineData, data } };
}
