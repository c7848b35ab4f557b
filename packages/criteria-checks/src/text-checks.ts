import type { Evidence, Json, JsonSchema, ScorePart } from '@agent-criteria/core';
import { brief, compilePattern, excerpt, isNear } from '@agent-criteria/values';
import { checked, each, type Finding, type Issue, issueOf, texts } from './check.ts';
import { foldText } from './fold-text.ts';
import { repeatedKey, unfenced } from './json-answer.ts';
import { type DecimalSign, numbersIn } from './numbers-in.ts';
import { fitsSchema, schemaIssues } from './user-schema.ts';

type OneOrMore = string | readonly string[];

/** Checks on a text. */
export interface TextChecks {
  readonly contains?: OneOrMore | undefined;
  readonly containsAny?: readonly string[] | undefined;
  readonly excludes?: OneOrMore | undefined;
  readonly equals?: OneOrMore | undefined;
  readonly ignoreCase?: boolean | undefined;
  readonly matches?: OneOrMore | undefined;
  readonly matchesNone?: OneOrMore | undefined;
  readonly minWords?: number | undefined;
  readonly maxWords?: number | undefined;
  readonly minCharacters?: number | undefined;
  readonly maxCharacters?: number | undefined;
  readonly number?:
    | { readonly value: number; readonly tolerance?: number | undefined; readonly decimal?: DecimalSign | undefined }
    | undefined;
  readonly json?: true | undefined;
  readonly jsonSchema?: JsonSchema | undefined;
  readonly allowFence?: boolean | undefined;
}

const count = (description: string) => ({ description, type: 'integer', minimum: 0 }) as const;

/** The options above, as JSON Schema. */
export const textProperties = {
  contains: texts('The answer contains this text, or all of these.'),
  containsAny: {
    description: 'The answer contains at least one of these texts.',
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
  },
  excludes: texts('The answer does not contain this text, nor any of these.'),
  equals: texts('The answer is this text, or one of these, ignoring white space at both ends.'),
  ignoreCase: {
    description: 'For the four above: upper and lower case are equal. Default false.',
    type: 'boolean',
  },
  matches: texts("The answer has a match of this regular expression, or of each of these. RE2's syntax."),
  matchesNone: texts('The answer has no match of this regular expression, nor of any of these.'),
  minWords: count('The answer has at least this many words.'),
  maxWords: count('The answer has at most this many words.'),
  minCharacters: count('The answer has at least this many characters.'),
  maxCharacters: count('The answer has at most this many characters.'),
  number: {
    description: 'The answer states this number.',
    type: 'object',
    properties: {
      value: { type: 'number', description: 'The expected number.' },
      tolerance: { type: 'number', minimum: 0, description: 'How far the stated number may be from it. Default 0.' },
      decimal: {
        enum: ['.', ','],
        description: 'The decimal separator in the answer; the other one separates thousands. Default ".".',
      },
    },
    required: ['value'],
  },
  json: { const: true, description: 'The answer is JSON and nothing else.' },
  jsonSchema: {
    description: 'The answer is JSON that fits this JSON Schema (draft 2020-12).',
    type: 'object',
    additionalProperties: {},
  },
  allowFence: {
    description: 'For the two above: the JSON may be inside a Markdown code fence. Default false.',
    type: 'boolean',
  },
} as const;

/** Finds mistakes that the schema above cannot express. */
export function textIssues(checks: TextChecks, above: Issue['path'] = []): readonly Issue[] {
  const lists = ['contains', 'containsAny', 'excludes', 'equals', 'matches', 'matchesNone'] as const;
  const empty = lists.flatMap((key) =>
    [checks[key] ?? []].flat().includes('') ? [{ path: [...above, key], message: 'must not be empty' }] : [],
  );
  const patterns = (['matches', 'matchesNone'] as const).flatMap((key) =>
    [checks[key] ?? []].flat().flatMap((pattern) => issueOf([...above, key], () => compilePattern(pattern))),
  );
  const ofSchema = checks.jsonSchema === undefined ? [] : schemaIssues(checks.jsonSchema);
  const limits = (['Words', 'Characters'] as const).flatMap((unit) => {
    const [least = 0, most = Number.POSITIVE_INFINITY] = [checks[`min${unit}`], checks[`max${unit}`]];
    return least <= most ? [] : [{ path: [...above, `min${unit}`], message: `is more than the maximum, ${most}` }];
  });
  return [
    ...empty,
    ...patterns,
    ...ofSchema.map(({ path, message }) => ({ path: [...above, 'jsonSchema', ...path], message })),
    ...limits,
  ];
}

