import type { Problem } from '@agent-criteria/core';
import { counted } from '@agent-criteria/core/host';
import type { RunCase } from '@agent-criteria/results';
import { safe } from './terminal.ts';

/** The maximum number of different warnings listed. */
const WARNINGS_SHOWN = 50;
/** The maximum number of cases named in a warning. */
const CASES_NAMED = 3;

/**
 * Collects criteria's warnings. Each warning is listed once with its cases, and each case once, however many variants
 * it has.
 */
export function caseWarnings() {
  const seen = new Map<string, { readonly ids: string[]; count: number; last: string }>();
  let left = 0;
  return {
    add({ result }: RunCase): void {
      for (const { name, warnings } of result.criteria) {
        for (const warning of warnings) {
          const text = `${name}: ${warning}`;
          const found = seen.get(text);
          if (found !== undefined) {
            // A case's variants are consecutive.
            if (found.last === result.caseId) continue;
            found.count += 1;
            found.last = result.caseId;
            if (found.ids.length < CASES_NAMED) found.ids.push(safe(result.caseId));
          } else if (seen.size < WARNINGS_SHOWN)
            seen.set(text, { ids: [safe(result.caseId)], count: 1, last: result.caseId });
          else left += 1;
        }
      }
    },
    list(): readonly Problem[] {
      const lines = [...seen].map(([text, { ids, count }]) => {
        const more = count > ids.length ? ` and ${count - ids.length} more` : '';
        return `${text} (${ids.join(', ')}${more})`;
      });
      if (left > 0) lines.push(`… and ${counted(left, 'more warning')} of criteria`);
      return lines.map((message) => ({ code: 'INVALID_DATA', message }));
    },
  };
}
