import { CriteriaError } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { fits, is } from '@agent-criteria/formats/schema';
import type { CaseOutcome } from './outcome.ts';
import type { RunOutcomes } from './run-outcomes.ts';

const KIND = 'agent-criteria baseline';
const FORMAT = 1;

/** A run as a small file to commit: scores by case and repeat, names, versions and hashes, but no text. */
export interface BaselineFile extends Omit<RunOutcomes, 'cases' | 'instruments'> {
  readonly kind: typeof KIND;
  readonly format: typeof FORMAT;
  readonly cases: readonly BaselineCase[];
}

/** A case without the agent's answers. */
export interface BaselineCase extends Omit<CaseOutcome, 'reason' | 'repeats'> {
  /** Whether each repeat passed, or `null` if it could not be judged. */
  readonly passed: readonly (boolean | null)[];
}

export function baselineFile({ cases, instruments: _, ...run }: RunOutcomes): BaselineFile {
  return {
    kind: KIND,
    format: FORMAT,
    ...run,
    cases: cases.map(({ reason: _reason, repeats, ...one }) => ({
      ...one,
      criteria: one.criteria.map(({ reason: _, ...scores }) => scores),
      passed: repeats.map(({ passed }) => passed),
    })),
  };
}

/** Checks whether a parsed file is a baseline, whatever its format version. */
export function isBaseline(value: unknown): boolean {
  return isObject(value) && value.kind === KIND;
}

/**
 * Reads a baseline as the run that it was made from, without its text.
 *
 * @param file The file name to use in errors.
 * @throws CriteriaError UNKNOWN_FORMAT for another format version; INVALID_DATA for an invalid baseline.
 */
export function readBaseline(value: unknown, file: string): RunOutcomes {
  const refuse = (message: string, code: 'INVALID_DATA' | 'UNKNOWN_FORMAT' = 'INVALID_DATA') =>
    new CriteriaError({ code, file, message });
  const again = 'write the baseline anew with agent-criteria baseline set RUN --output FILE';
  if (!isObject(value) || value.kind !== KIND) {
    throw refuse(`not a baseline: "kind" must be "${KIND}"; ${again.replace('the baseline anew', 'one')}`);
  }
  if (typeof value.format !== 'number') throw refuse(`"format" must be a number; ${again}`);
  if (value.format !== FORMAT) {
    const reads = `and this version reads format ${FORMAT}: update agent-criteria, or write the baseline anew`;
    throw refuse(`a baseline of format ${value.format}, ${reads}`, 'UNKNOWN_FORMAT');
  }
  if (!isWhole(value)) throw refuse(`${mistakeIn(value)}; ${again}`);
  const { kind: _kind, format: _format, cases, ...run } = value;
  return { ...run, cases: cases.map(withRepeats) };
}

function withRepeats({ passed, ...one }: BaselineCase): CaseOutcome {
  return { ...one, repeats: passed.map((own, repeat) => ({ repeat, passed: own, answer: null })) };
}

/** JSON may contain numbers beyond the range of a double. */
const finite = (value: unknown) => Number.isFinite(value);
const verdicts = ['passed', 'failed', 'not-evaluated', 'error', 'informational', 'skipped'];
const verdict = (value: unknown) => typeof value === 'string' && verdicts.includes(value);

const parts = {
  id: is.text,
  agent: is.text,
  startedAt: finite,
  finished: is.flag,
  compat: is.orNull(is.text),
  selectedBy: is.optional(is.list(is.text)),
  stoppedEarly: is.optional({ casePassRate: finite, most: finite }),
  criteria: is.list({
    name: is.text,
    range: { min: finite, max: is.orNull(finite), better: (value: unknown) => value === 'higher' || value === 'lower' },
    decides: is.flag,
    byDefault: is.flag,
    threshold: is.orNull(finite),
    options: is.text,
    judges: is.list(is.text),
    origin: is.text,
  }),
};
const ofCase = {
  setId: is.text,
  caseId: is.text,
  group: is.orNull(is.text),
  verdict,
  asked: is.text,
  version: is.text,
  criteria: is.list({
    name: is.text,
    verdict,
    score: is.orNull(finite),
    coverage: is.orNull(finite),
    scores: is.list(is.orNull(finite)),
  }),
  passed: is.list(is.orNull(is.flag)),
};

function isWhole(value: object): value is BaselineFile {
  return mistakeIn({ ...value }) === null;
}

/** Describes the first mistake, or returns `null` if there is none. */
function mistakeIn(value: Readonly<Record<string, unknown>>): string | null {
  const part = Object.entries(parts).find(([key, check]) => !check(value[key]));
  if (part !== undefined) return `"${part[0]}" is missing or damaged`;
  if (!Array.isArray(value.cases)) return '"cases" must be a list';
  const index = value.cases.findIndex((one) => !fits(ofCase, one));
  return index === -1 ? null : `"cases[${index}]" is damaged`;
}