/**
 * Runs each check on a text as a score part. For an empty text, checks for required content fail, and all others are
 * could-not-judge.
 */
export function checkText(text: string, checks: TextChecks, above = ''): readonly ScorePart[] {
  const { ignoreCase = false, number } = checks;
  const fold = (one: string) => foldText(one, ignoreCase);
  const normal = foldText(text, false);
  const folded = fold(text);
  const part = (id: string, words: string, find: () => Finding) => {
    const finding = find();
    // An empty answer proves nothing about forbidden content.
    const isVacuous = finding.holds === true && text.trim() === '';
    return checked(above + id, words, isVacuous ? { holds: null, reason: 'the turn has no answer' } : finding);
  };
  const differ = (expected: Json, reason: string, ...notes: readonly string[]): Finding => ({
    holds: false,
    reason,
    evidence: [diff(expected, excerpt(text, { characters: 2_000 })), ...notes.map(note)],
  });
  const caseNote = (wanted: string) =>
    !ignoreCase && foldText(text, true).includes(foldText(wanted, true))
      ? ['It is there in different upper or lower case: "ignore_case": true would accept that.']
      : [];
  const parts: ScorePart[] = [];

  for (const [id, wanted] of each('contains', checks.contains))
    parts.push(
      part(id, `contains ${brief(wanted)}`, () =>
        folded.includes(fold(wanted))
          ? { holds: true }
          : differ(wanted, `${brief(wanted)} is not in the answer`, ...caseNote(wanted)),
      ),
    );
  if (checks.containsAny !== undefined) {
    const any = checks.containsAny;
    parts.push(
      part('contains_any', `contains any of ${brief(any)}`, () =>
        any.some((one) => folded.includes(fold(one)))
          ? { holds: true }
          : differ(any, `none of ${brief(any)} is in the answer`, ...any.flatMap(caseNote).slice(0, 1)),
      ),
    );
  }
  for (const [id, unwanted] of each('excludes', checks.excludes))
    parts.push(
      part(id, `excludes ${brief(unwanted)}`, () => {
        const at = folded.indexOf(fold(unwanted));
        if (at === -1) return { holds: true };
        return found(
          `no ${brief(unwanted)}`,
          around(normal.length === folded.length ? normal : folded, at, fold(unwanted).length),
          `${brief(unwanted)} is in the answer`,
        );
      }),
    );
  if (checks.equals !== undefined) {
    const any = [checks.equals].flat();
    const words = any.length === 1 ? brief(any[0]) : `one of ${brief(any)}`;
    parts.push(
      part('equals', `equals ${words}`, () => {
        if (any.some((one) => fold(one).trim() === folded.trim())) return { holds: true };
        const isCase = any.some((one) => foldText(one, true).trim() === foldText(text, true).trim());
        const expected: Json = any.length === 1 ? (any[0] ?? null) : any;
        return differ(expected, `the answer is not ${words}`, ...(isCase ? caseNote(text) : []));
      }),
    );
  }
  for (const [id, pattern] of each('matches', checks.matches))
    parts.push(
      part(id, `matches ${shown(pattern)}`, () =>
        compilePattern(pattern).isIn(normal)
          ? { holds: true }
          : differ(`a match of ${shown(pattern)}`, `nothing in the answer matches ${shown(pattern)}`),
      ),
    );
  for (const [id, pattern] of each('matches_none', checks.matchesNone))
    parts.push(
      part(id, `does not match ${shown(pattern)}`, () =>
        compilePattern(pattern).isIn(normal)
          ? differ(`no match of ${shown(pattern)}`, `something in the answer matches ${shown(pattern)}`)
          : { holds: true },
      ),
    );
  for (const [unit, size] of [
    ['words', wordsIn],
    ['characters', charactersIn],
  ] as const) {
    const [least, most] =
      unit === 'words' ? [checks.minWords, checks.maxWords] : [checks.minCharacters, checks.maxCharacters];
    for (const [id, limit, words, keeps] of [
      [`min_${unit}`, least, 'at least', (has: number, number: number) => has >= number],
      [`max_${unit}`, most, 'at most', (has: number, number: number) => has <= number],
    ] as const) {
      if (limit === undefined) continue;
      parts.push(
        part(id, `has ${words} ${limit} ${unit}`, () => {
          const has = size(text);
          if (keeps(has, limit)) return { holds: true };
          return found(`${words} ${limit} ${unit}`, `${has} ${unit}`, `the answer has ${has} ${unit}`);
        }),
      );
    }
  }
  if (number !== undefined) {
    const { value, tolerance = 0, decimal } = number;
    const words = `${value}${tolerance === 0 ? '' : ` ± ${tolerance}`}`;
    parts.push(
      part('number', `states ${words}`, () => {
        const stated = numbersIn(text, decimal);
        if (stated.some((one) => isNear(one, value, tolerance))) return { holds: true };
        const near = [...stated].sort((a, b) => Math.abs(a - value) - Math.abs(b - value));
        const closest = near.length === 0 ? 'it states no number' : `the closest number in it is ${near[0]}`;
        const sign = decimal === ',' ? '.' : ',';
        const other = numbersIn(text, sign).find((one) => isNear(one, value, tolerance));
        const reason = `the answer does not state ${words}: ${closest}`;
        const hint = `With "decimal": "${sign}" it states ${other}.`;
        return found(words, near.slice(0, 10), reason, ...(other === undefined ? [] : [note(hint)]));
      }),
    );
  }
  if (checks.json === true || checks.jsonSchema !== undefined) parts.push(...jsonParts(text, checks, part));
  return parts;
}

