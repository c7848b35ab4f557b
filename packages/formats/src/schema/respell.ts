import type { ErrorCode, Problem } from '../errors.ts';
import type { JsonSchema } from '../json.ts';
import { describeExpected, describeValue, listOf } from './describe.ts';
import { closest, didYouMean } from './did-you-mean.ts';
import { formatPath, type PathSegment, shortened } from './path.ts';
import { type ProblemList, problemList } from './problem-list.ts';
import {
  accepts,
  type Form,
  formOf,
  formsOf,
  type ObjectShape,
  OPAQUE,
  type Property,
  withinLimits,
} from './structure.ts';
import { isPlainObject, kindOf, LIST, OBJECT, OTHER } from './value-kind.ts';

export interface RespellOptions {
  /** The spelling of known keys in the result: that of the schema (camelCase), or snake_case. Default `'schema'`. */
  readonly spelling?: 'schema' | 'snake' | undefined;
  /**
   * How to treat a key that the schema does not allow. `'error'` rejects it, but leaves out comments with a warning.
   * `'keep'` and `'drop'` warn, but reject a likely typo. Default `'error'`.
   */
  readonly unknownKeys?: 'error' | 'keep' | 'drop' | undefined;
  /** The code of problems with values. Default `INVALID_DATA`. */
  readonly code?: ErrorCode | undefined;
  /** The file, for problems. */
  readonly file?: string | undefined;
  /** The path of the value, for problems. Default `$`. */
  readonly path?: string | undefined;
  /** Further names to suggest for an unknown key at the top level of the value. Default: none. */
  readonly alsoKnown?: readonly string[] | undefined;
}

