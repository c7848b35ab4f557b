import type { Evidence, Json } from '@agent-criteria/core';
import { type Budget, brief, excerpt, formatSteps, formatValuePath } from '@agent-criteria/values';
import type { AlignmentRow } from './alignment.ts';
import { type Call, type Comparison, createComparison, nameOf } from './comparison.ts';
import type { MatchOptions } from './match.ts';
import { type MatchType, matchTypes } from './match-type.ts';
import { isAsExpected } from './order.ts';
import { addMatchers, suggestMatchers } from './suggestion.ts';

/** A turn that did not match, and its options. */
export interface Mismatch {
  readonly expected: readonly Call[];
  readonly actual: readonly Call[];
  readonly alignment: readonly AlignmentRow[];
  /** The indexes of calls to forbidden tools. */
  readonly forbidden: readonly number[];
  readonly options: MatchOptions & { readonly matchType: MatchType };
}

// Limits for a diff: the number of rows, and the characters per side for the first fault and for all other rows.
const rowsShown = 100;
const rowsBefore = 10;
const charactersOfRow = 20_000;
const charactersOfOthers = 30_000;
// The maximum length of a suggestion, which is meant to be copied by hand.
const longestSuggestion = 5_000;

/** Explains why a turn did not match: a sentence, an aligned diff, and options that would accept it. */
export function explain(mismatch: Mismatch): { reason: string; evidence: Evidence[] } {
  const { alignment } = mismatch;
  const forbidden = new Set(mismatch.forbidden);
  const isForbidden = (row: AlignmentRow) => row.actual !== null && forbidden.has(row.actual);
  const isFault = (row: AlignmentRow) => !isAllowed(row, mismatch.options.matchType) || isForbidden(row);
  const first = Math.max(alignment.findIndex(forbidden.size > 0 ? isForbidden : isFault), 0);
  const faults = alignment.filter(isFault).length;
  const comparison = createComparison(mismatch.options);
  const reason =
    mismatch.actual.length === 0
      ? `No tool was called, and ${faults === 1 ? '1 call is' : `${faults} calls are`} expected`
      : reasonOf(alignment[first]!, isForbidden(alignment[first]!), mismatch, comparison) + othersOf(faults);
  const notes = [
    hiddenRows(alignment.length, first),
    hint(() => matcherNote(mismatch)),
    hint(() => matchTypeNote(mismatch, comparison)),
  ];
  return {
    reason: `${reason}.`,
    evidence: [
      diffOf(first, mismatch),
      ...notes.flatMap((text): Evidence[] => (text === null ? [] : [{ kind: 'note', text }])),
    ],
  };
}

/** Returns `null` if a hint throws, because a failing hint must not lose the score. */
export function hint(work: () => string | null): string | null {
  try {
    return work();
  } catch {
    return null;
  }
}

function othersOf(faults: number): string {
  if (faults === 1) return '';
  return faults === 2 ? '; 1 other call is not as expected' : `; ${faults - 1} other calls are not as expected`;
}

function isAllowed(row: AlignmentRow, matchType: MatchType): boolean {
  return row.kind === 'same' || (row.kind === 'extra' && matchType !== 'EXACT');
}

function diffOf(first: number, { alignment, expected, actual }: Mismatch): Evidence {
  const start = startOfShown(first);
  const shown = alignment.slice(start, start + rowsShown);
  const side = (calls: readonly Call[], of: (row: AlignmentRow) => number | null): Json[] => {
    const others: Budget = { characters: charactersOfOthers };
    return shown.map((row, index) => {
      const place = of(row);
      if (place === null) return null;
      return callExcerpt(calls[place]!, index + start === first ? { characters: charactersOfRow } : others);
    });
  };
  const row = alignment[first];
  const steps = row?.kind === 'changed' ? formatSteps(row.differences[0]?.path ?? []) : '';
  return {
    kind: 'diff',
    expected: side(expected, (row) => row.expected),
    actual: side(actual, (row) => row.actual),
    path: `$[${first - start}]${steps}`,
  };
}

