import { CriteriaError, type Problem } from '@agent-criteria/core';
import { type ParseError, parse, printParseErrorCode, visit } from 'jsonc-parser';

/** A parsed text, with what is odd about it. */
export interface JsonText {
  readonly value: unknown;
  readonly warnings: readonly Problem[];
}

/**
 * Reads JSON, and where that fails JSON with comments and trailing commas (with a warning: Python reads neither).
 *
 * @throws CriteriaError NOT_JSON with line, column and the likely slip.
 */
export function parseJsonText(text: string, file?: string): JsonText {
  const where = file === undefined ? {} : { file };
  try {
    const value: unknown = JSON.parse(text);
    return { value, warnings: lostIntegers(text, where) };
  } catch (error) {
    const errors: ParseError[] = [];
    let value: unknown;
    try {
      value = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: false });
    } catch {
      throw new CriteriaError({ code: 'NOT_JSON', ...where, message: 'this is not JSON: it nests too deep' }, { cause: error });
    }
    const [first] = errors;
    if (first !== undefined) throw new CriteriaError(slip(text, first, where), { cause: error });
    const note: Problem = {
      code: 'NOT_JSON',
      ...where,
      message: 'the file has comments or trailing commas: agent-criteria reads it, but ADK Python needs them gone',
    };
    return { value, warnings: [note, ...lostIntegers(text, where)] };
  }
}

type Where = { readonly file?: string };

function slip(text: string, error: ParseError, where: Where): Problem {
  const { line, column } = positionOf(text, error.offset);
  return { code: 'NOT_JSON', ...where, message: `this is not JSON: line ${line}, column ${column}: ${likelySlip(text, error)}` };
}

function likelySlip(text: string, error: ParseError): string {
  const rest = text.slice(error.offset, error.offset + 40);
  if (text.trim() === '') return 'the file is empty';
  if (error.offset >= text.trimEnd().length) return 'the file ends too early; is a closing bracket missing, or was it cut off?';
  if (rest.startsWith("'")) return "text stands in single quotes; JSON wants double quotes";
  const word = /^[A-Za-z_$][\w$]*/.exec(rest)?.[0];
  if (word === 'True' || word === 'False' || word === 'None') {
    const json = { True: 'true', False: 'false', None: 'null' }[word];
    return `${word} is Python; JSON writes ${json}`;
  }
  if (word === 'NaN' || word === 'Infinity' || word === 'undefined') return `${word} is no JSON value`;
  switch (printParseErrorCode(error.error)) {
    case 'CommaExpected':
      return 'a comma is missing before this';
    case 'ColonExpected':
      return 'a colon is missing between a key and its value';
    case 'PropertyNameExpected':
      return word === undefined ? 'a key in double quotes is expected here' : `the key ${word} needs double quotes`;
    case 'UnexpectedEndOfString':
      return 'a text is not closed on its line; is a double quote missing, or a line break not written as \\n?';
    case 'InvalidCharacter':
      return 'a text holds a control character; write a line break as \\n and a tab as \\t';
    case 'InvalidEscapeCharacter':
    case 'InvalidUnicode':
      return 'a backslash is followed by a wrong character; write a backslash itself as \\\\';
    case 'EndOfFileExpected':
      return 'the file goes on after its end; are there two values in it?';
    case 'CloseBraceExpected':
      return 'a closing } is missing';
    case 'CloseBracketExpected':
      return 'a closing ] is missing';
    default:
      return word === undefined ? 'a value is expected here' : `${word} is no JSON value; does it want double quotes?`;
  }
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lines = before.split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** Integers that a double cannot hold: ids and amounts that would change without a word. */
function lostIntegers(text: string, where: Where): Problem[] {
  if (!/[0-9]{16}/.test(text)) return [];
  const problems: Problem[] = [];
  visit(text, {
    onLiteralValue(value, offset, length, _line, _column, pathSupplier) {
      if (typeof value !== 'number') return;
      const literal = text.slice(offset, offset + length);
      if (!/^-?\d+$/.test(literal) || Number.isSafeInteger(value)) return;
      problems.push({
        code: 'UNSAFE_INTEGER',
        ...where,
        path: pathOf(pathSupplier()),
        message: `the integer ${literal} is beyond 2^53 and is read as ${value}; write it as a text to keep it exact`,
      });
    },
  });
  return problems;
}

function pathOf(segments: readonly (string | number)[]): string {
  return `$${segments
    .map((segment) =>
      typeof segment === 'number' ? `[${segment}]` : /^[A-Za-z_$][\w$]*$/.test(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`,
    )
    .join('')}`;
}
