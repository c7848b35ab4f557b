import { stringifyJson } from '@agent-criteria/formats';

/** Formats a value as JSON. Returns a note instead if it is nested too deeply for the call stack. */
export function jsonText(value: unknown): string {
  try {
    return stringifyJson(value) ?? 'null';
  } catch {
    return '(too deeply nested to be shown)';
  }
}

/** Formats JSON with two spaces per level. All lines but the first are indented by `margin`. */
export function indentedJson(value: unknown, margin: number): string {
  return stringifyJson(value, null, 2).replaceAll('\n', `\n${' '.repeat(margin)}`);
}
