import type { EvalSet } from '../data/model.ts';
import { type Parsed, parseEvalSet } from '../data/parse.ts';
import { CriteriaError } from '../errors.ts';
import { isObject } from '../json.ts';
import { type MigrateOptions, migrateEvalData, type OldFormat } from './migrate.ts';

/** An eval set, and the format that it was read from. */
export interface EvalData extends Parsed<EvalSet> {
  readonly format: 'new' | OldFormat;
}

/**
 * Eval data of any age. The shape decides, never a failure: a list is old data and is migrated, all else is an eval set.
 *
 * @throws CriteriaError as `parseEvalSet` and `migrateEvalData` do, and for an initial session beside an eval set, whose
 * cases name their own.
 */
export function readEvalData(
  value: unknown,
  options: MigrateOptions & { readonly allowEmpty?: boolean | undefined } = {},
): EvalData {
  if (Array.isArray(value)) return migrateEvalData(value, options);
  const read = parseEvalSet(value, options);
  const { initialSession, file } = options;
  if (isObject(initialSession) && Object.keys(initialSession).length > 0) {
    const message =
      'an initial session is for legacy eval data only: write it into the cases of this set as "session_input"';
    throw new CriteriaError({ code: 'USAGE', message, file });
  }
  return { ...read, format: 'new' };
}
