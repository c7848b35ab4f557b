/** Whether a text is a page of HTML, as gateways answer in place of JSON. */
export function isHtml(text: string): boolean {
  return /^\s{0,100}<(?:!doctype|html|head|body)\b/i.test(text);
}

/** A page in words: `an HTML page, "502 Bad Gateway"`. */
export function pageInWords(page: string): string {
  const title = titleOf(page);
  return title === null ? 'an HTML page' : `an HTML page, "${title}"`;
}

/** The title of a page, or its first heading; `null`: it has none. */
function titleOf(page: string): string | null {
  const title = /<(title|h1|pre)\b[^>]{0,200}>([^<]{1,200})</i.exec(page.slice(0, 20_000))?.[2]?.trim();
  return title === undefined || title === '' ? null : title;
}
