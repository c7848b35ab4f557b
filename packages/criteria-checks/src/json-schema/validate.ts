import { brief, compilePattern, equalValues, isBranch, type Pattern } from '@agent-criteria/values';
import { FORMATS } from './formats.ts';

/** Where a value does not fit its schema. */
export interface Violation {
  readonly path: readonly (string | number)[];
  /** What would fit, in words. */
  readonly expected: string;
  /** `undefined`: there is no value. */
  readonly actual: unknown;
}

const DEEPEST = 200;
// A schema can ask for more than any machine has time for, as one whose alternatives name each other.
const MOST_STEPS = 300_000;
const MOST_VIOLATIONS = 20;

type Schema = Readonly<Record<string, unknown>>;

/**
 * Where a JSON value does not fit a schema that `checkSchema` accepts: JSON Schema, draft 2020-12. Interprets the schema, so that no
 * code is generated; patterns take linear time.
 *
 * @throws Error when it is nested too deeply, takes too many steps, or holds a pattern that is none.
 */
export function validate(value: unknown, root: unknown): readonly Violation[] {
  let steps = 0;
  const patterns = new Map<string, Pattern>();

  function step(count = 1): void {
    steps += count;
    if (steps > MOST_STEPS) throw new RangeError(`the schema takes more than ${MOST_STEPS} steps`);
  }

  function matches(source: string, text: string): boolean {
    // What a pattern takes grows with the text.
    step(text.length / 100);
    const pattern = patterns.get(source) ?? compilePattern(source);
    patterns.set(source, pattern);
    return pattern.isIn(text);
  }

  function isUnique(items: readonly unknown[]): boolean {
    const branches = items.filter(isBranch);
    const leaves = items.filter((item) => !isBranch(item));
    step(branches.length ** 2 / 2);
    if (new Set(leaves).size < leaves.length) return false;
    return branches.every((item, index) => !branches.slice(0, index).some((other) => same(item, other)));
  }

  function check(one: unknown, schema: unknown, path: Violation['path'], depth: number): readonly Violation[] {
    step();
    if (depth > DEEPEST) throw new RangeError(`value and schema are nested deeper than ${DEEPEST} levels`);
    if (schema === true) return [];
    if (!isSchema(schema)) return [{ path, expected: 'no value', actual: one }];
    const found: Violation[] = [];
    const has = (keyword: string) => Object.hasOwn(schema, keyword);
    // In words only where it does not hold: most rules do.
    const expect = (holds: boolean, words: () => string): void => {
      if (!holds) found.push({ path, expected: words(), actual: one });
    };
    const below = (part: unknown, of: unknown, ...more: readonly (string | number)[]): void => {
      if (found.length < MOST_VIOLATIONS) found.push(...check(part, of, [...path, ...more], depth + 1));
    };
    const fits = (part: unknown, of: unknown) => check(part, of, [], depth + 1).length === 0;
    const limits = (unit: string, size: number): void => {
      const [least, most] = [numberOf(schema, `min${unit}`), numberOf(schema, `max${unit}`)];
      const counted = unit === 'Length' ? 'characters' : unit.toLowerCase();
      if (least !== null) expect(size >= least, () => `at least ${least} ${counted}`);
      if (most !== null) expect(size <= most, () => `at most ${most} ${counted}`);
    };

    if (has('type'))
      expect(
        [schema.type].flat().some((type) => isOfType(type, one)),
        () => [schema.type].flat().join(' or '),
      );
    if (has('enum'))
      expect(
        listOf(schema, 'enum').some((other) => same(one, other)),
        () => `one of ${brief(schema.enum)}`,
      );
    if (has('const')) expect(same(one, schema.const), () => brief(schema.const));
    if (typeof one === 'number') numbers(one, schema, expect);
    if (typeof one === 'string') {
      // Unicode characters, as JSON Schema counts them.
      limits('Length', Array.from(one).length);
      const { pattern, format } = schema;
      if (typeof pattern === 'string') expect(matches(pattern, one), () => `a text that matches ${pattern}`);
      if (typeof format === 'string')
        expect(FORMATS.get(format)?.(one) ?? false, () => `a text of the format ${format}`);
    } else if (Array.isArray(one)) {
      limits('Items', one.length);
      const first = listOf(schema, 'prefixItems');
      for (const [index, item] of one.entries()) {
        if (index < first.length) below(item, first[index], index);
        else if (has('items')) below(item, schema.items, index);
      }
      if (schema.uniqueItems === true) expect(isUnique(one), () => 'a list without repeated values');
    } else if (isSchema(one)) {
      const keys = Object.keys(one);
      limits('Properties', keys.length);
      for (const name of listOf(schema, 'required'))
        if (!Object.hasOwn(one, String(name)))
          found.push({ path: [...path, String(name)], expected: 'a value', actual: undefined });
      const [named, patterned] = [schemasOf(schema, 'properties'), schemasOf(schema, 'patternProperties')];
      for (const key of keys) {
        const own = Object.hasOwn(named, key) ? [named[key]] : [];
        const all = [
          ...own,
          ...Object.keys(patterned).flatMap((source) => (matches(source, key) ? patterned[source] : [])),
        ];
        const others = has('additionalProperties') ? [schema.additionalProperties] : [];
        for (const of of all.length > 0 ? all : others) below(one[key], of, key);
        if (has('propertyNames')) below(key, schema.propertyNames, key);
      }
    }
    if (typeof schema.$ref === 'string') below(one, resolveReference(schema.$ref, root) ?? false);
    for (const every of listOf(schema, 'allOf')) below(one, every);
    if (has('anyOf'))
      expect(
        listOf(schema, 'anyOf').some((of) => fits(one, of)),
        () => `any of ${brief(schema.anyOf)}`,
      );
    if (has('oneOf'))
      expect(
        listOf(schema, 'oneOf').filter((of) => fits(one, of)).length === 1,
        () => `exactly one of ${brief(schema.oneOf)}`,
      );
    if (has('not')) expect(!fits(one, schema.not), () => `not ${brief(schema.not)}`);
    if (has('if')) below(one, (fits(one, schema.if) ? schema.then : schema.else) ?? true);
    return found;
  }

  return check(value, root, [], 0);
}

