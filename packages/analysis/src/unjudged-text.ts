import { counted } from '@agent-criteria/core/host';

/** Says that cases lack a score on either side of a comparison, or in some of their repeats. */
export function unjudgedText(cases: number): string {
  return `${counted(cases, 'case')} could not be judged in full`;
}
