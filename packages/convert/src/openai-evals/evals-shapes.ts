import { isObject } from '@agent-criteria/formats';
import { type Fields, objectIn } from '../fields.ts';

// The shapes are those of OpenAI's API, as its client declares them. (https://github.com/openai/openai-node, resources/evals)

/** Whether a value is the definition of an eval: where its data comes from, and its graders. */
export function isEvalDefinition(value: unknown): value is Fields {
  if (!isObject(value) || !Array.isArray(value.testing_criteria)) return false;
  return value.object === 'eval' || isObject(value.data_source_config);
}

/** Whether a value is a run of an eval, or the request for one. */
export function isEvalRun(value: unknown): value is Fields {
  if (!isObject(value) || !isObject(value.data_source)) return false;
  const { type, source } = value.data_source;
  return (
    value.object === 'eval.run' || (['jsonl', 'completions', 'responses'].includes(String(type)) && isObject(source))
  );
}

/** Whether a value is a saved output item of a run. */
export function isOutputItem(value: unknown): value is Fields {
  if (!isObject(value)) return false;
  return value.object === 'eval.run.output_item' || (isObject(value.datasource_item) && Array.isArray(value.results));
}

/** Whether a value is a line of a data file: an item, perhaps with the sample that answers it. */
export function isDataItem(value: unknown): value is Fields {
  if (!isObject(value) || !isObject(value.item)) return false;
  return Object.keys(value).every((key) => key === 'item' || key === 'sample');
}

/** Whether a value is a page of a list, as the API returns it. */
export function isPage(value: unknown): value is Fields & { readonly data: readonly unknown[] } {
  return isObject(value) && value.object === 'list' && Array.isArray(value.data);
}

/** The keys of one object that holds an eval, its runs and their output items. */
const BUNDLE = ['eval', 'run', 'runs', 'output_items'];

export function isBundle(value: unknown): value is Fields {
  if (!isObject(value) || !BUNDLE.some((key) => Object.hasOwn(value, key))) return false;
  return isEvalDefinition(value.eval) || isEvalRun(value.run) || piecesOf(value.output_items).some(isOutputItem);
}

export function isOpenAiEvals(value: unknown): boolean {
  if (isPage(value)) return value.data.some(isOpenAiEvals);
  return [isEvalDefinition, isEvalRun, isOutputItem, isDataItem, isBundle].some((is) => is(value));
}

/** Returns the items of a list or of a page. */
export function piecesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isPage(value) ? value.data : [];
}

/** Returns the contents of a bundle in the order in which they must be read. */
export function bundled(value: Fields): readonly unknown[] {
  const runs = [...(value.run === undefined ? [] : [value.run]), ...piecesOf(value.runs)];
  return [...(value.eval === undefined ? [] : [value.eval]), ...runs, ...piecesOf(value.output_items)];
}

/** Returns the keys of a bundle that are not read. */
export function otherKeys(value: Fields): readonly string[] {
  return Object.keys(value).filter((key) => !BUNDLE.includes(key) && Object.keys(objectIn(value[key])).length > 0);
}
