/** Characters that XML 1.0 cannot hold, in any spelling: most controls, half characters, two that are none. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * What means something in XML, a carriage return, which a parser would take for a line break, and what a terminal or a CI
 * service would obey where a report is printed.
 */
const SPECIAL = /[&<>\r\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}|#(?=#)|:(?=:)/gu;
/** In attributes a parser would take tabs and line breaks for blanks, and a quote for the end. */
const SPECIAL_IN_ATTRIBUTES = new RegExp(`${SPECIAL.source}|["\\t\\n]`, 'gu');

/** Text for between two tags. What XML cannot hold becomes a replacement character. */
export function xmlText(text: string): string {
  return text.replace(ILLEGAL, '\ufffd').replace(SPECIAL, entityOf);
}

/** Text for an attribute in double quotes. */
export function xmlAttribute(text: string): string {
  return text.replace(ILLEGAL, '\ufffd').replace(SPECIAL_IN_ATTRIBUTES, entityOf);
}

function entityOf(character: string): string {
  return ENTITIES[character] ?? `&#${character.charCodeAt(0)};`;
}
