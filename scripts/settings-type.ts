import { type Setting, settingNames, settings, settingTypes } from '@agent-criteria/project/config';

const FILE_HEAD = `// Written by \`pnpm reference\` from settings.ts: change that, not this file.

import type { Duration } from '@agent-criteria/calls';
import type { Json, LanguageModel, ModelFunction, Plugin } from '@agent-criteria/core';
import type { EvalConfigSource } from '@agent-criteria/core/eval-set';
import type { Prices } from '@agent-criteria/results';
`;

/** Returns the type of all settings, generated from their list. */
export function settingsType(): string {
  const groups = new Map<string, string[]>();
  for (const name of settingNames) {
    const key = name.split('.')[0] ?? name;
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  const fields = [...groups].map(([key, names]) => {
    if (names.length === 1 && names[0] === key) return field(key, key, '  ');
    const inner = names.map((name) => field(name, name.slice(key.length + 1), '    ')).join('\n');
    return `  readonly ${key}?:\n    | {\n${inner.replaceAll(/^/gm, '    ')}\n      }\n    | undefined;`;
  });
  const textNames = settingNames.filter((name) => settingTypes[settings[name].type].text !== undefined);
  return `${FILE_HEAD}
/** The name of a setting. */
export type SettingName =
${union(settingNames)}

/** The name of a setting that a flag or a variable can set. */
export type TextSettingName =
${union(textNames)}

/** Settings, each as a value: of a config, of flags, of options. */
export interface Settings {
${fields.join('\n')}
}
`;
}

function field(name: string, key: string, margin: string): string {
  const setting = settings[name as keyof typeof settings];
  const unit = setting.type === 'duration' ? ', such as `"5m"`; a bare number is in milliseconds' : '';
  const { description, default: value, without } = setting;
  const standard =
    value === undefined
      ? without
      : setting.type === 'duration'
        ? `\`"${Number(value) / 1000}s"\``
        : typeof value === 'number'
          ? value.toLocaleString('en-US')
          : `\`${value}\``;
  const text = `${description[0]?.toUpperCase()}${description.slice(1)}${unit}. Default: ${standard}.`;
  return `${comment(text, margin)}\n${margin}readonly ${key}?: ${typeOf(setting)} | undefined;`;
}

function comment(text: string, margin: string): string {
  const single = `${margin}/** ${text} */`;
  if (single.length <= 120) return single;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && margin.length + 4 + line.length + word.length > 118) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return `${margin}/**\n${[...lines, line].map((one) => `${margin} * ${one}\n`).join('')}${margin} */`;
}

function typeOf({ type, choices = [] }: Setting): string {
  switch (type) {
    case 'whole':
    case 'amount':
      return 'number';
    case 'duration':
      return 'Duration';
    case 'repeats':
      return `number | 'auto' | \`auto:\${number}\``;
    case 'text':
    case 'file':
    case 'recordingFile':
    case 'folder':
      return 'string';
    case 'switch':
      return 'boolean';
    case 'choice':
    case 'recordingMode':
      return choices.map((choice) => `'${choice}'`).join(' | ');
    case 'folderOrFalse':
      return 'false | string';
    case 'plugins':
      return 'readonly (string | Plugin)[]';
    case 'models':
      return 'Readonly<Record<string, LanguageModel | ModelFunction | string>>';
    case 'files':
      return 'readonly string[]';
    case 'variants':
      return 'Readonly<Record<string, string>>';
    case 'prices':
      return 'Prices';
    case 'evalConfig':
      return 'string | EvalConfigSource';
    case 'function':
      return "((value: Json, kind: 'case' | 'inference' | 'scores' | 'call') => Json)";
  }
}

function union(names: readonly string[]): string {
  return `${names.map((name) => `  | '${name}'`).join('\n')};`;
}
