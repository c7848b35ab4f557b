import { isObject } from '@agent-criteria/formats';
import type { Evidence } from '../contracts/score.ts';

type Check = (value: unknown) => boolean;
type Fields = Readonly<Record<string, unknown>>;

const isText: Check = (value) => typeof value === 'string';
const isTextOrNone: Check = (value) => value === undefined || isText(value);

/** Checks for the required fields, by kind. */
const CHECKS: Readonly<Record<Evidence['kind'], (item: Fields) => boolean>> = {
  note: (item) => isText(item.text),
  json: (item) => 'value' in item && isTextOrNone(item.label),
  diff: (item) => 'expected' in item && 'actual' in item && isTextOrNone(item.path),
  vote: (item) => [item.positive, item.negative, item.unreadable, item.of].every(Number.isFinite),
  words: (item) => isListOf(item.missing, isText) && isListOf(item.extra, isText),
  opinions: isOpinions,
};

/** Whether a value of plain JSON is evidence of a known kind, with all fields of that kind. */
export function isEvidence(item: unknown): item is Evidence {
  return namesKind(item) && CHECKS[item.kind](item);
}

/** Whether a value has the `kind` of evidence. Its other fields are not checked. */
export function namesKind(item: unknown): item is { readonly kind: Evidence['kind'] } & Fields {
  return isObject(item) && typeof item.kind === 'string' && Object.hasOwn(CHECKS, item.kind);
}

const SOURCES: readonly unknown[] = [undefined, 'live', 'cache', 'recording'];
const SIDES: readonly unknown[] = [undefined, null, 'positive', 'negative'];

function isOpinions({ prompt, questions, samples }: Fields): boolean {
  if (!isTextOrNone(prompt) || !isUniqueList(questions, 'id', (one) => isTextOrNone(one.text))) return false;
  const ids = new Set(questions.map(({ id }) => id));
  const isOpinion = (one: Fields): boolean => {
    if (!ids.has(one.question)) return false;
    if (one.label === undefined) return isText(one.unreadable);
    return (
      isText(one.label) &&
      isTextOrNone(one.rationale) &&
      SIDES.includes(one.countedAs) &&
      // An opinion is either a label or unreadable.
      one.unreadable === undefined
    );
  };
  const isSample = (one: unknown): boolean =>
    isObject(one) &&
    Number.isSafeInteger(one.sample) &&
    Number(one.sample) >= 0 &&
    SOURCES.includes(one.from) &&
    isTextOrNone(one.model) &&
    isTextOrNone(one.failure) &&
    isUniqueList(one.opinions, 'question', isOpinion) &&
    (one.failure === undefined || one.opinions.length === 0);
  return isListOf(samples, isSample);
}

function isListOf(value: unknown, check: Check): boolean {
  return Array.isArray(value) && value.every(check);
}

/** Whether a value is a list of objects whose strings under the key are unique. */
function isUniqueList(value: unknown, key: string, check: (one: Fields) => boolean): value is readonly Fields[] {
  if (!Array.isArray(value) || !value.every((one) => isObject(one) && isText(one[key]) && check(one))) return false;
  return new Set(value.map((one) => one[key])).size === value.length;
}
