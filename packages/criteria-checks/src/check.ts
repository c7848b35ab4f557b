import type { Evidence, Score, ScorePart } from '@agent-criteria/core';

/** A mistake in options, with its path. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Converts an error thrown by `work` to an issue at this path. Returns no issues if it does not throw. */
export function issueOf(path: Issue['path'], work: () => unknown): readonly Issue[] {
  try {
    work();
    return [];
  } catch (error) {
    return [{ path, message: error instanceof Error ? error.message : String(error) }];
  }
}

/** The result of a check. */
export type Finding =
  | { readonly holds: true }
  | { readonly holds: false; readonly reason: string; readonly evidence?: readonly Evidence[] | undefined }
  /** It cannot be determined whether the check holds. */
  | { readonly holds: null; readonly reason: string };

/** Converts a finding to a score part: 1 if the check holds, 0 if it does not. */
export function checked(id: string, text: string, finding: Finding): ScorePart {
  const part = { id, kind: 'check', text } as const;
  if (finding.holds === true) return { ...part, value: 1 };
  const { reason } = finding;
  if (finding.holds === null) return { ...part, value: null, missing: 'could-not-judge', reason };
  return { ...part, value: 0, reason, evidence: finding.evidence };
}

/** Computes the share of checks that hold. Without checks, the criterion is not applicable. */
export function scoreOf(parts: readonly ScorePart[], nothing: string): Score {
  if (parts.length === 0) return { value: null, missing: 'not-applicable', reason: nothing };
  const failed = parts.filter((part) => 'value' in part && part.value === 0);
  const [first] = failed;
  if (first === undefined) return { parts };
  const reason = `${failed.length} of ${parts.length} ${parts.length === 1 ? 'check' : 'checks'} failed: ${first.text}`;
  return { parts, reason: failed.length === 1 ? reason : `${reason}, and ${failed.length - 1} more` };
}

/** Returns the JSON Schema of an option that is a string or a list of strings. */
export function texts<const Description extends string>(description: Description) {
  return {
    description,
    anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1 }],
  } as const;
}

/** Lists a single value, or each item of a list, with its path. */
export function each<T>(key: string, value: T | readonly T[] | undefined): readonly (readonly [id: string, item: T])[] {
  if (value === undefined) return [];
  return isList(value) ? value.map((item, index) => [`${key}[${index}]`, item]) : [[key, value]];
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}

/** Writes how often something happened: never, once, or so many times. */
export function times(count: number): string {
  if (count === 0) return 'never';
  return count === 1 ? 'once' : `${count} times`;
}
