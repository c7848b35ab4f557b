const WILDCARD = /[*?[\]{}]|[!+@]\(/;

/**
 * Splits a glob pattern before its first wildcard. Returns `null` if there is none. On Windows, a backslash is a
 * separator; elsewhere, it escapes the next character.
 */
export function splitPattern(
  text: string,
  windows: boolean = process.platform === 'win32',
): { readonly base: string; readonly pattern: string } | null {
  const slashed = windows ? text.replaceAll('\\', '/') : text;
  if (!hasWildcard(slashed)) return null;
  // `C:` is not a folder, because a path after it is relative to the drive's current folder.
  const drive = windows ? (/^[A-Za-z]:(?!\/)/.exec(slashed)?.[0] ?? '') : '';
  const segments = slashed.slice(drive.length).split('/');
  const first = segments.findIndex(hasWildcard);
  const literal = segments.slice(0, first).map((segment) => segment.replace(/\\(.)/g, '$1'));
  const folder = literal.join('/');
  // The path of a root folder ends in a slash.
  const isRoot = literal.length > 0 && (folder === '' || /^[A-Za-z]:$/.test(folder));
  const base = `${drive}${folder}${isRoot ? '/' : ''}`;
  return { base: base === '' ? '.' : base, pattern: segments.slice(first).join('/') };
}

function hasWildcard(text: string): boolean {
  return WILDCARD.test(text.replace(/\\./g, ''));
}
