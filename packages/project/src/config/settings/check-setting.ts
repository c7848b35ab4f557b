import { LONGEST_TIMER, toMilliseconds } from '@agent-criteria/calls';
import { isObject } from '@agent-criteria/formats';
import { mostRepeats } from './repeats-setting.ts';
import type { Setting, SettingType } from './setting.ts';
import { LEAST_BARE, settingTypes } from './setting-type.ts';

/** What is wrong, and where. */
export type Mistake = readonly [path: string, message: string];

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const isAmount = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isCount = (value: unknown, { least = 1, most = Number.POSITIVE_INFINITY }: Setting): boolean =>
  Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
const isChoice = (value: unknown, { choices = [] }: Setting): boolean => choices.some((name) => name === value);
const isPathOrFalse = (value: unknown): boolean => value === false || isText(value);
const isConfig = (value: unknown): boolean => isObject(value) || isText(value);

function isDuration(value: unknown): boolean {
  if (typeof value !== 'number' && typeof value !== 'string') return false;
  const milliseconds = toMilliseconds(value);
  return Number.isSafeInteger(milliseconds) && milliseconds > 0 && milliseconds <= LONGEST_TIMER;
}

const fits: Readonly<Record<SettingType, (value: unknown, setting: Setting) => boolean>> = {
  whole: isCount,
  repeats: (value, setting) => isCount(value, setting) || isCount(mostRepeats(value), setting),
  amount: isAmount,
  duration: isDuration,
  switch: (value) => typeof value === 'boolean',
  text: isText,
  choice: isChoice,
  file: isText,
  folder: isText,
  folderOrFalse: isPathOrFalse,
  recordingFile: isText,
  recordingMode: isChoice,
  plugins: Array.isArray,
  models: isObject,
  prices: isObject,
  evalConfig: isConfig,
  variants: isObject,
  files: Array.isArray,
  function: (value) => typeof value === 'function',
};

/** What is wrong with a part of a value: an item of a list, or a value of an object. */
const wrongPart: { readonly [Type in SettingType]?: (part: unknown) => string | null } = {
  plugins: (plugin) =>
    isText(plugin) || (isObject(plugin) && typeof plugin.kind === 'string')
      ? null
      : 'a plugin is a value that its package exports, or the name of a package or module',
  models: (model) =>
    isText(model) ||
    typeof model === 'function' ||
    (isObject(model) && typeof model.id === 'string' && typeof model.generate === 'function')
      ? null
      : 'a model is a value with "id" and "generate", a function from prompt to answer, or a name that a registered provider understands',
  variants: (agent) =>
    isText(agent) ? null : `must be the path or URL of an agent, as AGENT or AGENT#EXPORT, not ${shown(agent)}`,
  files: (file) => (isText(file) ? null : `must be the path of a file, not ${shown(file)}`),
};

const wrongPrice = (price: unknown): string | null =>
  isAmount(price) ? null : `must be a number of 0 or more, not ${shown(price)}`;

/** Whether a value is one of the setting's type, apart from the parts that it may have. */
export function fitsSetting(setting: Setting, value: unknown): boolean {
  return fits[setting.type](value, setting);
}

/** Everything wrong with a value of a setting. */
export function mistakesOf(setting: Setting, value: unknown, path: string): readonly Mistake[] {
  const { type } = setting;
  if (!fitsSetting(setting, value)) {
    return [[path, `must be ${settingTypes[type].expected(setting)}, not ${shown(value)}`]];
  }
  if (type === 'duration' && typeof value === 'number' && value < LEAST_BARE) {
    return [[path, `needs a unit: a bare number is in milliseconds; write "${value}s" or "${value}ms"`]];
  }
  if (type === 'prices') {
    return Object.entries(value as object).flatMap(([model, prices]): readonly Mistake[] => {
      const here = at(path, model);
      return isObject(prices)
        ? each(prices, here, wrongPrice)
        : [[here, `must be an object of prices, not ${shown(prices)}`]];
    });
  }
  const wrong = wrongPart[type];
  return wrong === undefined ? [] : each(value, path, wrong);
}

/** The path of a key, as `$.prices["own-1"]`. */
export function at(path: string, key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined)
    return String(value);
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`.replace('a object', 'an object');
}

/** One mistake for each part that has one. */
function each(value: unknown, path: string, mistake: (part: unknown) => string | null): readonly Mistake[] {
  const parts: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((part, index) => [`${path}[${index}]`, part] as const)
    : Object.entries(value as object).map(([key, part]) => [at(path, key), part] as const);
  return parts.flatMap(([where, part]): readonly Mistake[] => {
    const message = part === undefined && !Array.isArray(value) ? null : mistake(part);
    return message === null ? [] : [[where, message]];
  });
}
