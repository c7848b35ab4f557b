import { flagOf, type Setting, settingNames, settings, settingTypes, variableOf } from '@agent-criteria/project/config';
import { alignedTable, code } from './markdown-table.ts';

const BEGIN = '<!-- Written by `pnpm reference` from the list of settings: change that, not this table. -->';
const END = '<!-- End of the table. -->';

/** Returns a page with its table of all settings updated. */
export function withSettingsSection(page: string): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`the page has no place for the settings: ${BEGIN}`);
  return `${before}${BEGIN}\n\n${settingsTable()}\n\n${END}${after}`;
}

function settingsTable(): string {
  const rows = settingNames.map((name) => {
    const setting = settings[name];
    const { text } = settingTypes[setting.type];
    // A setting that is described as part of another one.
    const part = setting.textName === undefined ? '-' : `part of ${code(shown(name))}`;
    const flag = text === undefined ? part : code(`${shown(name)} ${text.placeholder(setting)}`);
    const variable = text === undefined ? '-' : code(variableOf(name));
    return [code(name), setting.description, defaultOf(setting), flag, variable];
  });
  return alignedTable(['key', 'meaning', 'default', 'flag', 'variable'], rows);
}

function shown(name: (typeof settingNames)[number]): string {
  return `--${flagOf(name).replaceAll('_', '-')}`;
}

function defaultOf({ type, default: value, without }: Setting): string {
  if (type === 'duration' && value !== undefined) return code(`"${Number(value) / 1000}s"`);
  if (value === undefined) return without ?? '';
  return typeof value === 'number' ? value.toLocaleString('en-US') : code(String(value));
}
