import { isObject } from '../json.ts';

/**
 * Hashes JSON to sixteen hex digits (FNV-1a, 64 bits), ignoring key order. It is not collision-resistant: use it for
 * ids, not for security.
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

/** Computes with two halves of 32 bits, so that every product is exact. */
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
