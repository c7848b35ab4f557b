import type { JsonSchema } from '@agent-criteria/core';
import { AUTO } from './repeats-setting.ts';
import type { Setting, SettingType } from './setting.ts';

// This table imports nothing that is slow to load, because help is generated from it.

/** The rules for one type of setting, which apply to values from every source. */
export interface TypeRules {
  /** Describes a valid value in a config or an option. */
  expected(setting: Setting): string;
  /** The schema for its values in a JSON file. Absent if only code can set it. */
  readonly schema?: ((setting: Setting) => JsonSchema) | undefined;
  /** Additional schema rules, for editors only. */
  readonly inEditors?: JsonSchema | undefined;
  /** Messages about parts of a value, by depth. Default: the message about the whole value. */
  readonly parts?: readonly ((shown: string) => string)[] | undefined;
  /** Whether code may set a part to this value, in addition to what the schema allows. */
  readonly inCode?: ((part: unknown) => boolean) | undefined;
  /** Its text form in a flag or a variable. Absent if neither can set it. */
  readonly text?:
    | {
        placeholder(setting: Setting): string;
        /** Describes valid text. Default: the description of a valid value in a config. */
        readonly expected?: string | undefined;
      }
    | undefined;
}

/** The longest timeout that Node.js supports, which also limits calls. */
const LONGEST = 2 ** 31 - 1;
/** The smallest number accepted as bare milliseconds. Smaller ones were probably meant as seconds. */
export const LEAST_BARE = 1000;
const TEXT: JsonSchema = { type: 'string', pattern: '\\S' };

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

const objectOf = (what: string, values: JsonSchema, ...parts: NonNullable<TypeRules['parts']>): TypeRules => ({
  expected: () => `an object of ${what}`,
  schema: () => ({ type: 'object', additionalProperties: values }),
  parts,
});

const listOf = (what: string, ...parts: NonNullable<TypeRules['parts']>): TypeRules => ({
  expected: () => `a list of ${what}`,
  schema: () => ({ type: 'array', items: TEXT }),
  parts,
});

/** Gives access to the fields of any value. A primitive has none. */
const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => Object(value);

/** The rules by type. */
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
  // Set through the text of the recording's file.
  recordingMode: { ...choice, text: undefined },
  plugins: {
    ...listOf('plugins', () => 'a plugin is a value that its package exports, or the name of a package or module'),
    inCode: (plugin) => typeof fieldsOf(plugin).kind === 'string',
  },
  models: {
    ...objectOf(
      'models by name',
      TEXT,
      () =>
        'a model is a value with "id" and "generate", a function from prompt to answer, or a name that a registered provider understands',
    ),
    inCode(model) {
      const { id, generate } = fieldsOf(model);
      return typeof model === 'function' || (typeof id === 'string' && typeof generate === 'function');
    },
  },
  prices: objectOf(
    'prices by model',
    { type: 'object', additionalProperties: { type: 'number', minimum: 0 } },
    (shown) => `must be an object of prices, not ${shown}`,
    (shown) => `must be a number of 0 or more, not ${shown}`,
  ),
  // Its content is checked when it is read.
  evalConfig: {
    expected: () => 'a config with "criteria", or the path of one',
    schema: () => ({ anyOf: [TEXT, { type: 'object' }] }),
  },
  variants: {
    ...objectOf(
      'agents by name',
      TEXT,
      (shown) => `must be the path or URL of an agent, as AGENT or AGENT#EXPORT, not ${shown}`,
    ),
    // `parseVariants` checks the names, with better messages.
    inEditors: { minProperties: 1, propertyNames: { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' } },
  },
  files: listOf('paths of files', (shown) => `must be the path of a file, not ${shown}`),
  function: { expected: () => 'a function' },
};
