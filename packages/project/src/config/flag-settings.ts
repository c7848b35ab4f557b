import { CriteriaError, type Problem } from '@agent-criteria/core';
import { flagMeanings } from './setting-flags.ts';
import { expectedText, settingsOfText } from './settings/setting-texts.ts';
import { settingsFrom } from './settings/setting-values.ts';
import { settings } from './settings/settings.ts';
import type { SettingName, Settings } from './settings/settings-type.ts';

/**
 * Reads the settings given as flags. Ignores other flags.
 * @throws CriteriaError USAGE with every invalid value, and for flags that contradict each other.
 */
export function settingsOfFlags(flags: Readonly<Record<string, unknown>>): Settings {
  const found = new Map<SettingName, { readonly flag: string; readonly value: unknown }>();
  const problems: Problem[] = [];
  const set = (name: SettingName, flag: string, value: unknown): void => {
    const before = found.get(name);
    if (before === undefined) found.set(name, { flag, value });
    else if (before.value !== value) {
      const message = `${shown(before.flag)} and ${shown(flag)} contradict each other: use only one of them`;
      if (!problems.some((problem) => problem.message === message)) problems.push({ code: 'USAGE', message });
    }
  };
  for (const [flag, { takes, sets }] of flagMeanings) {
    const written = flags[flag];
    if (written === undefined || written === false) continue;
    for (const [name, value] of Object.entries(sets)) set(name as SettingName, flag, value);
    if (takes === null) continue;
    const values = settingsOfText(takes, String(written));
    if (values !== undefined) for (const [name, value] of values) set(name, flag, value);
    else {
      const message = `${shown(flag)} must be ${expectedText(settings[takes])}, not ${JSON.stringify(written)}`;
      problems.push({ code: 'USAGE', message });
    }
  }
  if (problems.length > 0) throw new CriteriaError(problems);
  return settingsFrom([...found].map(([name, { value }]) => [name, value]));
}

/** Formats a flag as help shows it. */
function shown(flag: string): string {
  return `--${flag.replaceAll('_', '-')}`;
}
