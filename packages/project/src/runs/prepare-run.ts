import { newRun } from './new-run.ts';
import { noiseRun } from './noise-run.ts';
import type { PreparedRun, PrepareRunOptions, RunSource } from './prepared-run.ts';
import { resultFileRun } from './recorded/result-file-run.ts';
import { runAgain } from './run-again.ts';

type Preparers = {
  readonly [Kind in RunSource['kind']]: (
    source: Extract<RunSource, { readonly kind: Kind }>,
    options: PrepareRunOptions,
  ) => Promise<PreparedRun>;
};

const preparers: Preparers = {
  new: (_source, options) => newRun(options),
  resume: runAgain,
  rescore: runAgain,
  recorded: resultFileRun,
  noise: noiseRun,
};

/**
 * Prepares a run from paths and names. Reads and checks everything. Finds agent modules, but does not import them.
 *
 * @throws CriteriaError with every mistake in any of it. For an earlier run, also if it does not exist, if its files
 *   are gone, or if it is resumed and its agent was not a module.
 */
export async function prepareRun(options: PrepareRunOptions = {}): Promise<PreparedRun> {
  const { source = { kind: 'new' } } = options;
  const prepare = preparers[source.kind] as (source: RunSource, options: PrepareRunOptions) => Promise<PreparedRun>;
  return prepare(source, options);
}
