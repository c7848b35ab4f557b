import { CriteriaError } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/core/host';
import type { CaseOutcome } from './outcome.ts';
import type { RunOutcomes } from './run-outcomes.ts';

/** What a baseline file says that it is. */
const KIND = 'agent-criteria baseline';
const FORMAT = 1;

/** A finished run as a small file to commit: scores by case and repeat, names, versions and hashes, and no texts. Plain JSON. */
export interface BaselineFile extends Omit<RunOutcomes, 'cases'> {
  readonly kind: typeof KIND;
  readonly format: typeof FORMAT;
  readonly cases: readonly BaselineCase[];
}

/** A case of a baseline: of what the agent said, nothing is kept. */
export interface BaselineCase extends Omit<CaseOutcome, 'reason' | 'repeats'> {
  /** Whether each repeat passed; `null`: it could not be judged. */
  readonly passed: readonly (boolean | null)[];
}

export function baselineFile({ cases, ...run }: RunOutcomes): BaselineFile {
  return {
    kind: KIND,
    format: FORMAT,
    ...run,
    cases: cases.map(({ reason: _, repeats, ...one }) => ({ ...one, passed: repeats.map(({ passed }) => passed) })),
  };
}

/** Whether a value of a JSON file is a baseline, of whatever format. */
export function isBaseline(value: unknown): boolean {
  return isObject(value) && value.kind === KIND;
}

/**
 * The run that a baseline was made of, without its texts.
 *
 * @param file Named by the errors.
 * @throws CriteriaError UNKNOWN_FORMAT for a newer version; INVALID_DATA with the place for what is no baseline.
 */
export function readBaseline(value: unknown, file: string): RunOutcomes {
  if (!isObject(value) || value.kind !== KIND) {
    const message = `not a baseline: "kind" must be "${KIND}"; write one with agent-criteria baseline set RUN --output FILE`;
    throw new CriteriaError({ code: 'INVALID_DATA', file, message });
  }
  if (value.format !== FORMAT) {
    const message = `a baseline of format ${String(value.format)}, and this version reads format ${FORMAT}: update agent-criteria, or write the baseline anew`;
    throw new CriteriaError({ code: 'UNKNOWN_FORMAT', file, message });
  }
  if (!isWhole(value)) {
    const wrong = mistakeIn(value);
    const message = `${wrong}; write the baseline anew with agent-criteria baseline set RUN --output FILE`;
    throw new CriteriaError({ code: 'INVALID_DATA', file, message });
  }
  const { kind: _kind, format: _format, cases, ...run } = value;
  return { ...run, cases: cases.map(withRepeats) };
}

function withRepeats({ passed, ...one }: BaselineCase): CaseOutcome {
  return { ...one, repeats: passed.map((own, repeat) => ({ repeat, passed: own, answer: null })) };
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isFlag: Check = (value) => typeof value === 'boolean';
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const objectOf =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(checks).every(([key, check]) => check(value[key]));

const verdicts = ['passed', 'failed', 'not-evaluated', 'error', 'informational', 'skipped'];
const isVerdict: Check = (value) => typeof value === 'string' && verdicts.includes(value);
const isRange: Check = (value) =>
  objectOf({ min: isNumber, max: orNull(isNumber) })(value) &&
  isObject(value) &&
  (value.better === 'higher' || value.better === 'lower');
const isScored = objectOf({
  name: isText,
  verdict: isVerdict,
  score: orNull(isNumber),
  coverage: orNull(isNumber),
  scores: listOf(orNull(isNumber)),
});

const parts: Readonly<Record<string, Check>> = {
  id: isText,
  agent: isText,
  startedAt: isNumber,
  finished: isFlag,
  compat: orNull(isText),
  criteria: listOf(
    objectOf({
      name: isText,
      range: isRange,
      decides: isFlag,
      byDefault: isFlag,
      threshold: orNull(isNumber),
      options: isText,
      judges: listOf(isText),
      origin: isText,
    }),
  ),
};
const isCase = objectOf({
  setId: isText,
  caseId: isText,
  group: orNull(isText),
  verdict: isVerdict,
  asked: isText,
  version: isText,
  criteria: listOf(isScored),
  passed: listOf(orNull(isFlag)),
});

function isWhole(value: object): value is BaselineFile {
  return mistakeIn({ ...value }) === null;
}

/** What is wrong, with its place; `null`: nothing. */
function mistakeIn(value: Readonly<Record<string, unknown>>): string | null {
  const part = Object.entries(parts).find(([key, check]) => !check(value[key]));
  if (part !== undefined) return `"${part[0]}" is missing or damaged`;
  if (!Array.isArray(value.cases)) return '"cases" must be a list';
  const index = value.cases.findIndex((one) => !isCase(one));
  return index === -1 ? null : `"cases[${index}]" is damaged`;
}
