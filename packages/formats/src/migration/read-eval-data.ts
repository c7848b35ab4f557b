import { isAgentsCliDataset, migrateCommand } from '../data/file-kind.ts';
import type { EvalSet } from '../data/model.ts';
import { type Parsed, parseEvalSet } from '../data/parse.ts';
import { CriteriaError } from '../errors.ts';
import { isObject } from '../json.ts';
import { readAgentsCliDataset } from './agents-cli-dataset.ts';
import { wouldBeLeftOut } from './left-out.ts';
import { type MigrateOptions, migrateEvalData, type OldFormat, refuseSession } from './migrate.ts';

/** An eval set, and the format that it came from. */
export interface EvalData extends Parsed<EvalSet> {
  readonly format: 'new' | OldFormat;
}

/**
 * Reads eval data of any format. The format is identified by the shape of the value: a list is legacy data and is
 * migrated; a dataset of agents-cli is converted if nothing is lost; anything else is an eval set.
 *
 * @throws CriteriaError like `parseEvalSet` and `migrateEvalData`; UNKNOWN_FORMAT listing everything in a dataset that
 * an eval set cannot hold; USAGE for an initial session given with data that is not legacy data.
 */
export function readEvalData(
  value: unknown,
  options: MigrateOptions & { readonly allowEmpty?: boolean | undefined } = {},
): EvalData {
  if (Array.isArray(value)) return migrateEvalData(value, options);
  if (isAgentsCliDataset(value)) return wholeDataset(value, options);
  const read = parseEvalSet(value, options);
  const { initialSession, file } = options;
  if (isObject(initialSession) && Object.keys(initialSession).length > 0) {
    const message =
      'an initial session is for legacy eval data only: write it into the cases of this set as "session_input"';
    throw new CriteriaError({ code: 'USAGE', message, file });
  }
  return { ...read, format: 'new' };
}

/**
 * Rejects a lossy conversion, because its warnings would recur in every run and be overlooked. `migrate` reports
 * them once.
 */
function wholeDataset(value: unknown, options: MigrateOptions): EvalData {
  refuseSession(options);
  const { leftOut, ...read } = readAgentsCliDataset(value, options);
  if (leftOut.length === 0) return { ...read, format: 'agents-cli' };
  const message =
    'this dataset of agents-cli has what an eval set cannot hold, so it is not evaluated as it is: ' +
    `${migrateCommand(options.file)} makes an eval set without it`;
  throw new CriteriaError([
    { code: 'UNKNOWN_FORMAT', message, path: '$', file: options.file },
    ...leftOut.map(wouldBeLeftOut),
  ]);
}
