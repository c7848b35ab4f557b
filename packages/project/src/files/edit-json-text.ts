import { isDeepStrictEqual } from 'node:util';
import type { Json } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { applyEdits, type FormattingOptions, type JSONPath, modify, type ParseError, parse } from 'jsonc-parser';
import { parseJsonText } from './parse-json-text.ts';
import { jsonText } from './write-file.ts';

/** A byte order mark, which some editors on Windows write. */
const MARK = '\ufeff';

/**
 * Changes the value in JSON text. Edits only the differences, which preserves comments, trailing commas, key order and
 * layout. Text that cannot be edited is rewritten without comments.
 * @throws CriteriaError as `parseJsonText`.
 */
export function editJsonText(text: string, value: Json): string {
  if (text.startsWith(MARK)) return `${MARK}${editJsonText(text.slice(1), value)}`;
  const formattingOptions = layoutOf(text);
  let edited = text;
  for (const { path, to } of changesOf(parseJsonText(text).value, value, [])) {
    edited = applyEdits(edited, modify(edited, path, to, { formattingOptions }));
  }
  return says(edited, value) ? edited : jsonText(value);
}

/** Whether an edit preserves the comments in JSON text. Python comments, which start with `#`, are lost. */
export function keepsComments(text: string): boolean {
  const errors: ParseError[] = [];
  parse(text.startsWith(MARK) ? text.slice(1) : text, errors, { allowTrailingComma: true });
  return errors.length === 0;
}

/** Finds the differences between two values, descending into objects. A removed value is `undefined`. */
function changesOf(
  before: unknown,
  after: unknown,
  path: JSONPath,
): { readonly path: JSONPath; readonly to: unknown }[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ path, to: after }];
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  return [
    ...gone.map((key) => ({ path: [...path, key], to: undefined })),
    ...Object.entries(after).flatMap(([key, one]) =>
      Object.hasOwn(before, key) ? changesOf(before[key], one, [...path, key]) : [{ path: [...path, key], to: one }],
    ),
  ];
}

/** Detects the indentation and line breaks of JSON text. */
function layoutOf(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.startsWith('\t') ? 1 : indent.length, eol };
}

function says(text: string, value: Json): boolean {
  try {
    return isDeepStrictEqual(parseJsonText(text).value, JSON.parse(jsonText(value)));
  } catch {
    return false;
  }
}
