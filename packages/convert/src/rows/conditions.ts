import { CriteriaError } from '@agent-criteria/core';
import { parseValuePath } from '@agent-criteria/values';
import { valueAt } from './value-at.ts';

/**
 * Parses conditions on records, as `$.status=closed`. All of them must hold; values are compared as texts.
 * @throws CriteriaError USAGE with every mistake.
 */
export function parseConditions(written: readonly string[]): (record: unknown) => boolean {
  const mistakes: string[] = [];
  const conditions = written.flatMap((text) => {
    const at = text.indexOf('=');
    const parsed = at < 1 ? { problem: 'write PATH=VALUE' } : parseValuePath(text.slice(0, at).trim());
    if (!('problem' in parsed)) return [{ path: parsed.path, value: text.slice(at + 1).trim() }];
    mistakes.push(`the condition "${text}" is wrong: ${parsed.problem}`);
    return [];
  });
  if (mistakes.length > 0) throw new CriteriaError(mistakes.map((message) => ({ code: 'USAGE' as const, message })));
  return (record) =>
    conditions.every(({ path, value }) => {
      const found = valueAt(record, path);
      return (typeof found === 'object' ? JSON.stringify(found) : String(found ?? '')) === value;
    });
}
