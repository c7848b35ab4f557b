import { isObject } from '@agent-criteria/formats';
import type { Fields } from '../fields.ts';

// The shapes are those of promptfoo's types. (https://github.com/promptfoo/promptfoo, src/types)

/** The keys of a test that are read. */
export const TEST_KEYS = [
  ...['description', 'vars', 'assert', 'options', 'metadata', 'threshold', 'provider', 'providers', 'prompts'],
  ...['providerOutput', 'assertScoringFunction', 'repeat'],
];

/** Whether a value is a config: prompts, and tests or something to run them with. */
export function isPromptfooConfig(value: unknown): value is Fields {
  if (!isObject(value)) return false;
  const has = (key: string): boolean => Object.hasOwn(value, key);
  if (has('tests') || has('scenarios'))
    return has('prompts') || has('providers') || has('targets') || has('defaultTest');
  return has('prompts') && (has('providers') || has('targets') || has('defaultTest'));
}

/** Whether a value is a file of results, with the results in its middle. */
export function isPromptfooOutput(
  value: unknown,
): value is Fields & { readonly results: Fields & { readonly results: readonly unknown[] } } {
  return isObject(value) && isObject(value.results) && Array.isArray(value.results.results);
}

/** Whether a value is one result. */
export function isPromptfooResult(value: unknown): value is Fields {
  if (!isObject(value) || typeof value.success !== 'boolean') return false;
  if (!isObject(value.vars) && !isObject(value.testCase)) return false;
  return isObject(value.response) || isObject(value.gradingResult) || typeof value.error === 'string';
}

/** Whether a value is a test of a file of tests. */
export function isPromptfooTest(value: unknown): value is Fields {
  return isObject(value) && isObject(value.vars) && Object.keys(value).every((key) => TEST_KEYS.includes(key));
}

/** Whether a value is a row of a table of tests. */
export function isPromptfooRow(value: unknown): value is Fields {
  return isObject(value) && Object.keys(value).some((key) => /^__expected\d*$/.test(key));
}

/** Whether a value is of promptfoo beyond doubt: rows with a key "vars" are not, unless they have assertions. */
export function isPromptfoo(value: unknown): boolean {
  if (isPromptfooTest(value)) return Array.isArray(value.assert);
  return [isPromptfooConfig, isPromptfooOutput, isPromptfooResult, isPromptfooRow].some((is) => is(value));
}
