import { CriteriaError, didYouMean, type Problem } from '@agent-criteria/core';
import { expectedText, settingsOfText } from './setting-texts.ts';
import { settingTypes } from './setting-type.ts';
import { settingsFrom } from './setting-values.ts';
import { settingNames, settings } from './settings.ts';
import type { SettingName, Settings } from './settings-type.ts';
import { variableOf } from './text-names.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = 'AGENT_CRITERIA_';
const RECORDING = `${PREFIX}RECORDING_`;
const variables = new Map(
  settingNames.filter((name) => settingTypes[settings[name].type].text).map((name) => [variableOf(name), name]),
);

/** Whether a variable sets one of our settings. Ignores case, as Windows does. */
export function isSettingVariable(name: string): boolean {
  return variables.has(name.toUpperCase());
}

export interface EnvironmentSettings {
  readonly settings: Settings;
  /** Warnings about names that look misspelt. */
  readonly warnings: readonly Problem[];
}

/**
 * Reads the settings from variables such as `AGENT_CRITERIA_JUDGE_MODEL`. An empty variable sets nothing, because CI
 * systems pass missing variables as empty ones.
 *
 * @throws CriteriaError INVALID_CONFIG with every invalid variable.
 */
export function environmentSettings(environment: Environment): EnvironmentSettings {
  const found: (readonly [SettingName, unknown])[] = [];
  const problems: Problem[] = [];
  for (const [variable, name] of variables) {
    const written = environment[variable];
    if (written === undefined || written.trim() === '') continue;
    const values = settingsOfText(name, written);
    if (values !== undefined) found.push(...values);
    else {
      const message = `the variable ${variable} must be ${expectedText(settings[name])}, not ${JSON.stringify(written)}`;
      problems.push({ code: 'INVALID_CONFIG', message });
    }
  }
  if (problems.length > 0) throw new CriteriaError(problems);
  return { settings: settingsFrom(found), warnings: slips(environment) };
}

function slips(environment: Environment): Problem[] {
  return Object.keys(environment).flatMap((name) => {
    if (!name.startsWith(PREFIX) || variables.has(name)) return [];
    if (name.startsWith(RECORDING)) {
      const message = `the variable ${name} is not a setting; write ${RECORDING.slice(0, -1)}=FILE:MODE`;
      return [{ code: 'UNKNOWN_KEY', message }];
    }
    const hint = didYouMean(name, [...variables.keys()]);
    return hint === '' ? [] : [{ code: 'UNKNOWN_KEY', message: `the variable ${name} is not a setting${hint}` }];
  });
}
