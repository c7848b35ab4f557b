import type { JsonSchema } from '@agent-criteria/core';
import type { Opinion } from '@agent-criteria/judge';
import { isObject, onlyItem, textOf } from '@agent-criteria/judge/texts';

/** The verdicts on a rubric. A rubric that does not apply counts as fulfilled, as in ADK. */
const LABELS = ['yes', 'no', 'not_applicable'] as const;
type Label = (typeof LABELS)[number];

/** Returns the schema of the answer to a prompt about this many rubrics. */
export function rubricAnswerSchema(count: number): JsonSchema {
  const numbers = Array.from({ length: count }, (_, index) => String(index + 1));
  return {
    type: 'object',
    properties: {
      rubrics: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { type: 'string', enum: numbers },
            evidence: { type: 'string' },
            rationale: { type: 'string' },
            verdict: { type: 'string', enum: [...LABELS] },
          },
          required: ['id', 'evidence', 'rationale', 'verdict'],
          additionalProperties: false,
        },
      },
    },
    required: ['rubrics'],
    additionalProperties: false,
  };
}

/** The opinions in one answer, by id. */
export interface RubricAnswer {
  readonly opinions: ReadonlyMap<string, Opinion>;
  /** Reasons for entries without an opinion. A rubric that was omitted is in neither map. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/**
 * Reads the opinions in one answer, by id. There is no opinion on a rubric that is omitted, has no readable verdict, or
 * is judged twice with different results. Entries without a number are ignored.
 *
 * @param ids The ids, in the order of the numbers, from 1, under which the judge sees the rubrics.
 * @returns `undefined` if there is no opinion at all, or if a number is out of range: then it is unclear which rubrics
 * the other numbers refer to.
 */
export function readRubricAnswer(value: unknown, ids: readonly string[]): RubricAnswer | undefined {
  if (!isObject(value) || !Array.isArray(value.rubrics)) return undefined;
  const opinions = new Map<string, Opinion>();
  const unreadable = new Map<string, string>();
  for (const item of value.rubrics) {
    if (!isObject(item)) continue;
    const number = numberOf(item.id);
    if (number === undefined) continue;
    const id = ids[number - 1];
    if (id === undefined) return undefined;
    const opinion = opinionOf(item);
    const before = opinions.get(id);
    if (opinion === null) unreadable.set(id, 'its verdict could not be read');
    else if (before === undefined) opinions.set(id, opinion);
    else if (before.label !== opinion.label)
      unreadable.set(id, `it was judged twice: ${before.label}, and ${opinion.label}`);
  }
  for (const id of unreadable.keys()) opinions.delete(id);
  return opinions.size === 0 ? undefined : { opinions, unreadable };
}

/** Returns the labels in an answer, without the reasons. */
export function labelsOf({ opinions, unreadable }: RubricAnswer): unknown {
  return [new Map([...opinions].map(([id, { label }]) => [id, label])), new Set(unreadable.keys())];
}

/** Returns the number in an entry. Judges may write `1` for `"1"`. */
function numberOf(written: unknown): number | undefined {
  const only = onlyItem(written);
  if (typeof only !== 'string' && typeof only !== 'number') return undefined;
  return /^\s{0,100}-?\d{1,9}\s{0,100}$/.test(String(only)) ? Number(only) : undefined;
}

function opinionOf(item: Readonly<Record<string, unknown>>): Opinion | null {
  const label = labelOf(item.verdict);
  if (label === undefined) return null;
  const [rationale, evidence] = [textOf(item.rationale), textOf(item.evidence)];
  return {
    positive: label !== 'no',
    label,
    ...(rationale === '' ? {} : { rationale }),
    ...(evidence === '' ? {} : { evidence: [{ kind: 'note', text: evidence }] }),
  };
}

/**
 * Reads a label that stands alone or begins a sentence ("No, because …"), but never one among other words: "unknown",
 * "not clear", "No issues" and "yes or no" are not verdicts.
 */
function labelOf(written: unknown): Label | undefined {
  const only = onlyItem(written);
  if (typeof only !== 'string') return undefined;
  const word = /^["'*_\s]*(yes|no|not[ _-]?applicable|n\/a)["'*_]*(?:\s*[,.;:!—]|\s+[-–(]|\s*$)/i.exec(only)?.[1];
  if (word === undefined) return undefined;
  const lower = word.toLowerCase();
  return lower === 'yes' || lower === 'no' ? lower : 'not_applicable';
}
