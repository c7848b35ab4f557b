import type { OptionsSchema } from '../contracts/options-schema.ts';
import type { Problem } from '../errors.ts';
import { isObject } from '../json.ts';
import { describeIssues } from '../schema/describe-issues.ts';
import { respell } from '../schema/respell.ts';

/** The options of a plugin, checked. With problems, the value must not be used. */
export interface ReadOptions {
  /** Validated, with defaults. */
  readonly value: unknown;
  /** As written, keys in camelCase, without defaults: what the options of a case are laid over. */
  readonly written: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
}

/**
 * Reads what a user wrote as the options of a plugin: keys in either spelling, unknown keys refused, values validated.
 *
 * @param under Options that these are laid over, key by key.
 * @param alsoKnown Names beside the plugin's own that an unknown key may have been meant to be.
 */
export function readOptions(
  plugin: { readonly options: OptionsSchema<unknown, unknown> },
  written: Readonly<Record<string, unknown>>,
  path: string,
  file: string | undefined,
  under: Readonly<Record<string, unknown>> = {},
  alsoKnown: readonly string[] = [],
): ReadOptions {
  const { options } = plugin;
  const where = { path, code: 'INVALID_OPTION' as const, ...(file === undefined ? {} : { file }) };
  const respelt = respell(written, options.jsonSchema, { ...where, alsoKnown });
  const own = isObject(respelt.value) ? respelt.value : {};
  const merged = { ...under, ...own };
  if (respelt.problems.length > 0) return { value: undefined, written: merged, problems: respelt.problems };
  const validated = options['~standard'].validate(merged);
  if (validated.issues !== undefined) {
    const problems = describeIssues(validated.issues, { ...under, ...written }, options.jsonSchema, where);
    return { value: undefined, written: merged, problems };
  }
  return { value: validated.value, written: merged, problems: [] };
}
