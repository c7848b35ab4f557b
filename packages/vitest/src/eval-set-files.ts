import type { EvalSetSource } from '@agent-criteria/core/eval-set';

/** The path of an eval set, a folder or a pattern; a list of such paths; or an eval set as a value. */
export type EvalSetFiles = string | readonly string[] | EvalSetSource;

/** Returns the paths of eval sets, or `null` for an eval set as a value, which may be a list of cases. */
export function pathsOf(files: EvalSetFiles): readonly string[] | null {
  if (typeof files === 'string') return [files];
  return isListOfPaths(files) ? files : null;
}

function isListOfPaths(files: object): files is readonly string[] {
  return Array.isArray(files) && files.every((file) => typeof file === 'string');
}

/** Returns the default name of a test group: the paths as given, or the id of the eval set. */
export function nameOf(files: EvalSetFiles): string {
  const paths = pathsOf(files);
  if (paths !== null) return paths.join(', ');
  const { eval_set_id: id, evalSetId = id } = files as { readonly eval_set_id?: unknown; readonly evalSetId?: unknown };
  return typeof evalSetId === 'string' ? evalSetId : 'eval set';
}
