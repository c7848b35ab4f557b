import { fingerprint } from '../data/fingerprint.ts';
import type { Content } from '../data/model.ts';
import { type ModelName, modelSchema } from '../data/model-schema.ts';
import { isObject, type JsonSchema, type State } from '../json.ts';
import { describeValue } from '../schema/describe.ts';
import { formatPath, shortened } from '../schema/path.ts';
import type { ProblemList } from '../schema/problem-list.ts';
import { respell } from '../schema/respell.ts';
import { fieldAt, itemsAt, type Place, pathOf, take } from './left-out.ts';

/** The state kept while a dataset is read. */
export interface Reading {
  readonly problems: ProblemList;
  readonly warnings: ProblemList;
  readonly file: string | undefined;
}

/** Reads a message: an object with parts, or a string. */
export function readContent(reading: Reading, place: Place, role: 'user' | 'model'): Content {
  const value = take(place);
  if (typeof value === 'string') return { role, parts: [{ text: value }] };
  const read = readModel(reading, value, pathOf(place), 'Content');
  return isObject(read) ? (read as Content) : {};
}

/** Reads a value using one of ADK's models. Values of other types are reported. */
export function readModel(reading: Reading, value: unknown, path: string, model: ModelName): unknown {
  return readBy(reading, value, path, modelSchema(model));
}

/** Reads state unchanged. A `__proto__` key is reported. */
export function readState(reading: Reading, place: Place): Record<string, unknown> {
  const read = readBy(reading, take(place), pathOf(place), { type: 'object', additionalProperties: true });
  return isObject(read) ? read : {};
}

function readBy(reading: Reading, value: unknown, path: string, schema: JsonSchema): unknown {
  const { file } = reading;
  const read = respell(value, schema, { unknownKeys: 'keep', path, ...(file === undefined ? {} : { file }) });
  for (const { code, message, path: at = path } of read.problems) reading.problems.add(code, at, () => message);
  for (const { code, message, path: at = path } of read.warnings) reading.warnings.add(code, at, () => message);
  return read.value;
}

/** Applies a delta to the state, with a warning for every value that it replaces. */
export function withDelta(reading: Reading, state: State, delta: State, path: string): State {
  for (const [key, value] of Object.entries(delta)) {
    if (!Object.hasOwn(state, key) || fingerprint(state[key]) === fingerprint(value)) continue;
    const message = `it replaces another value of "${shortened(key)}", which is left out: the case starts with the last one`;
    reading.warnings.add('INVALID_DATA', formatPath([key], path), () => message);
  }
  return { ...state, ...delta };
}

/** Returns the items of a list; any other value is reported. */
export function readList(reading: Reading, place: Place | null): readonly Place[] {
  if (place !== null && !Array.isArray(place.value)) {
    reading.problems.add('INVALID_DATA', pathOf(place), () => `expected a list, found ${describeValue(place.value)}`);
  }
  return itemsAt(place);
}

/** Returns the value of the first of these fields that is a string. */
export function textAt(place: Place, ...names: readonly string[]): string | null {
  for (const name of names) {
    const found = fieldAt(place, name);
    if (found !== null && typeof found.value === 'string') return take(found) as string;
  }
  return null;
}
