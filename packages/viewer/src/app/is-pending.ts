import type { Pending } from '../page-data.ts';
import type { AnyVerdict } from './route.ts';

/** Whether a case has no verdict yet. */
export function isPending(verdict: AnyVerdict | undefined): verdict is Pending {
  return verdict === 'waiting' || verdict === 'running';
}
