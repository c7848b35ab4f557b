import type { Evidence, JsonSchema } from '@agent-criteria/core';
import type { Opinion } from '@agent-criteria/judge';
import { isObject, onlyItem, textOf } from '@agent-criteria/judge/texts';

/** The schema of a judge's answer. */
export const perTurnAnswerSchema: JsonSchema = {
  type: 'object',
  properties: {
    criteria: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, reasoning: { type: 'string' }, passes: { type: 'boolean' } },
        required: ['name', 'reasoning', 'passes'],
        additionalProperties: false,
      },
    },
    is_valid: { type: 'boolean' },
  },
  required: ['criteria', 'is_valid'],
  additionalProperties: false,
};

/** Words for `true` that judges write and ADK accepts, in lower case. */
const VALID: readonly string[] = ['true', 'valid'];
const INVALID: readonly string[] = ['false', 'invalid', 'almost', 'partially', 'partially_valid', 'partially valid'];

/**
 * Reads the opinion in an answer: its `is_valid`, as in ADK, with reasons from its criteria. Returns `undefined` if it
 * has no verdict.
 */
export function readPerTurnAnswer(value: unknown): Opinion | undefined {
  if (!isObject(value) || !Object.hasOwn(value, 'is_valid')) return undefined;
  const said = onlyItem(value.is_valid);
  const label = typeof said === 'string' || typeof said === 'boolean' ? String(said).trim().toLowerCase() : '';
  const positive = VALID.includes(label);
  if (!positive && !INVALID.includes(label)) return undefined;
  const rationale = rationaleOf(value.criteria, positive);
  return { positive, label: positive ? 'valid' : 'invalid', ...rationale };
}

/** Returns the reasons for an opinion: the criteria that are not met, with the first one as the rationale. */
function rationaleOf(criteria: unknown, positive: boolean): Pick<Opinion, 'rationale' | 'evidence'> {
  const entries = Array.isArray(criteria) ? criteria.filter(isObject) : [];
  if (entries.length === 0) return {};
  const [first, ...others] = entries.filter(({ passes }) => passes === false).map(describe);
  // If a judge contradicts itself, its verdict counts, as in ADK, and the rationale mentions the contradiction.
  if (first === undefined) return { rationale: `${positive ? '' : 'not valid, although '}every criterion passes` };
  const evidence = others.map((text): Evidence => ({ kind: 'note', text }));
  return {
    rationale: positive ? `valid, although not every criterion passes: ${first}` : first,
    ...(evidence.length === 0 ? {} : { evidence }),
  };
}

function describe({ name, reasoning }: Readonly<Record<string, unknown>>): string {
  return [textOf(name) || 'a criterion without a name', textOf(reasoning)].filter((text) => text !== '').join(': ');
}
