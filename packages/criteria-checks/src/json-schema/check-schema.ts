import { didYouMean } from '@agent-criteria/core';
import { isBranch } from '@agent-criteria/values';
import { type Issue, issueOf } from '../described-options.ts';
import { FORMATS } from './formats.ts';
import { resolveReference, validate } from './validate.ts';

const SCHEMA = { $ref: '#' };
const BY_NAME = { type: 'object', additionalProperties: SCHEMA };
const TYPE = { enum: ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'] };

/** What each keyword holds. */
const KEYWORDS: Readonly<Record<string, unknown>> = {
  type: { anyOf: [TYPE, { type: 'array', items: TYPE, minItems: 1 }] },
  enum: { type: 'array' },
  multipleOf: { type: 'number', exclusiveMinimum: 0 },
  pattern: { type: 'string', format: 'regex' },
  format: { enum: [...FORMATS.keys()] },
  required: { type: 'array', items: { type: 'string' } },
  uniqueItems: { type: 'boolean' },
  $ref: { type: 'string' },
  patternProperties: { ...BY_NAME, propertyNames: { format: 'regex' } },
  ...all('properties $defs definitions', BY_NAME),
  ...all('items additionalProperties propertyNames not if then else', SCHEMA),
  ...all('allOf anyOf oneOf prefixItems', { type: 'array', items: SCHEMA, minItems: 1 }),
  ...all('minimum maximum exclusiveMinimum exclusiveMaximum', { type: 'number' }),
  ...all('minLength maxLength minItems maxItems minProperties maxProperties', { type: 'integer', minimum: 0 }),
  // Most of these say nothing of a value.
  ...all('const $schema $id $comment title description default examples deprecated readOnly writeOnly', true),
};

function all(keywords: string, schema: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, schema]));
}

/** The schema of the schemas that `validate` checks. A rule that is not checked must not look as if it were. */
const META = {
  type: ['object', 'boolean'],
  properties: KEYWORDS,
  patternProperties: { '^x-': true },
  additionalProperties: false,
};

/** What is wrong with a JSON Schema, or is not supported. Empty when it can be used. */
export function checkSchema(schema: unknown): readonly Issue[] {
  const issues: Issue[] = [];
  const unreadable = issueOf([], () => {
    for (const { path, expected } of validate(schema, META)) {
      const unknown = `is not checked here, so it would never fail: leave it out${didYouMean(String(path.at(-1)), Object.keys(KEYWORDS))}`;
      issues.push({ path, message: expected === 'no value' ? unknown : `must be ${String(expected)}` });
    }
  });
  return issues.length + unreadable.length > 0 ? [...issues, ...unreadable] : referenceIssues(schema, schema, []);
}

/** References that lead nowhere. */
function referenceIssues(at: unknown, root: unknown, path: Issue['path']): readonly Issue[] {
  if (!isBranch(at)) return [];
  return Object.entries(at).flatMap(([key, value]) => {
    if (key !== '$ref' || typeof value !== 'string') {
      return key === 'const' || key === 'enum' ? [] : referenceIssues(value, root, [...path, key]);
    }
    const message = 'leads nowhere: a reference must stay inside the schema, such as "#/$defs/name"';
    return resolveReference(value, root) === undefined ? [{ path: [...path, key], message }] : [];
  });
}
