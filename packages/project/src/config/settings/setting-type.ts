import type { JsonSchema } from '@agent-criteria/core';
import { AUTO, mostRepeats } from './repeats-setting.ts';
import type { Setting, SettingType } from './setting.ts';
import type { SettingName } from './settings-type.ts';
import { hasUnknownMode, splitRecording } from './split-recording.ts';

/** What is wrong, and where. */
export type Mistake = readonly [path: string, message: string];

/** What a type of settings means, wherever its values come from. */
export interface TypeRules {
  /** What it must be, in a config or as an option. */
  expected(setting: Setting): string;
  accepts(value: unknown, setting: Setting): boolean;
  /** For values with parts: the mistakes in them. */
  readonly parts?: ((value: unknown, path: string) => readonly Mistake[]) | undefined;
  /** In a JSON file; absent: only code can set it. */
  readonly schema?: ((setting: Setting) => JsonSchema) | undefined;
  /** As a flag or a variable; absent: neither can set it. */
  readonly text?: TextForm | undefined;
}

export interface TextForm {
  placeholder(setting: Setting): string;
  expected(setting: Setting): string;
  /** The value; `undefined`: it is none. */
  read(written: string, setting: Setting): unknown;
  /** Where one text is several settings: these, with their values. Default: the setting itself, with what was read. */
  readonly spread?: ((read: unknown) => readonly (readonly [SettingName, unknown])[]) | undefined;
}

/** As calls has it, which help need not load. */
const LONGEST_TIMER = 2 ** 31 - 1;

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const leastOf = ({ least = 1 }: Setting): number => least;
const above = (setting: Setting): string => (leastOf(setting) === 1 ? 'above 0' : 'from 0 up');
const quoted = ({ choices = [] }: Setting): string => {
  const names = choices.map((choice) => `"${choice}"`);
  return names.length === 1 ? (names[0] ?? '') : `one of ${names.join(', ')}`;
};
/** What is written as a number is one. */
const numberIn = (written: string): number => (written.trim() === '' ? Number.NaN : Number(written));

const whole: TypeRules = {
  expected: (setting) =>
    `a whole number ${above(setting)}${setting.most === undefined ? '' : `, at most ${setting.most}`}`,
  accepts: (value, setting) =>
    Number.isSafeInteger(value) && Number(value) >= leastOf(setting) && Number(value) <= (setting.most ?? Infinity),
  schema: (setting) => ({
    type: 'integer',
    minimum: leastOf(setting),
    ...(setting.most === undefined ? {} : { maximum: setting.most }),
  }),
  text: {
    placeholder: () => 'N',
    expected: (setting) => whole.expected(setting),
    read: (written, setting) => accepted(whole, numberIn(written), setting),
  },
};

const isCount = (value: unknown, setting: Setting): value is number => whole.accepts(value, setting);

const repeats: TypeRules = {
  expected: (setting) => `${whole.expected(setting)}, or auto:MAX, such as auto:60`,
  accepts: (value, setting) => isCount(value, setting) || isCount(mostRepeats(value), setting),
  schema: (setting) => ({ anyOf: [whole.schema?.(setting) ?? {}, { type: 'string', pattern: AUTO.source }] }),
  text: {
    placeholder: () => 'N|auto[:MAX]',
    expected: (setting) => repeats.expected(setting),
    read(written, setting) {
      const value = written.trim().startsWith('auto') ? written.trim() : numberIn(written);
      return accepted(repeats, value, setting);
    },
  },
};