/** The schema that a local reference leads to; `undefined` where there is none. Own keys only: no prototype is reached. */
export function resolveReference(reference: string, root: unknown): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let at = root;
  for (const step of reference.split('/').slice(1)) {
    const key = step.replaceAll('%25', '%').replaceAll('~1', '/').replaceAll('~0', '~');
    at = isBranch(at) && Object.hasOwn(at, key) ? (at as Schema)[key] : undefined;
  }
  return typeof at === 'boolean' || isSchema(at) ? at : undefined;
}

function numbers(one: number, schema: Schema, expect: (holds: boolean, words: () => string) => void): void {
  const limit = (keyword: string, keeps: (limit: number) => boolean, words: string): void => {
    const number = numberOf(schema, keyword);
    if (number !== null) expect(keeps(number), () => `${words} ${number}`);
  };
  limit('minimum', (least) => one >= least, 'at least');
  limit('maximum', (most) => one <= most, 'at most');
  limit('exclusiveMinimum', (least) => one > least, 'more than');
  limit('exclusiveMaximum', (most) => one < most, 'less than');
  // Doubles lose their last digits: 0.3 is a multiple of 0.1.
  const isWhole = (times: number) => Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
  limit('multipleOf', (of) => isWhole(one / of), 'a multiple of');
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isSchema(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function same(left: unknown, right: unknown): boolean {
  return equalValues(left, right, 'json');
}

function isSchema(value: unknown): value is Schema {
  return isBranch(value) && !Array.isArray(value);
}

function numberOf(schema: Schema, keyword: string): number | null {
  const held = Object.hasOwn(schema, keyword) ? schema[keyword] : null;
  return typeof held === 'number' ? held : null;
}

function listOf(schema: Schema, keyword: string): readonly unknown[] {
  const held = Object.hasOwn(schema, keyword) ? schema[keyword] : null;
  return Array.isArray(held) ? held : [];
}

function schemasOf(schema: Schema, keyword: string): Schema {
  const held = Object.hasOwn(schema, keyword) ? schema[keyword] : null;
  return isSchema(held) ? held : {};
}
