import { stringifyJson } from '@agent-criteria/formats';

/** Formats a value as JSON; a note if it is nested too deeply for the stack. */
export function jsonText(value: unknown): string {
  try {
    return stringifyJson(value) ?? 'null';
  } catch {
    return '(too deeply nested to be shown)';
  }
}

/** Formats JSON with two spaces per level, all lines but the first indented by `margin`. */
export function indentedJson(value: unknown, margin: number): string {
  return stringifyJson(value, null, 2).replaceAll('\n', `\n${' '.repeat(margin)}`);
}
