import { isObject } from '../json.ts';
import { keyOf } from './spelling.ts';

export type PathSegment = string | number;

/** Formats a path: `$.eval_cases[0]["my key"]`. */
export function formatPath(segments: Iterable<PathSegment>, base = '$'): string {
  let path = base;
  for (const segment of segments) {
    if (typeof segment === 'number') path += `[${segment}]`;
    else path += /^[A-Za-z_$][\w$]{0,59}$/.test(segment) ? `.${segment}` : `[${JSON.stringify(shortened(segment))}]`;
  }
  return path;
}

/** Converts the segments of a path to the value's own spelling. */
export function spelledPath(segments: Iterable<PathSegment>, value: unknown): PathSegment[] {
  let at = value;
  return Array.from(segments, (segment) => {
    if (Array.isArray(at)) {
      at = at[Number(segment)];
      return Number(segment);
    }
    if (!isObject(at)) return segment;
    const key = keyOf(at, String(segment)) ?? String(segment);
    at = Object.hasOwn(at, key) ? at[key] : undefined;
    return key;
  });
}

/** Truncates a string. */
export function shortened(text: string, most = 60): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
