const LONGEST = 200;
const LONGEST_EXTENSION = 20;

/**
 * Returns a file's name without folders and without characters that could disguise it: control characters and those that
 * change the direction of a text, which make `txt.exe` of `exe.txt`.
 */
export function plainFileName(name: string): string {
  const last = name.split(/[\\/]/).findLast((segment) => segment.trim() !== '') ?? '';
  const plain = last
    .replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu, '_')
    .trim()
    .replace(/^[.\s]+/u, '');
  return shortened(plain) || 'file';
}

/** Shortens a name, but keeps its extension. */
function shortened(name: string): string {
  const signs = [...name];
  if (signs.length <= LONGEST) return name;
  const dot = signs.lastIndexOf('.');
  const extension = dot > 0 && signs.length - dot <= LONGEST_EXTENSION ? signs.slice(dot) : [];
  return [...signs.slice(0, LONGEST - extension.length - 1), '…', ...extension].join('');
}
