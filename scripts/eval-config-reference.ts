import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Criterion, JsonSchema } from '@agent-criteria/core';
import { knownCriteria } from '../packages/runner/src/advice/known-plugins.ts';
import { code, table } from './markdown-table.ts';

const root = new URL('..', import.meta.url);

const NEEDS: Readonly<Record<string, string>> = {
  response: 'an expected answer (`final_response`)',
  tools: 'a fixed conversation; a turn without listed calls expects none',
  either: 'an expected answer or expected tool calls',
};

/** The page of everything that can stand in an EvalConfig, made from the schemas of core and of the criteria there are. */
export async function evalConfigReference(): Promise<string> {
  const schema = JSON.parse(readFileSync(new URL('packages/core/schemas/eval-config.schema.json', root), 'utf8'));
  const criteria = await ourCriteria();
  const released = new Set(criteria.map(({ name }) => name));
  const later = knownCriteria.filter(({ name }) => !released.has(name));
  return `# EvalConfig reference

Written by \`pnpm reference\` from the schemas that the code checks with: change those, not this page.

An EvalConfig says what a run is judged by. The file is \`test_config.json\` beside the eval set, or any file named with
\`--config_file_path\`; in TypeScript it is what \`defineEvalConfig\` checks. Where neither is there, the only \`*config*.json\` beside
the set whose \`criteria\` is an object is taken (ADK's samples call it \`eval_config.json\`), then the project's config, then the only
such file in the folder above (Google's templates have \`tests/eval/eval_config.json\` over \`tests/eval/evalsets\`). Of several none is
taken, and a warning names them. Keys may be written in snake_case or camelCase.
An unknown key is an error, found before anything runs. Comments and trailing commas are read with a warning, because
Python reads neither. Keys that begin with \`_\`, and \`description\`, are comments, left out with a warning as in ADK.
An editor completes and checks the file when it begins with
\`"$schema": "./node_modules/@agent-criteria/cli/schemas/eval-config.schema.json"\`.

\`\`\`json eval-config
{
  "criteria": {
    "tool_trajectory_avg_score": 1.0,
    "response_match_score": { "threshold": 0.7, "language": "en" }
  }
}
\`\`\`

Without a config, ADK's defaults stand, except for one that fits no case: ${knownCriteria
    .filter((known) => known.defaultThreshold !== undefined)
    .map((known) => `${code(known.name)} ${known.defaultThreshold?.toFixed(1)}`)
    .join(' and ')}.

## The file

${table(['key', 'type', 'meaning'], rowsOf(schema))}

A criterion's entry is a number, its threshold, or an object: the threshold, what every criterion takes, and options of its own.

## What every criterion takes

${table(['key', 'type', 'meaning'], rowsOf(schema.$defs.CriterionConfig))}

Options of a criterion can also be written for one case, under \`agent_criteria\` of that case: see the
[eval set reference](eval-set-reference.md#evalcase).

${criteria.map(section).join('\n\n')}
${later.length === 0 ? '' : notYetReleased(later)}`;
}

function notYetReleased(later: typeof knownCriteria): string {
  return `
## Not yet released

These names are known and explained, and a config that has one is refused with the package it will come from.

${table(
  ['criterion', 'what a good score means', 'range', 'needs', 'package'],
  later.map((known) => [
    code(known.name),
    known.description,
    known.range,
    known.needsRubrics ? 'rubrics' : known.referenceBased ? 'a reference' : '-',
    code(known.package),
  ]),
)}
`;
}

/** The properties of an object in the spelling of files. */
function rowsOf(schema: JsonSchema): string[][] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return properties
    .filter(([key]) => key === toSnake(key))
    .map(([key, property]) => {
      if (property.description === undefined)
        throw new Error(`nothing is said of ${key}: describe it in core's models.ts`);
      return [code(key), typeOf(property), String(property.description)];
    });
}

/** Every criterion of our packages, in the order in which they are listed. */
async function ourCriteria(): Promise<readonly Criterion[]> {
  const found: Criterion[] = [];
  for (const folder of readdirSync(new URL('packages', root)).toSorted()) {
    const entry = new URL(`packages/${folder}/src/pure.ts`, root);
    if (!existsSync(entry)) continue;
    const module: Record<string, unknown> = await import(entry.href);
    found.push(...Object.values(module).filter(isCriterion));
  }
  const order = knownCriteria.map(({ name }) => name);
  return found.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}

function isCriterion(value: unknown): value is Criterion {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'criterion';
}

