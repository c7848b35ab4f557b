import { CriteriaError, type Problem } from '@agent-criteria/core';
import { stripComments, visit } from 'jsonc-parser';
import { describeJsonError } from './json-error-hint.ts';

/** A parsed text and its warnings. */
export interface JsonText {
  readonly value: unknown;
  readonly warnings: readonly Problem[];
}

type Where = { readonly file?: string };

/**
 * Parses JSON. Also accepts comments (including Python's, which ADK's documentation uses) and trailing commas, with a
 * warning, because ADK does not read them.
 * @throws CriteriaError NOT_JSON with line, column and the likely cause; KEY_SPELT_TWICE for repeated keys.
 */
export function parseJsonText(text: string, file?: string): JsonText {
  const where: Where = { file };
  const written = text.startsWith('\ufeff') ? text.slice(1) : text;
  const plain = parseOrFail(written);
  if ('value' in plain) {
    refuseRepeatedKeys(written, where);
    return { value: plain.value, warnings: lostIntegers(written, where) };
  }
  const json = withoutHashComments(written);
  const relaxed = parseOrFail(withoutTrailingCommas(stripComments(json, ' ')));
  if ('value' in relaxed) {
    refuseRepeatedKeys(json, where);
    const message = 'the file has comments or trailing commas: agent-criteria accepts them, but ADK Python does not';
    return { value: relaxed.value, warnings: [{ code: 'NOT_JSON', ...where, message }, ...lostIntegers(json, where)] };
  }
  const message = `this is not JSON: ${describeJsonError(json, plain.error)}`;
  throw new CriteriaError({ code: 'NOT_JSON', ...where, message }, { cause: plain.error });
}

function parseOrFail(text: string): { readonly value: unknown } | { readonly error: unknown } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { error };
  }
}

/** Replaces comments that start with `#` by blanks, so that offsets stay the same. */
function withoutHashComments(text: string): string {
  const pieces: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at);
    else if (character === '/' && text[at + 1] === '/') at = endOfLine(text, at);
    else if (character === '/' && text[at + 1] === '*') at = endOfBlock(text, at);
    else if (character === '#') {
      const end = endOfLine(text, at);
      pieces.push(text.slice(copied, at), ' '.repeat(end - at));
      copied = end;
      at = end;
    }
  }
  return pieces.join('') + text.slice(copied);
}

function endOfLine(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at++;
  return at;
}

/** Returns the offset of the last character of a comment. */
function endOfBlock(text: string, start: number): number {
  const end = text.indexOf('*/', start + 2);
  return end === -1 ? text.length : end + 1;
}

/** Replaces every comma between a value and a closing bracket with a blank. */
function withoutTrailingCommas(text: string): string {
  const pieces: string[] = [];
  let copied = 0;
  let comma: number | null = null;
  let afterValue = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (/\s/.test(character)) continue;
    if ((character === '}' || character === ']') && comma !== null) {
      pieces.push(text.slice(copied, comma), ' ');
      copied = comma + 1;
    }
    comma = character === ',' && afterValue ? at : null;
    afterValue = !'{[,:'.includes(character);
    if (character === '"') at = endOfText(text, at);
  }
  return pieces.join('') + text.slice(copied);
}

/** Returns the offset of the quote that closes a string. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** Rejects duplicate keys. JSON.parse keeps the last value, so that a list of cases could vanish silently. */
function refuseRepeatedKeys(text: string, where: Where): void {
  const problems: Problem[] = [];
  const objects: Set<string>[] = [];
  try {
    visit(text, {
      onObjectBegin: () => void objects.push(new Set()),
      onObjectEnd: () => void objects.pop(),
      onObjectProperty(key, _offset, _length, line, column, pathSupplier) {
        const keys = objects.at(-1);
        if (keys?.has(key)) {
          const message = `the key "${key}" appears twice in this object (again at line ${line + 1}, column ${column + 1}); keep one`;
          problems.push({ code: 'KEY_SPELT_TWICE', ...where, path: pathOf([...pathSupplier(), key]), message });
        }
        keys?.add(key);
      },
    });
  } catch (error) {
    // Too deeply nested to look inside. Core rejects such a value anyway.
    if (!(error instanceof RangeError)) throw error;
  }
  if (problems.length > 0) throw new CriteriaError(problems.slice(0, 50));
}

/** Warns of integers that a double cannot represent: ids and amounts that would change silently. */
function lostIntegers(text: string, where: Where): Problem[] {
  if (!/[0-9]{16}/.test(text)) return [];
  const problems: Problem[] = [];
  try {
    visit(text, {
      onLiteralValue(value, offset, length, _line, _column, pathSupplier) {
        if (typeof value !== 'number' || Number.isSafeInteger(value)) return;
        const literal = text.slice(offset, offset + length);
        if (!/^-?\d+$/.test(literal)) return;
        const shown = literal.length > 40 ? `${literal.slice(0, 39)}…` : literal;
        problems.push({
          code: 'UNSAFE_INTEGER',
          ...where,
          path: pathOf(pathSupplier()),
          message: `the integer ${shown} is beyond 2^53 and is read as ${value}; write it as a string to keep it exact`,
        });
      },
    });
  } catch (error) {
    // Too deeply nested to look inside. Core rejects such a value anyway.
    if (!(error instanceof RangeError)) throw error;
  }
  return problems;
}

function pathOf(segments: readonly (string | number)[]): string {
  const steps = segments.map((segment) => {
    if (typeof segment === 'number') return `[${segment}]`;
    return /^[A-Za-z_$][\w$]*$/.test(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`;
  });
  return `$${steps.join('')}`;
}
