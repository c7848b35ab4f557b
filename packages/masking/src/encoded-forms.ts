/** Whether a string looks machine-generated, unlike hyphenated words. Takes linear time. */
export function looksMade(text: string): boolean {
  return text.split(/[^A-Za-z0-9]+/).some((part) => {
    if (part.length >= 8 && /\d/.test(part) && /[A-Za-z]/.test(part)) return true;
    if (part.length >= 16 && /[a-z][A-Z]/.test(part)) return true;
    return part.length >= 22;
  });
}

/** A known value, or a part of it, in plain or encoded form. */
export interface WrittenForm {
  readonly text: string;
  /** The maximum number of adjacent base64 characters that may also belong to it. */
  readonly around: number;
}

/** The minimum length of a line of a key. Shorter lines occur in unrelated text. */
const SHORTEST_LINE = 12;
/**
 * The maximum length of a value whose encodings are searched for. Longer values are files, and only their plain text
 * and lines are searched for.
 */
const LONGEST_ENCODED = 20_000;

/**
 * Lists the forms of a value to search for: unchanged; without line breaks, or with spaces instead; with `+` for
 * spaces; each line that looks generated, as in a private key; in hexadecimal; and in both base64 alphabets, at every
 * offset. The search ignores case, and other escapes are decoded beforehand.
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

/** Whether a line belongs to the key itself, unlike `-----BEGIN PRIVATE KEY-----`, which every key contains. */
function isKeyLine(line: string): boolean {
  return line.length >= SHORTEST_LINE && !line.startsWith('-----') && looksMade(line);
}

function hexadecimal(value: string): WrittenForm {
  const text = Array.from(new TextEncoder().encode(value), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { text, around: 0 };
}

/**
 * Encodes a value in base64. Three bytes become four characters, so a value inside a longer string has three forms.
 * Characters that also encode adjacent bytes are omitted.
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