function section(criterion: Criterion): string {
  const { name, description, range, needs, origin, options } = criterion;
  const ofOptions = criterion.unmetNeed !== undefined;
  const folder = origin.package.replace('@agent-criteria/', '');
  const properties = Object.entries((options.jsonSchema.properties ?? {}) as Record<string, JsonSchema>);
  const threshold = knownCriteria.find((known) => known.name === name)?.defaultThreshold ?? range.max ?? range.min;
  const defaults = properties.flatMap(([key, { default: value }]) =>
    value === undefined ? [] : [[toSnake(key), key === 'rubrics' ? EXAMPLE_RUBRICS : inSnake(value)]],
  );
  const own = EXAMPLES[name];
  const example = { criteria: { [name]: { threshold, ...Object.fromEntries(defaults), ...own } } };
  const rows = optionRows(properties);
  return `## ${name}

${description} From [\`${origin.package}\`](../../packages/${folder}).

- Score: ${range.min} to ${range.max ?? 'infinity'}, ${range.better} is better${criterion.decides ? '' : '; it only measures'}.
- Scored once for each ${criterion.scope}.
- Needs ${[
    ...(needs?.reference === undefined ? [] : [NEEDS[needs.reference]]),
    ...(needs?.rubrics === undefined ? [] : [`rubrics of the type \`${needs.rubrics.type}\`, or rubrics of its own`]),
    ...(needs?.scenario === true ? ['a conversation that a simulated user leads'] : []),
    ...(needs?.finalState === true ? ['an expected final session state'] : []),
    ...(ofOptions ? ['something to check, in its options or in those of the case'] : []),
    ...(!ofOptions && (needs === undefined || Object.keys(needs).length === 0) ? ['nothing of the case'] : []),
  ].join(', ')}.

${rows.length === 0 ? 'It has no options of its own.' : table(['option', 'type', 'default', 'meaning'], rows)}

${own === undefined ? 'With every option at its default:' : 'For example:'}

\`\`\`json eval-config
${JSON.stringify(example, null, 2)}
\`\`\``;
}

/** Of criteria that are refused until they are told what to check. */
const EXAMPLES: Readonly<Record<string, object>> = {
  response_checks: {
    contains: 'refund',
    excludes: ['as an AI'],
    max_words: 80,
    turns: { last: { matches: 'ORD-[0-9]+' } },
  },
  tool_checks: { called: 'refund_order', never: ['delete_account'], at_most: { search: 2 } },
  final_state_checks: { has: { 'order.status': 'refunded', 'order.items[0].sku': 'A1' }, lacks: 'error' },
  max_turn_cost: { threshold: 0.01, prices: { 'gemini-2.5-flash': { input_tokens: 3e-7, output_tokens: 2.5e-6 } } },
};

/** A criterion without any rubric is refused, so the example has one. */
const EXAMPLE_RUBRICS = [
  { rubric_id: 'short', rubric_content: { text_property: 'The answer has at most two sentences.' } },
];

/** One row for each option; those inside of an object follow it, by their path. */
function optionRows(properties: readonly (readonly [string, JsonSchema])[], above = ''): string[][] {
  return properties.flatMap(([key, property]) => {
    const path = above + toSnake(key);
    const inner = Object.entries((property.properties ?? {}) as Record<string, JsonSchema>);
    const value = inner.length > 0 || property.default === undefined ? '-' : code(JSON.stringify(property.default));
    const row = [code(path), typeOf(property), value, String(property.description ?? '')];
    return [row, ...optionRows(inner, `${path}.`)];
  });
}

/** The keys of options as files have them. */
function inSnake(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toSnake(key), inSnake(inner)]));
}

/** The type of a schema in few words. */
function typeOf(schema: JsonSchema): string {
  const { enum: values, anyOf, type, const: constant } = schema;
  if (Array.isArray(values)) return values.map((value) => code(JSON.stringify(value))).join(', ');
  if (constant !== undefined) return code(JSON.stringify(constant));
  if (Array.isArray(anyOf)) {
    const types = anyOf.filter((one: JsonSchema) => one.type !== 'null').map((one: JsonSchema) => typeOf(one));
    // A list of names says more than "string or integer", which other spellings of the same are.
    const names = anyOf.find((one: JsonSchema) => Array.isArray(one.enum));
    return names === undefined ? [...new Set(types)].join(' or ') : typeOf(names as JsonSchema);
  }
  if (typeof schema.$ref === 'string' || type === 'object') return 'object';
  const types = [type].flat().filter((one) => one !== 'null');
  return types.map((one) => (one === 'array' ? 'list' : String(one))).join(' or ') || 'anything';
}

function toSnake(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
