import type { Problem } from '../errors.ts';
import { isObject } from '../json.ts';
import { formatPath, type PathSegment, shortened } from '../schema/path.ts';
import type { ProblemList } from '../schema/problem-list.ts';
import { keyOf } from '../schema/spelling.ts';

// Tracks which parts of a value a conversion has read, so that everything else can be reported as left out. A fixed
// list of fields to leave out would never be complete.

/** A location in a value that is being converted. */
export interface Place {
  readonly value: unknown;
  readonly path: readonly PathSegment[];
  readonly note: Note;
}

interface Note {
  /** Whether its value is completely in the result. */
  isTaken: boolean;
  /** Why it is left out. Default: it has no place in an eval set. */
  reason?: string;
  readonly inside: Map<PathSegment, Note>;
}

/** Starts tracking a value. */
export function wholeOf(value: unknown): Place {
  return { value, path: [], note: { isTaken: false, inside: new Map() } };
}

/** Returns a field in either spelling, or `null` if it is missing or `null`. */
export function fieldAt(place: Place | null, name: string): Place | null {
  if (place === null || !isObject(place.value)) return null;
  const key = keyOf(place.value, name);
  return key === undefined || (place.value[key] ?? null) === null ? null : inside(place, key, place.value[key]);
}

/** Returns the items of a list, or none for any other value. */
export function itemsAt(place: Place | null): readonly Place[] {
  if (place === null || !Array.isArray(place.value)) return [];
  return place.value.map((item: unknown, index) => inside(place, index, item));
}

/** Returns the entries of an object, or none for any other value. */
export function entriesAt(place: Place | null): readonly (readonly [key: string, entry: Place])[] {
  if (place === null || !isObject(place.value)) return [];
  return Object.entries(place.value).map(([key, value]) => [key, inside(place, key, value)]);
}

/** Marks a location as completely converted, and returns its value. */
export function take(place: Place): unknown {
  place.note.isTaken = true;
  return place.value;
}

/** Sets the reason to report if a location is left out. */
export function explain(place: Place | null, reason: string): void {
  if (place !== null) place.note.reason = reason;
}

/** Marks a location as left out, even though it was read. */
export function leaveOut(place: Place, reason: string): void {
  place.note.isTaken = false;
  place.note.reason = reason;
}

export function pathOf({ path }: Place): string {
  return formatPath(path);
}

function inside({ path, note }: Place, segment: PathSegment, value: unknown): Place {
  const known = note.inside.get(segment) ?? { isTaken: false, inside: new Map() };
  note.inside.set(segment, known);
  return { value, path: [...path, segment], note: known };
}

/**
 * The maximum number of locations, differing only in their indexes, that are reported individually. More are reported
 * as one.
 */
const MOST_ALIKE = 3;

/** Reports every location that was not taken, or, if many are similar, the first of them and their number. */
export function reportLeftOut(whole: Place, warnings: ProblemList): void {
  const groups = new Map<string, LeftOut[]>();
  for (const place of notTaken(whole.value, whole.note, [])) {
    const pattern = JSON.stringify([place.reason, place.path.map((one) => (typeof one === 'number' ? 0 : one))]);
    const group = groups.get(pattern);
    if (group === undefined) groups.set(pattern, [place]);
    else group.push(place);
  }
  for (const group of groups.values()) {
    const isLong = group.length > MOST_ALIKE;
    const more = isLong ? ` (here and in ${group.length - 1} more places like it)` : '';
    for (const { path, reason } of isLong ? group.slice(0, 1) : group) {
      warnings.add('UNKNOWN_KEY', formatPath(path), () => `${reason ?? withoutPlace(path)}${more}`);
    }
  }
}

function withoutPlace(path: readonly PathSegment[]): string {
  const name = shortened(path.findLast((segment) => typeof segment === 'string') ?? '');
  const what = typeof path.at(-1) === 'number' ? `this item of "${name}"` : `"${name}"`;
  return `${what} has no place in an eval set, and is left out`;
}

/** Rephrases a warning about a value that was not converted. */
export function wouldBeLeftOut(problem: Problem): Problem {
  return { ...problem, message: problem.message.replace(/\bis left out\b/, 'would be left out') };
}

interface LeftOut {
  readonly path: readonly PathSegment[];
  readonly reason?: string | undefined;
}

function* notTaken(value: unknown, note: Note | undefined, path: readonly PathSegment[]): Generator<LeftOut> {
  if (value === null || value === undefined || value === '' || note?.isTaken === true) return;
  const isRead = note !== undefined && note.inside.size > 0;
  if (isRead && note.reason === undefined && Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* notTaken(item, note.inside.get(index), [...path, index]);
  } else if (isRead && note.reason === undefined && isObject(value)) {
    for (const [key, entry] of Object.entries(value)) yield* notTaken(entry, note.inside.get(key), [...path, key]);
  } else if (!(note !== undefined && isEmpty(value))) yield { path, reason: note?.reason };
}

/** Leaving out an empty list or object loses nothing. */
function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}
