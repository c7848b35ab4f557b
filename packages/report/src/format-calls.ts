import type { FunctionCall } from '@agent-criteria/core';
import { type CallRow, isSameCall } from '@agent-criteria/viewer';
import { jsonText } from './json-text.ts';
import type { Style } from './style.ts';
import { oneLine } from './terminal.ts';

/** Limits unless `detailed`: the number of characters in a call, and of lines in a diff. */
const CALL_SHOWN = 300;
const LINES_SHOWN = 20;

/** Formats one call per line: plain if as expected, otherwise marked `-` for expected and `+` for made. */
export function formatRows(rows: readonly CallRow[], { colors, detailed }: Style): string {
  const shown = (call: FunctionCall) => formatCall(call, detailed);
  const lines = rows.flatMap(({ expected, made }) => {
    if (expected && made && isSameCall(expected, made.call)) return [`  ${shown(made.call)}`];
    return [
      ...(expected ? [colors.red(`- ${shown(expected)}`)] : []),
      ...(made ? [colors.green(`+ ${shown(made.call)}`)] : []),
    ];
  });
  if (detailed || lines.length <= LINES_SHOWN) return lines.join('\n');
  const first = Math.max(lines.findIndex((line) => !line.startsWith('  ')) - 3, 0);
  const part = lines.slice(first, first + LINES_SHOWN);
  const before = first > 0 ? [`  … ${first} as expected`] : [];
  const after = lines.length - first - part.length;
  return [...before, ...part, ...(after > 0 ? [`  … ${after} more lines`] : [])].join('\n');
}

export function formatCall(call: FunctionCall, detailed: boolean): string {
  const args = call.args ? jsonText(call.args) : '';
  return oneLine(`${call.name ?? '(no name)'}(${args})`, detailed ? Number.POSITIVE_INFINITY : CALL_SHOWN);
}
