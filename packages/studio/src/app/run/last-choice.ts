import { isObject } from '@agent-criteria/formats';
import type { AskedMetric } from '../../api.ts';
import type { Fields } from '../spelling.ts';
import { store, stored } from '../store.ts';

/** The choices made in this browser for the last run of a set. */
export interface LastChoice {
  readonly metrics: readonly AskedMetric[];
  readonly simulator: Fields;
}

export function keepLastChoice(app: string, set: string, choice: LastChoice): void {
  store(nameOf(app, set), JSON.stringify(choice));
}

export function lastChoice(app: string, set: string): LastChoice | null {
  try {
    const found: unknown = JSON.parse(stored(nameOf(app, set)) ?? 'null');
    if (!isObject(found) || !Array.isArray(found.metrics) || !isObject(found.simulator)) return null;
    return found.metrics.every((one) => isObject(one) && typeof one.metricName === 'string')
      ? { metrics: found.metrics as AskedMetric[], simulator: found.simulator }
      : null;
  } catch {
    return null;
  }
}

function nameOf(app: string, set: string): string {
  return `run.${encodeURIComponent(app)}.${encodeURIComponent(set)}`;
}
