import { type Duration, toMilliseconds } from '@agent-criteria/calls';
import { CriteriaError, type Json } from '@agent-criteria/core';
import type { CallPolicies, Verdict } from '@agent-criteria/core/host';
import type { Prices } from '@agent-criteria/results';
import type { RunWatcher } from './engine/events.ts';
import { MOST_REPEATS, runDefaults } from './run-defaults.ts';

/** Changes a value before it is stored, for example to remove names. Returns JSON of the same shape. */
export type Redact = (value: Json, kind: RecordKind) => Json;
export type RecordKind = 'case' | 'inference' | 'scores' | 'call';

/** How secrets are removed from everything that is stored and scored. */
export interface RedactionSettings {
  /**
   * Whether to mask secrets: known formats, such as bearer tokens and API keys, and the values of variables whose names
   * suggest a secret. Text in an eval set that merely has such a format is not treated as a secret. Default true.
   */
  readonly maskSecrets?: boolean | undefined;
  /** The variables whose secrets are masked. Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * More variables whose secrets are masked, such as those in a `.env` file that the environment overrides. Default:
   * none.
   */
  readonly alsoMasked?: readonly Readonly<Record<string, string | undefined>>[] | undefined;
  /**
   * Changes cases, inferences, scores and calls before they are stored. Inferences are changed before they are scored,
   * too, so that scores refer to what can be read later.
   */
  readonly redact?: Redact | undefined;
}

/** The limits, models and signals of a run. */
export interface RunSettings extends RedactionSettings {
  /** How many sessions may be open at once (default 4), and how many conversations may be scored (default 16). */
  readonly concurrency?: { readonly agents?: number | undefined; readonly scoring?: number | undefined } | undefined;
  /** How long one turn may take. Default `"300s"`. */
  readonly turnTimeout?: Duration | undefined;
  /** How long one repeat of a case may take. Default: no limit. */
  readonly caseTimeout?: Duration | undefined;
  /** How long the whole run may take. Anything left is unfinished. Default: no limit. */
  readonly runTimeout?: Duration | undefined;
  /** How long a criterion may take, not counting its calls to models and services. Default `"300s"`. */
  readonly criterionTimeout?: Duration | undefined;
  /**
   * Policies for calls to models and paid services: cache, recordings, budget, retries and limits, as created by
   * `callPolicies` of @agent-criteria/models. The caller that creates them must close them. Default: calls are only
   * limited by `concurrency.scoring`.
   */
  readonly policies?: CallPolicies | undefined;
  /** The prices of models, used to add the cost to recorded calls. */
  readonly prices?: Prices | undefined;
  /** Aborting ends open sessions and starts no new ones. The results so far are stored. */
  readonly signal?: AbortSignal | undefined;
  /** Aborting starts no new sessions. Open ones finish, and are scored unless they would have to wait for that. */
  readonly drain?: AbortSignal | undefined;
  readonly onEvent?: RunWatcher | undefined;
}

/**
 * Runs each case until it has run enough times, at most `repeats` times. A case's repeats run one after another, but
 * several cases run at once.
 */
export interface AutoRepeats {
  /**
   * The pass rate that cases must reach, between 0 and 1. It is stored in the plan, so that a resumed run follows the
   * same rule.
   */
  readonly casePassRate: number;
  /**
   * Whether a case has run enough times, given the verdicts of its repeats so far, in order. Must not depend on
   * anything else, because a resumed run asks again.
   */
  enough(verdicts: readonly Verdict[]): boolean;
}

/** The names of all settings, for `checkOptions` and `pickRunSettings`. */
export const runSettingNames = {
  concurrency: true,
  turnTimeout: true,
  caseTimeout: true,
  runTimeout: true,
  criterionTimeout: true,
  maskSecrets: true,
  environment: true,
  alsoMasked: true,
  redact: true,
  policies: true,
  prices: true,
  signal: true,
  drain: true,
  onEvent: true,
} as const satisfies Record<keyof RunSettings, true>;

