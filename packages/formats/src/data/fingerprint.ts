import { isObject } from '../json.ts';

/**
 * Sixteen hex digits that say the same of equal JSON, whatever the order of its keys: FNV-1a, 64 bits. It names what has
 * no name of its own, always the same way and on every platform. Core may not use node:crypto, and nobody is to be
 * kept from making two values with one fingerprint: do not use it where that matters.
 */
export function fingerprint(value: unknown): string {
  return fnv1a(new TextEncoder().encode(canonical(value)));
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const present = Object.entries(value).filter(([, item]) => item !== undefined);
  const entries = present.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join()}}`;
}

/** 64-bit arithmetic in two halves of 32 bits, where every product stays exact. */
export function fnv1a(bytes: Uint8Array): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const byte of bytes) {
    low = (low ^ byte) >>> 0;
    // The prime is 2^40 + 0x1b3.
    const product = low * 0x1b3;
    high = (high * 0x1b3 + Math.floor(product / 2 ** 32) + low * 2 ** 8) % 2 ** 32;
    low = product % 2 ** 32;
  }
  return [high, low].map((half) => half.toString(16).padStart(8, '0')).join('');
}
