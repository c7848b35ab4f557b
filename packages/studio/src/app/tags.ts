export const TAGS_HINT = 'Separated by commas. A run can choose cases by them.';

/** Parses the text of a field for tags. Tags may contain spaces, as in `needs review`. */
export function parseTags(text: string): readonly string[] {
  return [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '');
}
