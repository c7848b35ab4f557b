import type { JsonSchema } from '@agent-criteria/core';
import { AUTO } from './repeats-setting.ts';
import type { Setting, SettingType } from './setting.ts';

// Nothing is imported here that takes time to load: help is made from this table.

/** What a type of settings means, wherever its values come from. */
export interface TypeRules {
  /** What a value must be, in a config or as an option. */
  expected(setting: Setting): string;
  /** In a JSON file; absent: only code can set it. */
  readonly schema?: ((setting: Setting) => JsonSchema) | undefined;
  /** As a flag or a variable; absent: neither can set it. */
  readonly text?:
    | {
        placeholder(setting: Setting): string;
        /** Default: as in a config. */
        readonly expected?: string | undefined;
      }
    | undefined;
}

/** The longest time of a timer in Node.js, as in calls. */
const LONGEST = 2 ** 31 - 1;
/** The least bare number of milliseconds: below it, seconds were meant. */
export const LEAST_BARE = 1000;
const TEXT: JsonSchema = { type: 'string', minLength: 1 };

const leastOf = ({ least = 1 }: Setting): number => least;
const above = (setting: Setting): string => (leastOf(setting) === 1 ? 'above 0' : 'from 0 up');
const quoted = ({ choices = [] }: Setting): string => {
  const names = choices.map((choice) => `"${choice}"`);
  return names.length === 1 ? (names[0] ?? '') : `one of ${names.join(', ')}`;
};

const whole = {
  expected: (setting) =>
    `a whole number ${above(setting)}${setting.most === undefined ? '' : `, at most ${setting.most}`}`,
  schema: (setting) => ({
    type: 'integer',
    minimum: leastOf(setting),
    ...(setting.most === undefined ? {} : { maximum: setting.most }),
  }),
  text: { placeholder: () => 'N' },
} as const satisfies TypeRules;

const choice = {
  expected: quoted,
  schema: ({ choices = [] }) => ({ enum: [...choices] }),
  text: { placeholder: ({ choices = [], placeholder = choices.join('|') }) => placeholder },
} as const satisfies TypeRules;

const pathOf = (what: string, placeholder = what.toUpperCase(), expected?: string): TypeRules => ({
  expected: () => `the path of a ${what}`,
  schema: () => TEXT,
  text: { placeholder: () => placeholder, expected },
});

const objectOf = (what: string, values: JsonSchema, more: JsonSchema = {}): TypeRules => ({
  expected: () => `an object of ${what}`,
  schema: () => ({ type: 'object', ...more, additionalProperties: values }),
});

const listOf = (what: string): TypeRules => ({
  expected: () => `a list of ${what}`,
  schema: () => ({ type: 'array', items: TEXT }),
});

/** The rules of each type. */
export const settingTypes: Readonly<Record<SettingType, TypeRules>> = {
  whole,
  repeats: {
    expected: (setting) => `${whole.expected(setting)}, or auto:MAX, such as auto:60`,
    schema: (setting) => ({ anyOf: [whole.schema(setting), { type: 'string', pattern: AUTO.source }] }),
    text: { placeholder: () => 'N|auto[:MAX]' },
  },
  amount: {
    expected: () => 'a number of 0 or more',
    schema: () => ({ type: 'number', minimum: 0 }),
    text: { placeholder: () => 'AMOUNT' },
  },
  duration: {
    expected: () => 'a duration such as "300s", "5m" or "500ms", at most 25 days',
    schema: () => ({
      anyOf: [
        { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?(ms|s|m|h)$' },
        { type: 'integer', minimum: LEAST_BARE, maximum: LONGEST },
      ],
    }),
    text: {
      placeholder: () => 'DURATION',
      expected: 'a number of seconds above 0, or a duration such as 5m or 500ms, at most 25 days',
    },
  },
  switch: {
    expected: () => 'true or false',
    schema: () => ({ type: 'boolean' }),
    text: { placeholder: () => 'true|false' },
  },
  text: {
    expected: () => 'a non-empty string',
    schema: () => TEXT,
    text: { placeholder: ({ placeholder = 'TEXT' }) => placeholder },
  },
  choice,
  file: pathOf('file'),
  folder: pathOf('folder'),
  folderOrFalse: {
    expected: () => 'the path of a folder, or false',
    schema: () => ({ anyOf: [TEXT, { const: false }] }),
    text: { placeholder: () => 'FOLDER' },
  },
  recordingFile: pathOf('file', 'FILE[:MODE]', 'FILE, FILE:MODE or :MODE, where MODE is auto, record, replay or off'),
  // Its text is that of the file.
  recordingMode: { ...choice, text: undefined },
  plugins: listOf('plugins'),
  models: objectOf('models by name', TEXT),
  prices: objectOf('prices by model', { type: 'object', additionalProperties: { type: 'number', minimum: 0 } }),
  // What is in it is checked when it is read.
  evalConfig: {
    expected: () => 'a config with "criteria", or the path of one',
    schema: () => ({ anyOf: [TEXT, { type: 'object' }] }),
  },
  // Names of variants are checked where they are run.
  variants: objectOf('agents by name', TEXT, {
    minProperties: 1,
    propertyNames: { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' },
  }),
  files: listOf('paths of files'),
  function: { expected: () => 'a function' },
};