// An absent key stays absent. The name has its own budget.
function callExcerpt({ name, args }: Call, budget: Budget): Json {
  return {
    name: name === undefined ? undefined : excerpt(name, { characters: charactersOfRow }),
    args: args === undefined ? undefined : excerpt(args, budget),
  };
}

function startOfShown(first: number): number {
  return first < rowsShown ? 0 : first - rowsBefore;
}

function hiddenRows(rows: number, first: number): string | null {
  if (rows <= rowsShown) return null;
  const start = startOfShown(first);
  const end = Math.min(start + rowsShown, rows);
  return `The diff shows the rows ${start + 1} to ${end} of ${rows}.`;
}

function reasonOf(
  row: AlignmentRow,
  isForbidden: boolean,
  { expected, actual, alignment, options }: Mismatch,
  comparison: Comparison,
): string {
  const made = (place: number) => `call ${place + 1}, ${toolOf(actual[place]!)},`;
  if (isForbidden && row.actual !== null) return sentence(`${made(row.actual)} is to a forbidden tool`);
  if (row.kind === 'extra') {
    return expected.length === 0
      ? sentence(`${made(row.actual)} was made where no call is expected`)
      : sentence(`${made(row.actual)} was not expected`);
  }
  if (row.kind === 'changed') {
    const difference = row.differences[0]!;
    const found = difference.actual === undefined ? 'nothing' : brief(difference.actual);
    const wanted = difference.expected === undefined ? 'nothing' : brief(difference.expected);
    return sentence(`${made(row.actual)} has ${found} instead of ${wanted} at ${formatValuePath(difference.path)}`);
  }
  const wanted = expected[row.expected!]!;
  const elsewhere =
    options.matchType !== 'ANY_ORDER' &&
    alignment.some((other) => other.kind === 'extra' && comparison.same(wanted, actual[other.actual]!));
  const what = elsewhere ? 'was made, but not in that position' : 'was not made';
  return `The expected call ${row.expected! + 1}, ${toolOf(wanted)}, ${what}`;
}

function sentence(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}

function toolOf(call: Call): string {
  const name = nameOf(call);
  return name === null ? 'without a name' : brief(name).slice(1, -1);
}

// Suggests matchers only after checking that they make the turn pass.
function matcherNote({ expected, actual, alignment, forbidden, options }: Mismatch): string | null {
  if (forbidden.length > 0 || options.ignoreArgs === true) return null;
  const present = options.matchers ?? {};
  const rows = alignment.filter((row) => !isAllowed(row, options.matchType));
  const suggestion = suggestMatchers(rows, expected, present);
  if (suggestion === null || JSON.stringify(suggestion.matchers).length > longestSuggestion) return null;
  // Includes the existing matchers, so that users can replace them as a whole.
  const matchers = addMatchers(present, suggestion.matchers);
  const comparison = createComparison({ ...options, matchers });
  if (!isAsExpected(expected, actual, options.matchType, comparison)) return null;
  const json = JSON.stringify({ matchers }, null, 1).replace(/\n */g, ' ');
  const kinds = new Intl.ListFormat('en-GB').format(suggestion.kinds);
  return `Only ${kinds} ${suggestion.kinds.length > 1 ? 'differ' : 'differs'}. These options would accept that: ${json}`;
}

function matchTypeNote({ expected, actual, forbidden, options }: Mismatch, comparison: Comparison): string | null {
  // If no calls are expected, the other match types accept anything.
  if (forbidden.length > 0 || expected.length === 0) return null;
  const looser = matchTypes
    .slice(matchTypes.indexOf(options.matchType) + 1)
    .find((matchType) => isAsExpected(expected, actual, matchType, comparison));
  if (looser === undefined) return null;
  const what = looser === 'IN_ORDER' ? 'in order, with others between them' : 'but in another order';
  return `All expected calls were made, ${what}. These options would accept that: { "match_type": "${looser}" }`;
}
