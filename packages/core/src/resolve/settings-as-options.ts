import { type CriterionConfig, isObject } from '@agent-criteria/formats';
import { fieldOf } from '@agent-criteria/formats/schema';
import type { Criterion } from '../contracts/criterion.ts';

/** In the JSON Schema of an option: the setting of the run that it takes where the config does not name it. */
export const SETTING = 'x-setting';

/** The entry of a criterion, with the settings that it takes as options. What the entry itself has stays. */
export function withSettingsAsOptions(
  criterion: Criterion,
  entry: number | CriterionConfig,
  settings: Readonly<Record<string, unknown>> = {},
): number | CriterionConfig {
  const { properties } = criterion.options.jsonSchema;
  const own = typeof entry === 'number' ? { threshold: entry } : entry;
  const taken = Object.entries(isObject(properties) ? properties : {}).flatMap(
    ([option, schema]): [string, unknown][] => {
      const setting = isObject(schema) ? schema[SETTING] : undefined;
      if (typeof setting !== 'string' || !Object.hasOwn(settings, setting) || settings[setting] === undefined)
        return [];
      const isWritten = [own, own.agentCriteria].some((written) => fieldOf(written, option) !== undefined);
      return isWritten ? [] : [[option, settings[setting]]];
    },
  );
  return taken.length === 0 ? entry : { ...own, ...Object.fromEntries(taken) };
}
