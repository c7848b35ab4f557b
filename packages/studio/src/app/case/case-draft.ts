import type { Content, EvalCase, Invocation } from '@agent-criteria/core';
import { parseTags } from '../tags.ts';

/** A case being edited, with its history. */
export interface Draft {
  readonly value: EvalCase;
  /** Earlier values, newest last. */
  readonly before: readonly EvalCase[];
  /** The field last edited. Consecutive edits to one field form a single undo step. */
  readonly field: string;
}

const MOST = 100;

/** Edits a draft. Adding or removing list entries is always a separate undo step. */
export function edit(draft: Draft, field: string, value: EvalCase): Draft {
  const isSameLists = entriesIn(value) === entriesIn(draft.value);
  const joins = field === draft.field && field !== '' && isSameLists;
  const before = joins ? draft.before : [...draft.before.slice(1 - MOST), draft.value];
  return { value, field: isSameLists ? field : '', before };
}

function entriesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? value.length : 0;
  return Object.values(value).reduce((sum: number, inner) => sum + entriesIn(inner), own);
}

export function undo(draft: Draft): Draft {
  const last = draft.before.at(-1);
  return last === undefined ? draft : { value: last, before: draft.before.slice(0, -1), field: '' };
}

/** Replaces the value of a draft, which undo can revert. */
export function replace(draft: Draft, value: EvalCase): Draft {
  const isSame = JSON.stringify(value) === JSON.stringify(draft.value);
  return isSame ? { ...draft, value, field: '' } : edit(draft, '', value);
}

/** Sets a key, or removes it if the value is `undefined`. */
export function withKey<Value extends object>(value: Value, key: keyof Value, next: unknown): Value {
  return next === undefined ? without(value, key) : { ...value, [key]: next };
}

export function without<Value extends object>(value: Value, key: keyof Value): Value {
  const { [key]: _, ...others } = value;
  return others as Value;
}

export function textOf(content: Content | null | undefined): string {
  return content?.parts?.find((part) => typeof part.text === 'string')?.text ?? '';
}

/** Replaces the first text part of a message, leaving its other parts unchanged. */
export function withText(content: Content | null | undefined, text: string, role: string): Content {
  const parts = content?.parts ?? [];
  const at = parts.findIndex((part) => typeof part.text === 'string');
  const next = at < 0 ? [...parts, { text }] : parts.map((part, place) => (place === at ? { ...part, text } : part));
  return { role, ...content, parts: next };
}

export function changeTurn(value: EvalCase, at: number, change: (turn: Invocation) => Invocation): EvalCase {
  const turns = value.conversation ?? [];
  return { ...value, conversation: turns.map((turn, place) => (place === at ? change(turn) : turn)) };
}

export function removeTurn(value: EvalCase, at: number): EvalCase {
  return { ...value, conversation: (value.conversation ?? []).filter((_, place) => place !== at) };
}

export function addTurn(value: EvalCase): EvalCase {
  const turn = {
    userContent: { role: 'user', parts: [{ text: '' }] },
    finalResponse: { role: 'model', parts: [{ text: '' }] },
  };
  return { ...value, conversation: [...(value.conversation ?? []), turn] };
}

export function withTags(value: EvalCase, written: string): EvalCase {
  const tags = parseTags(written);
  const { tags: _, ...others } = value.agentCriteria ?? {};
  const own = tags.length === 0 ? others : { ...others, tags };
  const { agentCriteria: _before, ...rest } = value;
  return Object.keys(own).length === 0 ? rest : { ...rest, agentCriteria: own };
}
