import type { RunOrder, RunQuery, RunResult } from '../api.ts';
import { mistake } from '../http/refusal.ts';

const ORDERS = {
  newest: true,
  oldest: true,
  'least-passed': true,
  'most-passed': true,
  longest: true,
  shortest: true,
} as const satisfies Record<RunOrder, true>;

const RESULTS = {
  passed: true,
  failed: true,
  error: true,
  'not-evaluated': true,
  'cannot-tell': true,
  informational: true,
  'under-way': true,
  unfinished: true,
  'not-judged': true,
  unreadable: true,
} as const satisfies Record<RunResult, true>;

/** The query of a request: each part as a text. */
export type RunQueryTexts = { readonly [Key in keyof RunQuery]?: string | undefined };

/** Reads which runs a request asks for. Empty parts narrow nothing. @throws A 422 refusal that names the part. */
export function parseRunQuery(texts: RunQueryTexts): RunQuery {
  const text = (name: keyof RunQuery): string | undefined => texts[name]?.trim() || undefined;
  return {
    app: text('app'),
    text: text('text'),
    verdict: oneOf(RESULTS, 'verdict', text('verdict')),
    set: text('set'),
    agent: text('agent'),
    variant: text('variant'),
    commit: text('commit')?.toLowerCase(),
    from: timeOf('from', text('from')),
    until: timeOf('until', text('until')),
    ids: text('ids'),
    sort: oneOf(ORDERS, 'sort', text('sort')),
  };
}

function oneOf<Choice extends string>(
  choices: Readonly<Record<Choice, true>>,
  name: string,
  text: string | undefined,
): Choice | undefined {
  if (text === undefined) return undefined;
  if (Object.hasOwn(choices, text)) return text as Choice;
  throw mistake(['query', name], `This must be one of: ${Object.keys(choices).join(', ')}.`);
}

function timeOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = Number(text);
  // The range of a Date.
  if (Number.isInteger(time) && Math.abs(time) <= 8.64e15) return time;
  throw mistake(['query', name], 'This must be a whole number of milliseconds since 1970.', 'int_parsing');
}