/** Picks the run settings from a larger set of options. */
export function pickRunSettings(options: RunSettings): RunSettings {
  return Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(runSettingNames, name)));
}

/** Limits with defaults filled in. Times are in milliseconds. */
export interface Limits {
  readonly agents: number;
  readonly scoring: number;
  readonly turnTimeout: number;
  readonly caseTimeout: number;
  readonly criterionTimeout: number;
}

/** A run's checked settings, by topic. */
export interface CheckedSettings extends Pick<RunSettings, 'signal' | 'drain' | 'onEvent'> {
  /** In milliseconds. Default: no limit. */
  readonly runTimeout: number | undefined;
  readonly limits: Limits;
  readonly calls: Pick<RunSettings, 'policies' | 'prices'>;
}

/**
 * Checks settings and fills in defaults.
 * @param durations More durations to check, by name.
 * @throws CriteriaError USAGE listing the mistakes.
 */
export function checkRunSettings(
  settings: RunSettings & { readonly repeats?: number | undefined },
  durations: Readonly<Record<string, Duration | undefined>> = {},
): CheckedSettings {
  const { repeats, policies, prices, signal, drain, onEvent } = settings;
  const { turnTimeout, caseTimeout, runTimeout, criterionTimeout } = settings;
  const { agents, scoring } = settings.concurrency ?? {};
  checkPrices(prices);
  const timeLimits = { turnTimeout, caseTimeout, runTimeout, criterionTimeout };
  const counts = { repeats, 'concurrency.agents': agents, 'concurrency.scoring': scoring };
  checkPositive(counts, { ...timeLimits, ...durations });
  if (repeats !== undefined && repeats > MOST_REPEATS) {
    const message = `repeats must be at most ${MOST_REPEATS}, not ${repeats}`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
  return {
    limits: {
      agents: agents ?? runDefaults.concurrency.agents,
      scoring: scoring ?? runDefaults.concurrency.scoring,
      turnTimeout: toMilliseconds(turnTimeout ?? runDefaults.turnTimeout),
      caseTimeout: toMilliseconds(caseTimeout ?? Number.POSITIVE_INFINITY),
      criterionTimeout: toMilliseconds(criterionTimeout ?? runDefaults.criterionTimeout),
    },
    calls: { policies, prices },
    signal,
    drain,
    runTimeout: runTimeout === undefined ? undefined : toMilliseconds(runTimeout),
    onEvent,
  };
}

/** Rejects counts that are not positive integers, and durations that are not a positive integer of milliseconds. */
export function checkPositive(
  counts: Readonly<Record<string, number | undefined>>,
  durations: Readonly<Record<string, Duration | undefined>> = {},
): void {
  const isPositive = (value: number): boolean => Number.isInteger(value) && value > 0;
  const messages = [
    ...Object.entries(counts).flatMap(([name, value]) =>
      value === undefined || isPositive(value) ? [] : `${name} must be a whole number above 0, not ${value}`,
    ),
    ...Object.entries(durations).flatMap(([name, value]) => {
      if (value === undefined || isPositive(toMilliseconds(value))) return [];
      const shown = typeof value === 'string' ? JSON.stringify(value) : value;
      return `${name} must be a whole number of milliseconds above 0, or a duration such as "300s", not ${shown}`;
    }),
  ];
  const problems = messages.map((message) => ({ code: 'USAGE' as const, message }));
  if (problems.length > 0) throw new CriteriaError(problems);
}

/** Rejects invalid prices, which would make a run look cheaper than it is. */
function checkPrices(prices: Prices = {}): void {
  const problems = Object.entries(prices).flatMap(([model, ofModel]) =>
    Object.entries(ofModel)
      .filter(([, price]) => !(Number.isFinite(price) && price >= 0))
      .map(([name, price]) => ({
        code: 'USAGE' as const,
        message: `prices: ${name} of "${model}" must be a number of 0 or more, not ${price}`,
      })),
  );
  if (problems.length > 0) throw new CriteriaError(problems);
}
