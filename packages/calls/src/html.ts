/** Whether a string is an HTML page, which gateways may return instead of JSON. */
export function isHtml(text: string): boolean {
  return /^\s{0,100}<(?:!doctype|html|head|body)\b/i.test(text);
}

/** Describes an HTML page, for example as `an HTML page, "502 Bad Gateway"`. */
export function pageInWords(page: string): string {
  // The title, or the first heading.
  const title = /<(title|h1|pre)\b[^>]{0,200}>([^<]{1,200})</i.exec(page.slice(0, 20_000))?.[2]?.trim();
  return title ? `an HTML page, "${title}"` : 'an HTML page';
}
