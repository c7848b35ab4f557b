import { stringifyJson } from '@agent-criteria/formats';

/** A value as JSON; for one that is nested too deeply for the stack, a few words. */
export function jsonText(value: unknown): string {
  try {
    return stringifyJson(value) ?? 'null';
  } catch {
    return '(too deeply nested to be shown)';
  }
}

/** JSON by lines, two spaces a level, all lines but the first moved right by `margin`. */
export function indentedJson(value: unknown, margin: number): string {
  return stringifyJson(value, null, 2).replaceAll('\n', `\n${' '.repeat(margin)}`);
}
