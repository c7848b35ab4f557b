/**
 * Signs of Markdown: emphasis, code, headings, quotes, tables, links and entities anywhere; lists, rules and indented
 * code at the beginning of a line.
 */
const SIGNS = /[*_`#>|[\]~\\]|&\w+;|https?:|www\.|\S@\S|^ *(?:[-+=]|\d{1,9}[.)] )|^(?: {4}|\t)/im;

/** Whether a text may look different when its Markdown is rendered. Plain sentences need no renderer. */
export function seemsMarkdown(text: string): boolean {
  return SIGNS.test(text);
}