type Part = (id: string, words: string, finding: () => Finding) => ScorePart;

function jsonParts(
  text: string,
  { json: isJson, jsonSchema, allowFence }: TextChecks,
  part: Part,
): readonly ScorePart[] {
  const json = allowFence === true ? unfenced(text) : text;
  const read = parsed(json);
  const refused = (): Finding => {
    const isFenced = 'error' in read && 'value' in parsed(unfenced(text));
    const hint = isFenced ? [note('It is JSON in a code fence: "allow_fence": true would accept that.')] : [];
    const reason = `the answer is not JSON: ${'error' in read ? read.error : ''}`;
    return { holds: false, reason, evidence: [diff('JSON', excerpt(text, { characters: 2_000 })), ...hint] };
  };
  return [
    ...(isJson === true ? [part('json', 'is JSON', () => ('value' in read ? { holds: true } : refused()))] : []),
    ...(jsonSchema === undefined
      ? []
      : [
          part('json_schema', 'fits the JSON Schema', () =>
            'value' in read ? (ambiguous(json) ?? fitsSchema(read.value, jsonSchema, 'the answer')) : refused(),
          ),
        ]),
  ];
}

/** Rejects JSON that repeats a key, because readers disagree on which value counts. */
function ambiguous(json: string): Finding | null {
  const repeated = repeatedKey(json);
  if (repeated === null) return null;
  const { key, path } = repeated;
  const reason = `the answer has the key ${brief(key)} twice in the object at ${path}: readers of JSON disagree which of the two counts`;
  return { holds: false, reason, evidence: [diff('each key once', excerpt(json, { characters: 2_000 }))] };
}

function parsed(text: string): { readonly value: unknown } | { readonly error: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Counts words separated by white space; a word contains a letter or a digit. */
function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Counts Unicode characters after composition: `é` is one. */
function charactersIn(text: string): number {
  return Array.from(text.normalize('NFC').trim()).length;
}

function found(expected: Json, actual: Json, reason: string, ...notes: readonly Evidence[]): Finding {
  return { holds: false, reason, evidence: [diff(expected, actual), ...notes] };
}

function diff(expected: Json, actual: Json): Evidence {
  return { kind: 'diff', expected, actual };
}

function note(text: string): Evidence {
  return { kind: 'note', text };
}

function shown(pattern: string): string {
  return brief(pattern).replace(/^"(.*)"$/s, '/$1/');
}

/** Returns the text around a position in it. */
function around(text: string, at: number, length: number): string {
  const [from, to] = [Math.max(0, at - 60), at + Math.min(length, 200) + 60];
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}
