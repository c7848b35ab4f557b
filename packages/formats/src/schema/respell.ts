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
  /** How known keys are spelt in the result: as the schema spells them (camelCase), or in snake_case. Default `'schema'`. */
  readonly spelling?: 'schema' | 'snake' | undefined;
  /**
   * A key that the schema neither names nor allows is an error, is kept with a warning that says what ADK does with
   * it, or is left out with a warning. Default `'error'`.
   */
  readonly unknownKeys?: 'error' | 'keep' | 'drop' | undefined;
  /** The code of a wrong value. Default `INVALID_DATA`. */
  readonly code?: ErrorCode | undefined;
  /** Named in every problem. */
  readonly file?: string | undefined;
  /** Where the value stands, when it is part of something larger. Default `$`. */
  readonly path?: string | undefined;
  /** Names beyond the schema's own that an unknown key of the value itself may have been meant to be. */
  readonly alsoKnown?: readonly string[] | undefined;
}

/** What came of reading a value. With problems, `value` is as much as could be read. */
export interface Respelt {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Deeper than this nothing is read: no honest file is, and readers after us may recurse. */
const DEPTH_LIMIT = 200;

/**
 * Reads a value by a JSON Schema: every key that the schema names may be spelt in snake_case or camelCase, and comes
 * out in one spelling; types, listed values, limits and required keys are checked. Everything else is the user's and
 * is copied as it is: maps (`additionalProperties`) keep their keys, and order is kept everywhere. All mistakes are
 * reported at once, with paths as the value spells them. The value is never changed, nothing of it is shared with the
 * result, and a key named `__proto__` is refused wherever it stands.
 *
 * Of a JSON Schema it reads `properties`, `additionalProperties`, `items`, `prefixItems`, `required`, `type`, `enum`,
 * `const`, the limits of numbers and lists, `anyOf`, `oneOf` and local `$ref`. What else a schema says is for its own
 * validator to check: see `describeIssues`.
 */
export function respell(value: unknown, jsonSchema: JsonSchema, options: RespellOptions = {}): Respelt {
  const problems = problemList(options.file);
  const warnings = problemList(options.file);
  const path: PathSegment[] = [];
  const read = readValue({ root: jsonSchema, options, problems, warnings, path }, value, jsonSchema);
  return { value: read, problems: problems.list(), warnings: warnings.list() };
}

/** An object with more unknown keys than this is somebody's map, not a series of slips. */
const MOST_GUESSED = 100;

interface Reading {
  readonly root: JsonSchema;
  readonly options: RespellOptions;
  readonly problems: ProblemList;
  readonly warnings: ProblemList;
  /** Where we are; the last segment changes as we go. */
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
    // In a file it was a larger number, such as 1e400.
    const isTooLarge = value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
    const more = isTooLarge ? '; a number is at most about 1.8e308, so write it as text' : '';
    wrong(reading, () => `${describeValue(value)} is not JSON${more}`);
  }
  return value;
}

const OF_ADK_WEB: ReadonlySet<string> = new Set(['invocationIndex', 'toolUseIndex']);

/** JSON has no comments: people write them under such keys. */
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

/** The form of a union that a value has: by type and listed values, then for objects by the keys that they hold. */
function choose(forms: readonly Form[], value: unknown, kind: number): Form | undefined {
  let first: Form | undefined;
  for (const form of forms) {
    if (!accepts(form, value, kind)) continue;
    if (first !== undefined) return kind === OBJECT ? mostAlike(forms, value as Record<string, unknown>) : first;
    first = form;
  }
  return first;
}

/** Of several forms that an object could have. */
function mostAlike(forms: readonly Form[], value: Record<string, unknown>): Form | undefined {
  const fitting = forms.filter((form) => accepts(form, value, OBJECT));
  // Mostly one form fits whole, and none can be more alike, except by a property that names the form.
  const whole = fitting.find(({ shape }) => isWhole(shape, value));
  if (whole !== undefined && !fitting.some(({ shape }) => shape.isNamed)) return whole;
  const fit = fitting.map(({ shape }) => likeness(shape, value));
  return fitting[fit.indexOf(Math.max(...fit))];
}

