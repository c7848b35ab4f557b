import { CriteriaError } from '@agent-criteria/formats';
import { didYouMean } from '@agent-criteria/formats/schema';

/**
 * Checks option names, for callers in plain JavaScript.
 *
 * @param known All options of the function.
 * @param required The required options, each with what to pass for it. Default: none.
 * @throws CriteriaError USAGE for unknown and missing options, with suggestions.
 */
export function checkOptions(
  options: object,
  known: Readonly<Record<string, true>>,
  required: Readonly<Record<string, string>> = {},
): void {
  const names = Object.keys(known);
  const given: Readonly<Record<string, unknown>> = isOptions(options) ? options : {};
  const unknown = Object.keys(given)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => {
      const hint = didYouMean(name, names) || `; the options are ${names.join(', ')}`;
      return `unknown option "${name}"${hint}`;
    });
  const missing = Object.entries(required).flatMap(([name, what]) => {
    const isMeant = unknown.some((message) => message.includes(`did you mean "${name}"`));
    return isMeant || (given[name] ?? null) !== null ? [] : [`"${name}" is missing: pass ${what}`];
  });
  const messages = [...unknown, ...missing];
  if (messages.length === 0 && !isOptions(options)) messages.push('there are no options: pass an object of them');
  if (messages.length === 0) return;
  throw new CriteriaError(messages.map((message) => ({ code: 'USAGE', message })));
}

function isOptions(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
