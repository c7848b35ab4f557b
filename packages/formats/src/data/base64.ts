const SIGNS = /^[\w+/-]+$/;
/** Number of characters to match at once, because a match over many megabytes exhausts the stack. */
const CHUNK = 65_536;

/** Whether a string is base64 of at least one byte, in either alphabet, with or without padding. It may be of any length. */
export function isBase64(text: string): boolean {
  const end = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  for (let at = 0; at < end; at += CHUNK) if (!SIGNS.test(text.slice(at, Math.min(at + CHUNK, end)))) return false;
  return end > 0;
}

/** Returns the number of bytes that a base64 string encodes. */
export function base64Size(text: string): number {
  let end = text.length;
  while (text[end - 1] === '=') end -= 1;
  return Math.floor((end * 3) / 4);
}
