/** Loads `node:crypto` on first use, because that takes as long as loading core. */
function nodeCrypto(): typeof import('node:crypto') {
  loaded ??= process.getBuiltinModule('node:crypto');
  return loaded;
}

let loaded: typeof import('node:crypto') | undefined;

/** Returns the SHA-256 hash of a string (as UTF-8) as 64 hexadecimal digits. */
export function sha256(text: string): string {
  return nodeCrypto().hash('sha256', text);
}

/** Starts an incremental SHA-256 hash. `end` returns 64 hexadecimal digits. */
export function openSha256(): { add(bytes: Uint8Array): void; end(): string } {
  const hash = nodeCrypto().createHash('sha256');
  return { add: (bytes) => void hash.update(bytes), end: () => hash.digest('hex') };
}

/** Returns random hexadecimal digits, two per byte. Default: 6 bytes. */
export function randomHex(bytes = 6): string {
  return nodeCrypto().randomBytes(bytes).toString('hex');
}

/** Returns a random version 4 UUID. */
export function randomUUID(): string {
  return nodeCrypto().randomUUID();
}
