import type { RunCase } from '@agent-criteria/results';
import { count, visible } from './format.ts';

/** Which criteria decided; why they did stands beside each. */
export function whyOf({ result: { verdict, reason, criteria } }: RunCase): string {
  if (verdict === 'passed') return 'Every deciding criterion passed.';
  const decisive = criteria.filter((criterion) => criterion.verdict === verdict).map(({ name }) => visible(name));
  if (decisive.length === 0 || verdict === 'informational') return reason ?? '';
  return `${decisive.length} of ${count(criteria.length, 'criterion', 'criteria')}: ${decisive.join(', ')}`;
}