/** An object has all keys that a form requires, and only keys that it knows. */
function isWhole({ byKey, required }: ObjectShape, value: Record<string, unknown>): boolean {
  if (required.length === 0) return false;
  for (const key of Object.keys(value)) if (!byKey.has(key)) return false;
  return required.every(({ name, snake }) => Object.hasOwn(value, name) || Object.hasOwn(value, snake));
}

/** How much an object looks like a form. */
function likeness({ byKey, required }: ObjectShape, value: Record<string, unknown>): number {
  const keys = Object.keys(value);
  let likeness = 0;
  for (const key of keys) {
    const property = byKey.get(key);
    if (!property) continue;
    // The right name outweighs any number of keys.
    if (!property.namesForm) likeness += 1;
    else likeness += accepts(formOf(property.schema), value[key], kindOf(value[key])) ? 1000 : -1000;
  }
  const first = keys.slice(0, MOST_GUESSED);
  const isThere = ({ name, snake }: Property) =>
    Object.hasOwn(value, name) || Object.hasOwn(value, snake) || closest(name, first) !== undefined;
  // After it, the keys that a form requires say most.
  return required.length > 0 && required.every(isThere) ? likeness + 100 : likeness;
}

function readList(reading: Reading, value: readonly unknown[], schema: JsonSchema): unknown[] {
  const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  const rest = schema.items;
  // At full length from the start: a list that grows reserves room for sixteen more items.
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
    // Absent, as JSON.stringify has it.
    if (item === undefined) continue;
    reading.path[reading.path.length - 1] = key;
    if (key === '__proto__') {
      reading.problems.add('UNSAFE_KEY', placeOf(reading), () => 'the key "__proto__" is refused; rename it');
      continue;
    }
    const property = shape.byKey.get(key);
    if (!property) {
      // In a map, which names no key, no key is unknown.
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
    // Only a file is ever read by Python.
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

/** Missing keys and unknown keys: often the same mistake, then reported once. */
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
  // A name is suggested in the spelling of the key that it replaces, else as the rest of the object is spelt.
  const spelt = (property: Property, like = '') =>
    isCamel(like) || (known.some(isCamel) && !like.includes('_')) ? property.name : property.snake;

  const told = new Set<string>();
  for (const property of missing) {
    const slip = closest(property.name, unknown);
    if (slip !== undefined) told.add(slip);
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
    if (told.has(key)) continue;
    const other = shape.others === null ? otherForms.find((form) => form.byKey.has(key)) : undefined;
    if (other) problems.add(code, placeOf(reading, key), () => mixedForms(key, value, shape, other));
    else
      judgeUnknownKey(reading, shape, key, suggest, () => [
        ...names,
        ...shape.properties.map((property) => spelt(property)),
      ]);
  }
}

/** Two forms in one object are an error whatever becomes of unknown keys: nobody can say which one is meant. */
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
  // A short key is near to anything, and what is written has been read before.
  const isReading =
    options.unknownKeys !== undefined && options.unknownKeys !== 'error' && options.spelling !== 'snake';
  const isSlip = isReading && !isComment(key) && key.length >= 5 && suggest(key) !== '';
  if (shape.others !== null) {
    // Allowed, and so silent, unless it looks like a slip.
    if (options.unknownKeys === 'keep' && suggest(key) !== '') warn('kept as it is');
  } else if (isSlip) {
    // What is meant is not there: with a warning alone, an expectation would be gone and the case could pass.
    problems.add('UNKNOWN_KEY', placeOf(reading, key), () => label + suggest(key));
  } else if (options.unknownKeys !== 'keep' && isComment(key)) {
    warnings.add('UNKNOWN_KEY', placeOf(reading, key), () => `${label} is read as a comment and left out, as in ADK`);
  } else if (options.unknownKeys === 'drop') {
    warn('left out');
  } else if (options.unknownKeys === 'keep' && (!shape.isOwn || isComment(key))) {
    // `adk web` leaves them in what it records: that is no slip of anybody.
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
