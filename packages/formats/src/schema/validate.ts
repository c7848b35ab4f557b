import { equalJson, isBranch, isObject, type JsonSchema } from '../json.ts';
import { brokenLimits } from './limits.ts';
import type { PathSegment } from './path.ts';
import { resolveReference } from './structure.ts';
import { textFormats } from './text-formats.ts';

/** A violation of a schema, with its path in the value. */
export interface Violation {
  readonly path: readonly PathSegment[];
  /** The violated keyword, or `false` if the schema allows no value at this path. */
  readonly keyword: string;
  /** The schema's value for the keyword. */
  readonly rule: unknown;
  /** The value, or `undefined` if it is missing. */
  readonly actual: unknown;
  /** The schema's own message for the keyword, from `x-messages`. */
  readonly message?: string | undefined;
}

/** Compiles a pattern to a function that searches a text for it. @throws Error if the pattern is invalid. */
export type CompilePattern = (pattern: string) => (text: string) => boolean;

const DEEPEST = 200;
// A schema can take exponential time, for example if its alternatives refer to each other.
const MOST_STEPS = 300_000;
const MOST_VIOLATIONS = 20;

/**
 * Validates a JSON value against a schema that `checkSchema` accepts (JSON Schema, draft 2020-12). It interprets the
 * schema rather than generating code.
 *
 * @param compile The engine for patterns. Default: `RegExp`, whose running time is unlimited, so users' schemas need
 * another.
 * @throws Error if value and schema are nested too deeply or take too many steps, or if a pattern is invalid.
 */
export function validate(value: unknown, root: unknown, compile: CompilePattern = compileRegExp): readonly Violation[] {
  let steps = 0;
  const patterns = new Map<string, (text: string) => boolean>();

  function step(count = 1): void {
    steps += count;
    if (steps > MOST_STEPS) throw new RangeError(`the schema takes more than ${MOST_STEPS} steps`);
  }

  function matches(source: string, text: string): boolean {
    // Matching time grows with the length of the text.
    step(text.length / 100);
    const isIn = patterns.get(source) ?? compile(source);
    patterns.set(source, isIn);
    return isIn(text);
  }

  function hasFormat(text: string, format: string): boolean {
    return format === 'regex' ? isPattern(text, compile) : (textFormats.get(format)?.(text) ?? false);
  }

  function isUnique(items: readonly unknown[]): boolean {
    const branches = items.filter(isBranch);
    const leaves = items.filter((item) => !isBranch(item));
    step(branches.length ** 2 / 2);
    if (new Set(leaves).size < leaves.length) return false;
    return branches.every((item, index) => !branches.slice(0, index).some((other) => equalJson(item, other)));
  }

  function check(actual: unknown, schema: unknown, path: Violation['path'], depth: number): readonly Violation[] {
    step();
    if (depth > DEEPEST) throw new RangeError(`value and schema are nested deeper than ${DEEPEST} levels`);
    if (schema === true) return [];
    if (!isObject(schema)) return [{ path, keyword: 'false', rule: schema, actual }];
    const found: Violation[] = [];
    const held = <T>(keyword: string, is: (value: unknown) => value is T): T | undefined => {
      const value = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
      return is(value) ? value : undefined;
    };
    const listOf = (keyword: string): readonly unknown[] => held(keyword, Array.isArray) ?? [];
    const schemasOf = (keyword: string): JsonSchema => held(keyword, isObject) ?? {};
    const expect = (keyword: string, holds: boolean): void => {
      if (holds) return;
      const message = schemasOf('x-messages')[keyword];
      const own = typeof message === 'string' ? { message } : {};
      found.push({ path, keyword, rule: schema[keyword], actual, ...own });
    };
    const expectIfGiven = (keyword: string, holds: () => boolean): void => {
      if (Object.hasOwn(schema, keyword)) expect(keyword, holds());
    };
    const below = (part: unknown, of: unknown, ...more: readonly PathSegment[]): void => {
      if (found.length < MOST_VIOLATIONS) found.push(...check(part, of, [...path, ...more], depth + 1));
    };
    const fits = (of: unknown) => check(actual, of, [], depth + 1).length === 0;

    expectIfGiven('type', () => [schema.type].flat().some((type) => isOfType(type, actual)));
    expectIfGiven('enum', () => listOf('enum').some((other) => equalJson(actual, other)));
    expectIfGiven('const', () => equalJson(actual, schema.const));
    for (const keyword of brokenLimits(actual, schema)) expect(keyword, false);
    if (typeof actual === 'string') {
      const { pattern, format } = schema;
      if (typeof pattern === 'string') expect('pattern', matches(pattern, actual));
      if (typeof format === 'string') expect('format', hasFormat(actual, format));
    } else if (Array.isArray(actual)) {
      const first = listOf('prefixItems');
      for (const [index, item] of actual.entries()) {
        if (index < first.length) below(item, first[index], index);
        else if (Object.hasOwn(schema, 'items')) below(item, schema.items, index);
      }
      if (schema.uniqueItems === true) expect('uniqueItems', isUnique(actual));
    } else if (isObject(actual)) {
      for (const name of listOf('required').map(String)) {
        if (Object.hasOwn(actual, name) && actual[name] !== undefined) continue;
        found.push({ path: [...path, name], keyword: 'required', rule: schema.required, actual: undefined });
      }
      const [named, patterned] = [schemasOf('properties'), schemasOf('patternProperties')];
      const others = Object.hasOwn(schema, 'additionalProperties') ? [schema.additionalProperties] : [];
      for (const key of Object.keys(actual)) {
        // Absent, as in JSON.stringify.
        if (actual[key] === undefined) continue;
        const own = Object.hasOwn(named, key) ? [named[key]] : [];
        for (const source of Object.keys(patterned)) if (matches(source, key)) own.push(patterned[source]);
        for (const of of own.length > 0 ? own : others) below(actual[key], of, key);
        if (Object.hasOwn(schema, 'propertyNames')) below(key, schema.propertyNames, key);
      }
    }
    if (typeof schema.$ref === 'string') below(actual, resolveReference(schema.$ref, root) ?? false);
    for (const every of listOf('allOf')) below(actual, every);
    expectIfGiven('anyOf', () => listOf('anyOf').some(fits));
    expectIfGiven('oneOf', () => listOf('oneOf').filter(fits).length === 1);
    expectIfGiven('not', () => !fits(schema.not));
    if (Object.hasOwn(schema, 'if')) below(actual, (fits(schema.if) ? schema.then : schema.else) ?? true);
    return found;
  }

  return check(value, root, [], 0);
}

export function compileRegExp(pattern: string): (text: string) => boolean {
  const expression = new RegExp(pattern, 'u');
  return (text) => expression.test(text);
}

function isPattern(text: string, compile: CompilePattern): boolean {
  try {
    return compile(text) !== undefined;
  } catch {
    return false;
  }
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}