/** The result of reading a value. If there are problems, `value` is incomplete. */
export interface Respelt {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** The maximum depth. Real files are shallower, and later readers may recurse. */
const DEPTH_LIMIT = 200;

/**
 * Reads a value by a JSON Schema. Known keys may be spelt in snake_case or camelCase, and have one spelling in the
 * result. Types, listed values, limits and required keys are checked. Other keys are copied if the schema allows them
 * (`additionalProperties`) or `unknownKeys` keeps them. Key order is preserved. Problems have paths in the spelling of
 * the value; at most 50 are listed. The result shares no object with a valid value. A key named `__proto__` is rejected
 * at any depth.
 *
 * It reads these keywords: `properties`, `additionalProperties`, `items`, `prefixItems`, `required`, `type`, `enum`,
 * `const`, the limits of numbers and lists, `anyOf`, `oneOf` and local `$ref`. Others are left to the schema's own
 * validator: see `describeIssues`.
 */
export function respell(value: unknown, jsonSchema: JsonSchema, options: RespellOptions = {}): Respelt {
  const problems = problemList(options.file);
  const warnings = problemList(options.file);
  const path: PathSegment[] = [];
  const read = readValue({ root: jsonSchema, options, problems, warnings, path }, value, jsonSchema);
  return { value: read, problems: problems.list(), warnings: warnings.list() };
}

/** Beyond this number of unknown keys, an object is a map rather than a series of typos. */
const MOST_GUESSED = 100;

interface Reading {
  readonly root: JsonSchema;
  readonly options: RespellOptions;
  readonly problems: ProblemList;
  readonly warnings: ProblemList;
  /** The path of the current value; modified in place. */
  readonly path: PathSegment[];
}

function readValue(reading: Reading, value: unknown, schema: JsonSchema): unknown {
  if (reading.path.length > DEPTH_LIMIT) {
    const above = `${formatPath(reading.path.slice(0, 12), reading.options.path)}…`;
    reading.problems.add('INVALID_DATA', above, () => `nested deeper than ${DEPTH_LIMIT} levels`);
    return null;
  }
  const kind = kindOf(value);
  const forms = formsOf(schema, reading.root);
  const form = choose(forms, value, kind);
  if (form === undefined || (form.isLimited && !withinLimits(form.schema, value))) {
    wrong(reading, () => {
      const found = `found ${describeValue(value)}`;
      return `expected ${describeExpected(form?.schema ?? schema, reading.root)}, ${found}${hint(forms, value)}`;
    });
    return value;
  }
  if (kind === LIST) return readList(reading, value as readonly unknown[], form.schema);
  if (kind === OBJECT) return readObject(reading, value as Record<string, unknown>, form.shape, forms);
  if (kind === OTHER) {
    // JSON.parse reads a number such as 1e400 as infinity.
    const isTooLarge = value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
    const more = isTooLarge ? '; a number is at most about 1.8e308, so write it as text' : '';
    wrong(reading, () => `${describeValue(value)} is not JSON${more}`);
  }
  return value;
}

const OF_ADK_WEB: ReadonlySet<string> = new Set(['invocationIndex', 'toolUseIndex']);

/** Whether a key serves as a comment, which JSON does not have. */
function isComment(key: string): boolean {
  return key.startsWith('_') || key === 'description';
}

function wrong(reading: Reading, message: () => string): void {
  reading.problems.add(reading.options.code ?? 'INVALID_DATA', placeOf(reading), message);
}

function placeOf(reading: Reading, ...more: PathSegment[]): string {
  return formatPath([...reading.path, ...more], reading.options.path);
}

function hint(forms: readonly Form[], value: unknown): string {
  if (typeof value !== 'string') return '';
  const listed = forms.flatMap(({ schema }): unknown[] => (Array.isArray(schema.enum) ? schema.enum : []));
  return didYouMean(
    value,
    listed.filter((one) => typeof one === 'string'),
  );
}

/** Chooses the alternative of a union for a value: by type and listed values, and for objects by their keys. */
function choose(forms: readonly Form[], value: unknown, kind: number): Form | undefined {
  let first: Form | undefined;
  for (const form of forms) {
    if (!accepts(form, value, kind)) continue;
    if (first !== undefined) return kind === OBJECT ? mostAlike(forms, value as Record<string, unknown>) : first;
    first = form;
  }
  return first;
}

function mostAlike(forms: readonly Form[], value: Record<string, unknown>): Form | undefined {
  const fitting = forms.filter((form) => accepts(form, value, OBJECT));
  // Shortcut: if one alternative fits completely, no other is more similar, unless a property names the alternative.
  const whole = fitting.find(({ shape }) => isWhole(shape, value));
  if (whole !== undefined && !fitting.some(({ shape }) => shape.isNamed)) return whole;
  const fit = fitting.map(({ shape }) => likeness(shape, value));
  return fitting[fit.indexOf(Math.max(...fit))];
}

/** Tells whether an object has all of an alternative's required keys, and only known keys. */
function isWhole({ byKey, required }: ObjectShape, value: Record<string, unknown>): boolean {
  if (required.length === 0) return false;
  for (const key of Object.keys(value)) if (!byKey.has(key)) return false;
  return required.every(({ name, snake }) => Object.hasOwn(value, name) || Object.hasOwn(value, snake));
}

/** Rates the similarity of an object to an alternative; higher is better. */
function likeness({ byKey, required }: ObjectShape, value: Record<string, unknown>): number {
  const keys = Object.keys(value);
  let likeness = 0;
  for (const key of keys) {
    const property = byKey.get(key);
    if (!property) continue;
    // A property that names the alternative correctly outweighs any number of keys.
    if (!property.namesForm) likeness += 1;
    else likeness += accepts(formOf(property.schema), value[key], kindOf(value[key])) ? 1000 : -1000;
  }
  const first = keys.slice(0, MOST_GUESSED);
  const isThere = ({ name, snake }: Property) =>
    Object.hasOwn(value, name) || Object.hasOwn(value, snake) || closest(name, first) !== undefined;
  // Next come the required keys.
  return required.length > 0 && required.every(isThere) ? likeness + 100 : likeness;
}

function readList(reading: Reading, value: readonly unknown[], schema: JsonSchema): unknown[] {
  const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  const rest = schema.items;
  // Allocated at full length, because a growing array reserves room for sixteen more items.
  const out = new Array<unknown>(value.length);
  reading.path.push(0);
  for (let index = 0; index < value.length; index++) {
    reading.path[reading.path.length - 1] = index;
    const item: unknown = index < first.length ? first[index] : rest;
    out[index] = readValue(reading, value[index], isPlainObject(item) ? item : OPAQUE);
  }
  reading.path.pop();
  return out;
}

function readObject(
  reading: Reading,
  value: Record<string, unknown>,
  shape: ObjectShape,
  forms: readonly Form[],
): Record<string, unknown> {
  const snake = reading.options.spelling === 'snake';
  const out: Record<string, unknown> = {};
  const unknown: string[] = [];
  reading.path.push('');
  for (const key of Object.keys(value)) {
    const item = value[key];
    // Absent, as in JSON.stringify.
    if (item === undefined) continue;
    reading.path[reading.path.length - 1] = key;
    if (key === '__proto__') {
      reading.problems.add('UNSAFE_KEY', placeOf(reading), () => 'the key "__proto__" is refused; rename it');
      continue;
    }
    const property = shape.byKey.get(key);
    if (!property) {
      // A map has no unknown keys.
      if (shape.others === null || shape.properties.length > 0) unknown.push(key);
      if (shape.others !== null || reading.options.unknownKeys === 'keep') {
        out[key] = readValue(reading, item, shape.others ?? OPAQUE);
      }
      continue;
    }
    const name = snake ? property.snake : property.name;
    if (property.hasSpellings && Object.hasOwn(out, name)) {
      reading.problems.add('KEY_SPELT_TWICE', placeOf(reading), () => {
        const other = Object.keys(value).find((candidate) => shape.byKey.get(candidate) === property);
        return `"${other}" and "${key}" are two spellings of one key; keep one of them`;
      });
      continue;
    }
    // Values that are not from a file are never read by Python.
    if (shape.snakeOnly && key !== property.snake && reading.options.file !== undefined) {
      warnOfSpelling(reading, property);
    }
    out[name] = readValue(reading, item, property.schema);
  }
  reading.path.pop();
  const missing = shape.required.filter((property) => !Object.hasOwn(out, snake ? property.snake : property.name));
  if (unknown.length > 0 || missing.length > 0) judgeKeys(reading, value, shape, forms, unknown, missing);
  return out;
}

function warnOfSpelling(reading: Reading, property: Property): void {
  reading.warnings.add('UNKNOWN_KEY', placeOf(reading), () => {
    return `read here as "${property.snake}", but ADK's Python accepts only that spelling here; write "${property.snake}"`;
  });
}

function isCamel(key: string): boolean {
  return /[a-z][A-Z]/.test(key);
}

/** Reports missing and unknown keys. A misspelt key is both, and is reported once. */
function judgeKeys(
  reading: Reading,
  value: Record<string, unknown>,
  shape: ObjectShape,
  forms: readonly Form[],
  unknown: readonly string[],
  missing: readonly Property[],
): void {
  const { problems, options } = reading;
  const code = options.code ?? 'INVALID_DATA';
  const known = Object.keys(value).filter((key) => shape.byKey.has(key));
  // Suggestions use the spelling of the key that they replace, or else of the other keys.
  const spelt = (property: Property, like = '') =>
    isCamel(like) || (known.some(isCamel) && !like.includes('_')) ? property.name : property.snake;

  const reported = new Set<string>();
  for (const property of missing) {
    const slip = closest(property.name, unknown);
    if (slip !== undefined) reported.add(slip);
    problems.add(code, placeOf(reading), () => {
      const name = spelt(property, slip);
      if (slip !== undefined) return `"${name}" is missing; is "${shortened(slip)}" a misspelling of it?`;
      const expected = describeExpected(property.schema, reading.root);
      return `"${name}" is missing${expected === '' ? '' : ` (${expected})`}`;
    });
  }

  const used = new Set(known.map((key) => shape.byKey.get(key)));
  const unused = shape.properties.filter((property) => !used.has(property));
  const otherForms = forms.map((form) => form.shape).filter((other) => other !== shape);
  const names = reading.path.length === 0 ? (options.alsoKnown ?? []) : [];
  const suggest = (key: string) => {
    if (unknown.length > MOST_GUESSED) return '';
    const others = shape.others === null ? otherForms.flatMap((form) => form.properties) : [];
    return didYouMean(key, [...[...unused, ...others].map((property) => spelt(property, key)), ...names]);
  };
  for (const key of unknown) {
    if (reported.has(key)) continue;
    const other = shape.others === null ? otherForms.find((form) => form.byKey.has(key)) : undefined;
    if (other) problems.add(code, placeOf(reading, key), () => mixedForms(key, value, shape, other));
    else
      judgeUnknownKey(reading, shape, key, suggest, () => [
        ...names,
        ...shape.properties.map((property) => spelt(property)),
      ]);
  }
}

/** Reports keys of two alternatives in one object, which is always an error, because it is ambiguous. */
function mixedForms(key: string, value: Record<string, unknown>, shape: ObjectShape, other: ObjectShape): string {
  const known = Object.keys(value).filter((candidate) => shape.byKey.has(candidate));
  const own = known.find((candidate) => !other.byKey.has(candidate));
  if (own !== undefined)
    return `"${key}" cannot be combined with "${own}": they belong to different forms; keep one of them`;
  const names = known.filter((candidate) => shape.byKey.get(candidate)?.namesForm);
  const form = names.map((candidate) => `"${candidate}": ${shortened(JSON.stringify(value[candidate]))}`).join(', ');
  return `"${key}" does not go with ${form}; remove one of them`;
}

function judgeUnknownKey(
  reading: Reading,
  shape: ObjectShape,
  key: string,
  suggest: (key: string) => string,
  known: () => readonly string[],
): void {
  const { problems, warnings, options } = reading;
  const label = `unknown key "${shortened(key)}"`;
  const warn = (what: string) =>
    warnings.add('UNKNOWN_KEY', placeOf(reading, key), () => `${label}, ${what}${suggest(key)}`);
  // Short keys are within the edit distance of too many names, and values to be written were checked when they were
  // read.
  const isReading =
    options.unknownKeys !== undefined && options.unknownKeys !== 'error' && options.spelling !== 'snake';
  const isSlip = isReading && !isComment(key) && key.length >= 5 && suggest(key) !== '';
  if (shape.others !== null) {
    // Allowed, so there is no warning, unless it looks like a typo.
    if (options.unknownKeys === 'keep' && suggest(key) !== '') warn('kept as it is');
  } else if (isSlip) {
    // With only a warning, a misspelt expectation would be missing, and the case could pass.
    problems.add('UNKNOWN_KEY', placeOf(reading, key), () => label + suggest(key));
  } else if (options.unknownKeys !== 'keep' && isComment(key)) {
    warnings.add('UNKNOWN_KEY', placeOf(reading, key), () => `${label} is read as a comment and left out, as in ADK`);
  } else if (options.unknownKeys === 'drop') {
    warn('left out');
  } else if (options.unknownKeys === 'keep' && (!shape.isOwn || isComment(key))) {
    // `adk web` records these keys, so there is no warning.
    if (!OF_ADK_WEB.has(key))
      warn(shape.forbids ? 'kept, but ADK rejects files that contain it' : 'kept, but ADK drops it');
  } else {
    problems.add('UNKNOWN_KEY', placeOf(reading, key), () => {
      const names = known();
      const list = names.length === 0 ? '; no keys are allowed here' : `; known are ${listOf(names, 'and')}`;
      return label + (suggest(key) || list);
    });
  }
}
