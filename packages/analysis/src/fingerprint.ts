/**
 * Computes a non-cryptographic hash of a string, as 16 hexadecimal digits (bryc's cyrb53, widened to 64 bits). Runs on
 * any platform. Not for secrets, or where someone could force collisions.
 */
export function fingerprint(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 0x9e3779b1);
    b = Math.imul(b ^ unit, 0x5f356495);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return [b, a].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
