import { counted } from '@agent-criteria/core/host';
import type { Estimate } from '../estimate.ts';

/** `40 cases`, `100 cases in 10 groups`. */
export function casesText({ cases, groups }: Pick<Estimate, 'cases' | 'groups'>): string {
  const together = groups === null || groups === cases ? '' : ` in ${counted(groups, 'group')}`;
  return `${counted(cases, 'case')}${together}`;
}

/** Says that cases lack a score in either run of a comparison, or in some of their repeats. */
export function unjudgedText(cases: number): string {
  return `${counted(cases, 'case')} could not be judged in full`;
}

/** Lists names up to a maximum: `a, b and 3 more`. */
export function nameList<T>(all: readonly T[], most: number, name: (one: T) => string): string {
  const shown = all.slice(0, most).map(name).join(', ');
  return all.length > most ? `${shown} and ${all.length - most} more` : shown;
}
