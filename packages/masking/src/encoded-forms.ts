/** Whether a machine made it rather than a person: words with hyphens are none. Takes time in proportion to the text. */
export function looksMade(text: string): boolean {
  return text.split(/[^A-Za-z0-9]+/).some((part) => {
    if (part.length >= 8 && /\d/.test(part) && /[A-Za-z]/.test(part)) return true;
    if (part.length >= 16 && /[a-z][A-Z]/.test(part)) return true;
    return part.length >= 22;
  });
}

/** How a known value, or a part of it, may be written. */
export interface WrittenForm {
  readonly text: string;
  /** How many characters before and after it may belong to it as well, if they are of the alphabet of base64. */
  readonly around: number;
}

/** A shorter line of a key occurs in unrelated texts. */
const SHORTEST_LINE = 12;
/** In characters: a longer value is a file, and is looked for as it is and by its lines. */
const LONGEST_ENCODED = 20_000;

/**
 * A value as it is; without its line breaks, or with blanks in their places; each line that a machine made, as of a private key; with `+` for blanks, as in forms;
 * in hexadecimal; and in base64 of both alphabets, wherever it begins in what was encoded. Upper and lower case are not
 * distinguished where these are looked for, and other escapes are undone before that.
 */
export function writtenForms(value: string): readonly WrittenForm[] {
  const lines = value.split(/[\r\n]+/).map((line) => line.trim());
  const plain = [value, lines.join(''), lines.join(' '), value.replaceAll(' ', '+')];
  const ofKey = lines.length === 1 ? [] : lines.filter(isKeyLine);
  const exact = [...plain, ...ofKey].map((text): WrittenForm => ({ text, around: 0 }));
  const encoded = value.length > LONGEST_ENCODED ? [] : [hexadecimal(value), ...base64Forms(value)];
  const forms = new Map([...exact, ...encoded].map((form) => [form.text.toLowerCase(), form]));
  return [...forms.values()];
}

/** Not `-----BEGIN PRIVATE KEY-----`, which every key has. */
function isKeyLine(line: string): boolean {
  return line.length >= SHORTEST_LINE && !line.startsWith('-----') && looksMade(line);
}

function hexadecimal(value: string): WrittenForm {
  const text = Array.from(new TextEncoder().encode(value), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { text, around: 0 };
}

/**
 * Three bytes make four characters, so there are three ways in which a value is written inside of something longer. Its first and its
 * last character may be shared with what is beside it.
 */
function base64Forms(value: string): readonly WrittenForm[] {
  const bytes = new TextEncoder().encode(value);
  return [0, 1, 2].flatMap((before) => {
    const padded = new Uint8Array(before + bytes.length);
    padded.set(bytes, before);
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor((padded.length * 8) / 6);
    const text = btoa(String.fromCharCode(...padded)).slice(first, last);
    const url = text.replaceAll('+', '-').replaceAll('/', '_');
    return [text, url].map((own): WrittenForm => ({ text: own, around: 3 }));
  });
}
