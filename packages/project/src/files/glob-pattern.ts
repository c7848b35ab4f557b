/** A pattern of files: the folder that it starts from, and what is matched below that. */
export interface SplitPattern {
  readonly base: string;
  readonly pattern: string;
}

const WILDCARD = /[*?[\]{}]|[!+@]\(/;

/**
 * Takes a pattern apart where its first wildcard stands; `null` for a text without any. On Windows a backslash is a
 * separator, elsewhere it takes the meaning from the wildcard after it.
 */
export function splitPattern(text: string, windows: boolean = process.platform === 'win32'): SplitPattern | null {
  const slashed = windows ? text.replaceAll('\\', '/') : text;
  if (!hasWildcard(slashed)) return null;
  // A drive is no folder: what follows `C:` is below the current one of that drive.
  const drive = windows ? (/^[A-Za-z]:(?!\/)/.exec(slashed)?.[0] ?? '') : '';
  const segments = slashed.slice(drive.length).split('/');
  const first = segments.findIndex(hasWildcard);
  const literal = segments.slice(0, first).map((segment) => segment.replace(/\\(.)/g, '$1'));
  const folder = literal.join('/');
  // The root of a drive, or of everything, keeps its slash.
  const isRoot = literal.length > 0 && (folder === '' || /^[A-Za-z]:$/.test(folder));
  const base = `${drive}${folder}${isRoot ? '/' : ''}`;
  return { base: base === '' ? '.' : base, pattern: segments.slice(first).join('/') };
}

function hasWildcard(text: string): boolean {
  return WILDCARD.test(text.replace(/\\./g, ''));
}
