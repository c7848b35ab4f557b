import { counted } from '@agent-criteria/core/host';
import type { RunRecord } from '../run-record.ts';

/**
 * Describes a run's selection: `12 of 40 cases, selected by --tag smoke`. Returns `null` if all cases were selected.
 */
export function selectionText({ info, summary }: Pick<RunRecord, 'info' | 'summary'>): string | null {
  const { selection } = info;
  if (selection === undefined) return null;
  const { of, by } = selection;
  const shown = by.slice(0, 5).join(' ') + (by.length > 5 ? ` and ${by.length - 5} more` : '');
  return `${summary.total} of ${counted(of, 'case')}, selected by ${shown}`;
}
