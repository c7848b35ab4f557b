import { settings } from './settings.ts';
import type { SettingName } from './settings-type.ts';

/** Returns the flag for a setting, without its dashes: `concurrency.agents` -> `concurrency_agents`. */
export function flagOf(name: SettingName): string {
  const { textName = name } = settings[name];
  return textName.replaceAll('.', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the variable for a setting: `concurrency.agents` -> `AGENT_CRITERIA_CONCURRENCY_AGENTS`. */
export function variableOf(name: SettingName): string {
  return `AGENT_CRITERIA_${flagOf(name).toUpperCase()}`;
}
