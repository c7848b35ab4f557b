/** Characters that XML 1.0 cannot hold, in any spelling: most controls, half characters, two that are none. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A parser would take these for blanks in attributes, and a carriage return for a line break anywhere.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Text for between two tags. What XML cannot hold becomes a replacement character. */
export function xmlText(text: string): string {
  return text.replace(ILLEGAL, '\ufffd').replace(/[&<>\r]/g, (character) => ENTITIES[character] ?? character);
}

/** Text for an attribute in double quotes. */
export function xmlAttribute(text: string): string {
  return text.replace(ILLEGAL, '\ufffd').replace(/[&<>"\t\n\r]/g, (character) => ENTITIES[character] ?? character);
}
