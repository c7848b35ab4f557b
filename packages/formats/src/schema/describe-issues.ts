import type { Problem } from '../errors.ts';
import type { JsonSchema } from '../json.ts';
import { describeExpected, describeValue, schemaAt } from './describe.ts';
import { formatPath, type PathSegment, spelledPath } from './path.ts';
import { problemList } from './problem-list.ts';
import type { RespellOptions } from './respell.ts';

/** An issue as a Standard Schema reports it. */
export interface Issue {
  readonly message: string;
  readonly path?: readonly unknown[] | undefined;
}

/**
 * Converts a validator's issues to problems: with the path in the user's spelling, the actual value, and the expected
 * value from the JSON Schema if the issue has no message.
 *
 * @param value As the user wrote it, before `respell`.
 */
export function describeIssues(
  issues: readonly Issue[],
  value: unknown,
  jsonSchema: JsonSchema,
  options: Pick<RespellOptions, 'code' | 'file' | 'path'> = {},
): Problem[] {
  const problems = problemList(options.file);
  for (const issue of issues) {
    const segments = (issue.path ?? []).map(segmentOf);
    const spelled = spelledPath(segments, value);
    problems.add(options.code ?? 'INVALID_DATA', formatPath(spelled, options.path), () => {
      const found = `found ${describeValue(valueAt(spelled, value))}`;
      const schema = schemaAt(segments, jsonSchema);
      // "Invalid input" is the default message of zod/mini.
      const saysNothing = issue.message === '' || issue.message === 'Invalid input';
      if (!saysNothing) return `${issue.message} (${found})`;
      const expected = schema === undefined ? '' : describeExpected(schema, jsonSchema);
      return expected === '' ? `not allowed, ${found}` : `expected ${expected}, ${found}`;
    });
  }
  return problems.list();
}

/** Converts a segment of a Standard Schema path, which is a key, or an object with a `key`. */
function segmentOf(segment: unknown): PathSegment {
  const key: unknown = typeof segment === 'object' && segment !== null && 'key' in segment ? segment.key : segment;
  return typeof key === 'number' ? key : String(key);
}

function valueAt(path: readonly PathSegment[], value: unknown): unknown {
  return path.reduce<unknown>((at, segment) => {
    if (typeof at !== 'object' || at === null) return undefined;
    return Object.hasOwn(at, segment) ? (at as Record<PathSegment, unknown>)[segment] : undefined;
  }, value);
}
