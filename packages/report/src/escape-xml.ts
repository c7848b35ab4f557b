/**
 * Characters that XML 1.0 forbids even when escaped: most control characters, lone surrogates and two noncharacters.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what to look for.
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Characters with a meaning in XML, carriage returns (which parsers normalise), and characters that a terminal or a CI
 * service would interpret when a report is printed.
 */
const SPECIAL = /[&<>\r\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}|#(?=#)|:(?=:)/gu;
/** In attributes, parsers also replace tabs and line breaks with spaces, and a quote ends the value. */
const SPECIAL_IN_ATTRIBUTES = new RegExp(`${SPECIAL.source}|["\\t\\n]`, 'gu');

/** Escapes text between tags. Characters that XML forbids become replacement characters. */
export function xmlText(text: string): string {
  return text.replace(ILLEGAL, '\ufffd').replace(SPECIAL, entityOf);
}

/** Escapes the value of an attribute in double quotes. */
export function xmlAttribute(text: string): string {
  return text.replace(ILLEGAL, '\ufffd').replace(SPECIAL_IN_ATTRIBUTES, entityOf);
}

function entityOf(character: string): string {
  return ENTITIES[character] ?? `&#${character.charCodeAt(0)};`;
}