const amount: TypeRules = {
  expected: () => 'a number of 0 or more',
  accepts: (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
  schema: () => ({ type: 'number', minimum: 0 }),
  text: {
    placeholder: () => 'AMOUNT',
    expected: (setting) => amount.expected(setting),
    read: (written, setting) => accepted(amount, numberIn(written), setting),
  },
};

const duration: TypeRules = {
  expected: () => 'a whole number of milliseconds above 0, at most 25 days',
  accepts: (value) => Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= LONGEST_TIMER,
  schema: () => ({ type: 'integer', minimum: 1, maximum: LONGEST_TIMER }),
  text: {
    placeholder: () => 'SECONDS',
    expected: () => 'a number of seconds above 0, at most 25 days',
    read: (written, setting) => accepted(duration, Math.ceil(numberIn(written) * 1000), setting),
  },
};

const toggle: TypeRules = {
  expected: () => 'true or false',
  accepts: (value) => typeof value === 'boolean',
  schema: () => ({ type: 'boolean' }),
  text: {
    placeholder: () => 'true|false',
    expected: () => 'true or false',
    read: (written) => (written === 'true' ? true : written === 'false' ? false : undefined),
  },
};

const text: TypeRules = {
  expected: () => 'a non-empty string',
  accepts: isText,
  schema: () => ({ type: 'string', minLength: 1 }),
  text: {
    placeholder: ({ placeholder = 'TEXT' }) => placeholder,
    expected: () => 'a non-empty string',
    read: (written, setting) => accepted(text, written, setting),
  },
};

const choice: TypeRules = {
  expected: quoted,
  accepts: (value, { choices = [] }) => choices.some((name) => name === value),
  schema: ({ choices = [] }) => ({ enum: [...choices] }),
  text: {
    placeholder: ({ choices = [], placeholder = choices.join('|') }) => placeholder,
    expected: quoted,
    read: (written, setting) => accepted(choice, written, setting),
  },
};

const pathOf = (what: string): TypeRules => {
  const rules: TypeRules = {
    expected: () => `the path of a ${what}`,
    accepts: isText,
    schema: () => ({ type: 'string', minLength: 1 }),
    text: {
      placeholder: () => what.toUpperCase(),
      expected: () => `the path of a ${what}`,
      read: (written, setting) => accepted(rules, written, setting),
    },
  };
  return rules;
};

const recordingFile: TypeRules = {
  ...pathOf('file'),
  text: {
    placeholder: () => 'FILE[:MODE]',
    expected: () => 'FILE, FILE:MODE or :MODE, where MODE is auto, record, replay or off',
    read: (written) => (isText(written) && written.trim() !== ':' && !hasUnknownMode(written) ? written : undefined),
    spread(read) {
      const { file, mode } = splitRecording(String(read));
      return [
        ...(file === undefined ? [] : [['recording.file', file] as const]),
        ...(mode === undefined ? [] : [['recording.mode', mode] as const]),
      ];
    },
  },
};

const { text: _none, ...recordingMode } = choice;

const folderOrFalse: TypeRules = {
  expected: () => 'the path of a folder, or false',
  accepts: (value) => value === false || isText(value),
  schema: () => ({ anyOf: [{ type: 'string', minLength: 1 }, { const: false }] }),
  text: {
    placeholder: () => 'FOLDER',
    expected: () => 'the path of a folder, or false',
    read: (written, setting) => accepted(folderOrFalse, written === 'false' ? false : written, setting),
  },
};

const plugins: TypeRules = {
  expected: () => 'a list of plugins',
  accepts: Array.isArray,
  parts: (value, path) =>
    each(value, path, (plugin) =>
      isText(plugin) || (isObject(plugin) && typeof plugin.kind === 'string')
        ? null
        : 'a plugin is a value that its package exports, or the name of a package or module',
    ),
  schema: () => ({ type: 'array', items: { type: 'string', minLength: 1 } }),
};

const models: TypeRules = {
  expected: () => 'an object of models by name',
  accepts: isObject,
  parts: (value, path) =>
    each(value, path, (model) =>
      isText(model) ||
      typeof model === 'function' ||
      (isObject(model) && typeof model.id === 'string' && typeof model.generate === 'function')
        ? null
        : 'a model is a value with "id" and "generate", a function from prompt to answer, or a name that a registered provider understands',
    ),
  schema: () => ({ type: 'object', additionalProperties: { type: 'string', minLength: 1 } }),
};

const prices: TypeRules = {
  expected: () => 'an object of prices by model',
  accepts: isObject,
  parts: (value, path) =>
    entriesOf(value).flatMap(([key, own]): readonly Mistake[] => {
      const here = at(path, key);
      if (!isObject(own)) return [[here, `must be an object of prices, not ${shown(own)}`]];
      return each(own, here, (price) =>
        amount.accepts(price, { type: 'amount', description: '' })
          ? null
          : `must be a number of 0 or more, not ${shown(price)}`,
      );
    }),
  schema: () => ({
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: { type: 'number', minimum: 0 } },
  }),
};

const evalConfig: TypeRules = {
  expected: () => 'a config with "criteria", or the path of one',
  accepts: (value) => isObject(value) || isText(value),
  // What is in it is checked when it is read.
  schema: () => ({ anyOf: [{ type: 'string', minLength: 1 }, { type: 'object' }] }),
};

/** Names of variants are checked where they are run: help need not load that. */
const variants: TypeRules = {
  expected: () => 'an object of agents by name',
  accepts: isObject,
  parts: (value, path) =>
    each(value, path, (agent) =>
      isText(agent) ? null : `must be the path or URL of an agent, as AGENT or AGENT#EXPORT, not ${shown(agent)}`,
    ),
  schema: () => ({
    type: 'object',
    minProperties: 1,
    propertyNames: { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' },
    additionalProperties: { type: 'string', minLength: 1 },
  }),
};

const files: TypeRules = {
  expected: () => 'a list of paths of files',
  accepts: Array.isArray,
  parts: (value, path) =>
    each(value, path, (file) => (isText(file) ? null : `must be the path of a file, not ${shown(file)}`)),
  schema: () => ({ type: 'array', items: { type: 'string', minLength: 1 } }),
};

const callable: TypeRules = {
  expected: () => 'a function',
  accepts: (value) => typeof value === 'function',
};

/** The rules of each type. */
export const settingTypes: Readonly<Record<SettingType, TypeRules>> = {
  whole,
  repeats,
  amount,
  duration,
  switch: toggle,
  text,
  choice,
  file: pathOf('file'),
  folder: pathOf('folder'),
  folderOrFalse,
  recordingFile,
  // Its text is that of the file.
  recordingMode,
  plugins,
  models,
  prices,
  evalConfig,
  variants,
  files,
  function: callable,
};

/** Everything wrong with a value of a setting. */
export function mistakesOf(setting: Setting, value: unknown, path: string): readonly Mistake[] {
  const rules = settingTypes[setting.type];
  if (!rules.accepts(value, setting)) return [[path, `must be ${rules.expected(setting)}, not ${shown(value)}`]];
  return rules.parts?.(value, path) ?? [];
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

/** As core has it, which help need not load. */
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function accepted(rules: TypeRules, value: unknown, setting: Setting): unknown {
  return rules.accepts(value, setting) ? value : undefined;
}

function entriesOf(value: unknown): readonly [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

/** One mistake for each part that has one. */
function each(value: unknown, path: string, mistake: (part: unknown) => string | null): readonly Mistake[] {
  const parts: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((part, index) => [`${path}[${index}]`, part] as const)
    : entriesOf(value).map(([key, part]) => [at(path, key), part] as const);
  return parts.flatMap(([where, part]): readonly Mistake[] => {
    const message = part === undefined && !Array.isArray(value) ? null : mistake(part);
    return message === null ? [] : [[where, message]];
  });
}
