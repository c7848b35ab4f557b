/** Characters that XML 1.0 does not allow, even escaped: most controls, lone surrogates, two noncharacters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Characters with a meaning in XML, carriage returns, which parsers normalise, and what a terminal or a CI service would obey if a report
 * is printed.
 */
const SPECIAL = /[&<>\r\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}|#(?=#)|:(?=:)/gu;
/** Parsers replace tabs and line breaks in attributes by spaces, and a quote ends them. */
const SPECIAL_IN_ATTRIBUTES = new RegExp(`${SPECIAL.source}|["\\t\\n]`, 'gu');

/** Escapes text between tags. Characters that XML does not allow become replacement characters. */
export function xmlText(text: string): string {
  return text.replace(ILLEGAL, '\ufffd').replace(SPECIAL, entityOf);
}

/** Escapes an attribute in double quotes. */
export function xmlAttribute(text: string): string {
  return text.replace(ILLEGAL, '\ufffd').replace(SPECIAL_IN_ATTRIBUTES, entityOf);
}

function entityOf(character: string): string {
  return ENTITIES[character] ?? `&#${character.charCodeAt(0)};`;
}
