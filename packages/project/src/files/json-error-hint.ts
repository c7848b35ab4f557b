import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';

interface SyntaxFault {
  readonly error: ParseErrorCode;
  readonly offset: number;
}

/**
 * Describes the first error in a JSON text (comments and trailing commas aside), with its location and the likely
 * cause.
 * @param error The error from JSON.parse, for a fault that only JSON.parse finds.
 */
export function describeJsonError(text: string, error: unknown): string {
  if (text.trim() === '') return 'the file is empty';
  let fault: SyntaxFault | undefined;
  try {
    fault = firstError(text);
  } catch (failure) {
    if (failure instanceof RangeError) return 'it is nested too deeply, and is incomplete';
    throw failure;
  }
  if (fault === undefined) return error instanceof Error ? error.message : String(error);
  const lines = text.slice(0, fault.offset).split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}: ${likelyCause(text, fault)}`;
}

/** Finds the first error. Later ones are mostly consequences of it. */
function firstError(text: string): SyntaxFault | undefined {
  const found: SyntaxFault[] = [];
  const enough = Symbol('enough');
  try {
    visit(
      text,
      {
        onError(error, offset) {
          found.push({ error, offset });
          throw enough;
        },
      },
      { allowTrailingComma: true },
    );
  } catch (thrown) {
    if (thrown !== enough) throw thrown;
  }
  return found[0];
}

const PYTHON: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

function likelyCause(text: string, { error, offset }: SyntaxFault): string {
  const rest = text.slice(offset, offset + 40);
  const [character = ''] = rest;
  const word = /^[A-Za-z_$][\w$]*/.exec(rest)?.[0];
  const code = printParseErrorCode(error);
  if (offset >= text.trimEnd().length)
    return 'the file ends too early; is a closing bracket missing, or was it cut off?';
  if (/[\s\u200b\ufeff]/.test(character)) {
    return 'there is an invisible character here, maybe copied from a web page; replace it with a plain space';
  }
  if (/['`\u2018\u2019\u201c\u201d]/.test(character))
    return `${character} is not a JSON quote; strings and keys need double quotes (")`;
  if (/^-?(NaN|Infinity|undefined)\b/.test(rest)) return `${/^-?\w+/.exec(rest)?.[0]} is not a JSON value`;
  if (/^[+.]\d|^-?\d+\.(?!\d)/.test(rest) || (/^[\w.]/.test(rest) && /\d/.test(text[offset - 1] ?? ''))) {
    return 'this is not a JSON number; write it as 0.5, 1 or -2e3, without a plus sign, a bare decimal point or leading zeros';
  }
  if (word !== undefined && Object.hasOwn(PYTHON, word)) return `${word} is Python; JSON writes ${PYTHON[word]}`;
  if (word !== undefined && /^[\w$]+\s*:/.test(rest)) return `the key ${word} needs double quotes`;
  const isBracket = character === '}' || character === ']';
  if (code === 'CommaExpected' && isBracket) return `a closing ${character === '}' ? ']' : '}'} is missing before this`;
  if (code === 'EndOfFileExpected' && isBracket)
    return `an extra closing ${character}, or a missing opening one before it`;
  const unknown =
    word === undefined
      ? `${character < ' ' ? 'a control character' : character} is not allowed here`
      : `${word} is not a JSON value; does it need double quotes?`;
  return CAUSES[code] ?? unknown;
}

const ESCAPE = 'a backslash is followed by an invalid character; write a backslash itself as \\\\';

/** The likely causes of errors, by code. */
const CAUSES: Readonly<Record<string, string | undefined>> = {
  CommaExpected: 'a comma is missing before this',
  ColonExpected: 'a colon is missing between a key and its value',
  PropertyNameExpected: 'a key in double quotes is expected here',
  ValueExpected: 'a value is expected here',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString:
    'a string does not end on its line; is a double quote missing, or a line break not written as \\n?',
  InvalidCharacter: 'a string contains a control character; write a line break as \\n and a tab as \\t',
  InvalidEscapeCharacter: ESCAPE,
  InvalidUnicode: ESCAPE,
  EndOfFileExpected: 'the file continues after the value ends; is there an extra closing bracket, or a second value?',
};
