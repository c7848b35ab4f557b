/** Writes a pattern in RE2's syntax that matches a text and nothing else. */
export function literalPattern(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}

/** Writes a pattern that matches only the whole text. */
export function wholePattern(text: string): string {
  return `\\A${literalPattern(text)}\\z`;
}
