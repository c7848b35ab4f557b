import { isObject, type Problem, toErrorInfo } from '@agent-criteria/formats';
import { describeIssues, respell } from '@agent-criteria/formats/schema';
import type { Criterion } from '../contracts/criterion.ts';
import type { UserSimulator } from '../contracts/user-simulator.ts';

/** A plugin's checked options. If there are problems, `value` must not be used. */
export interface ReadOptions {
  /** Validated, with defaults. */
  readonly value: unknown;
  /** The options as the user wrote them, but with keys in camelCase. A case's own options are merged over these. */
  readonly written: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/**
 * Reads a plugin's options: accepts keys in both spellings, rejects unknown keys, and validates values.
 *
 * @param under Options that these override, key by key. Default: none.
 * @param alsoKnown Further names to suggest for an unknown key. Default: none.
 */
export function readOptions(
  plugin: Pick<Criterion | UserSimulator, 'name' | 'origin' | 'options'>,
  written: Readonly<Record<string, unknown>>,
  path: string,
  file: string | undefined,
  under: Readonly<Record<string, unknown>> = {},
  alsoKnown: readonly string[] = [],
): ReadOptions {
  const { options } = plugin;
  const where = { path, code: 'INVALID_OPTION' as const, file };
  const respelt = respell(written, options.jsonSchema, { ...where, alsoKnown });
  const { warnings } = respelt;
  const own = isObject(respelt.value) ? respelt.value : {};
  const merged = { ...under, ...own };
  const refused = (what: string): ReadOptions => {
    const message = `the options of ${plugin.name} cannot be checked: ${what}. This is a mistake in ${plugin.origin.package}`;
    const problems = [{ ...where, code: 'INVALID_PLUGIN' as const, message }];
    return { value: undefined, written: merged, problems, warnings };
  };
  if (respelt.problems.length > 0) return { value: undefined, written: merged, problems: respelt.problems, warnings };
  let validated: unknown;
  try {
    validated = options['~standard'].validate(merged);
  } catch (error) {
    return refused(`its validator threw: ${toErrorInfo(error).message}`);
  }
  // The validator is third-party code, so its result is checked before a criterion uses it.
  if (!isObject(validated) || 'then' in validated)
    return refused('its validator must be synchronous, and return a value or issues');
  if (Array.isArray(validated.issues)) {
    const problems = describeIssues(validated.issues, { ...under, ...written }, options.jsonSchema, where);
    return { value: undefined, written: merged, problems, warnings };
  }
  if (!('value' in validated)) return refused('its validator returned neither a value nor issues');
  return { value: validated.value, written: merged, problems: [], warnings };
}
