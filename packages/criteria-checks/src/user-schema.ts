import { didYouMean, type Evidence } from '@agent-criteria/core';
import { checkSchema, schemaKeywords, type Violation, validate } from '@agent-criteria/formats/schema';
import { brief, compilePattern, excerpt, formatSteps } from '@agent-criteria/values';
import { type Finding, type Issue, issueOf } from './check.ts';

const MOST_SHOWN = 5;
const CHARACTERS = 2_000;

/** Compiles a user's pattern, which runs in linear time on any text. */
const compile = (pattern: string) => compilePattern(pattern).isIn;

/** Finds mistakes and unsupported keywords in a JSON Schema. Returns an empty list for a usable schema. */
export function schemaIssues(schema: unknown): readonly Issue[] {
  const issues: Issue[] = [];
  const unreadable = issueOf([], () => {
    for (const violation of checkSchema(schema, compile)) {
      issues.push({ path: violation.path, message: mistake(violation) });
    }
  });
  return [...issues, ...unreadable];
}

function mistake({ path, keyword, rule }: Violation): string {
  if (keyword === '$ref') return 'leads nowhere: a reference must stay inside the schema, such as "#/$defs/name"';
  if (keyword !== 'false') return `must be ${expectedBy(keyword, rule)}`;
  return `is not checked here, so it would never fail: leave it out${didYouMean(String(path.at(-1)), schemaKeywords)}`;
}

/**
 * Validates a value against a schema. If it does not match, the finding has a diff for each of the first violations.
 *
 * @param what The value in words, such as "the answer".
 */
export function fitsSchema(value: unknown, schema: unknown, what: string): Finding {
  try {
    const violations = validate(value, schema, compile);
    const [first] = violations;
    if (first === undefined) return { holds: true };
    const more = violations.length > 1 ? `, and at ${violations.length - 1} more places` : '';
    const evidence = violations.slice(0, MOST_SHOWN).map(
      ({ path, keyword, rule, actual }): Evidence => ({
        kind: 'diff',
        expected: excerpt(expectedBy(keyword, rule), { characters: CHARACTERS }),
        actual: excerpt(actual, { characters: CHARACTERS }),
        path: `$${formatSteps(path)}`,
      }),
    );
    return { holds: false, reason: `${what} does not fit the schema at $${formatSteps(first.path)}${more}`, evidence };
  } catch (error) {
    return { holds: null, reason: `${what} cannot be compared with the schema: ${(error as Error).message}` };
  }
}

/** Describes what a schema rule expects. */
export function expectedBy(keyword: string, rule: unknown): string {
  return (words[keyword] ?? brief)(rule);
}

const words: Readonly<Record<string, (rule: unknown) => string>> = {
  false: () => 'no value',
  required: () => 'a value',
  type: (rule) => [rule].flat().join(' or '),
  enum: (rule) => `one of ${brief(rule)}`,
  const: brief,
  anyOf: (rule) => `any of ${brief(rule)}`,
  oneOf: (rule) => `exactly one of ${brief(rule)}`,
  not: (rule) => `not ${brief(rule)}`,
  minimum: (rule) => `at least ${rule}`,
  maximum: (rule) => `at most ${rule}`,
  exclusiveMinimum: (rule) => `more than ${rule}`,
  exclusiveMaximum: (rule) => `less than ${rule}`,
  multipleOf: (rule) => `a multiple of ${rule}`,
  minLength: (rule) => `at least ${rule} characters`,
  maxLength: (rule) => `at most ${rule} characters`,
  minItems: (rule) => `at least ${rule} items`,
  maxItems: (rule) => `at most ${rule} items`,
  minProperties: (rule) => `at least ${rule} properties`,
  maxProperties: (rule) => `at most ${rule} properties`,
  uniqueItems: () => 'a list without repeated values',
  pattern: (rule) => `a text that matches ${rule}`,
  format: (rule) => `a text of the format ${rule}`,
};
