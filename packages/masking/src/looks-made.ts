/** Whether a machine made it rather than a person: words with hyphens are none. Takes time in proportion to the text. */
export function looksMade(text: string): boolean {
  return text.split(/[^A-Za-z0-9]+/).some((part) => {
    if (part.length >= 8 && /\d/.test(part) && /[A-Za-z]/.test(part)) return true;
    if (part.length >= 16 && /[a-z][A-Z]/.test(part)) return true;
    return part.length >= 22;
  });
}
