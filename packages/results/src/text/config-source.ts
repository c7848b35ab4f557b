import { DEFAULT_CRITERIA } from '@agent-criteria/core/host';
import { namedCriteria } from '../named-criteria.ts';
import type { RunSet } from '../run-record.ts';

/**
 * Describes where a set's criteria come from: a file, or ADK's defaults. Returns `null` for a config without a file.
 */
export function configSource(set: Pick<RunSet, 'file' | 'configFile' | 'criteria'>): string | null {
  const { file, configFile } = set;
  if (configFile !== null) return configFile;
  const criteria = namedCriteria(set);
  const defaults = Object.entries(DEFAULT_CRITERIA);
  const isDefault =
    criteria.length === defaults.length &&
    criteria.every(({ name, written }, index) => name === defaults[index]?.[0] && written === defaults[index]?.[1]);
  if (!isDefault) return null;
  return file === null ? "ADK's defaults" : "ADK's defaults: there is no test_config.json next to the eval set";
}
