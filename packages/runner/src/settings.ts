import { type Duration, toMilliseconds } from '@agent-criteria/calls';
import { CriteriaError, type Json } from '@agent-criteria/core';
import type { CallPolicies } from '@agent-criteria/core/host';
import type { Prices } from '@agent-criteria/results';
import type { RunWatcher } from './engine/events.ts';
import { MOST_REPEATS, runDefaults } from './run-defaults.ts';

/** Changes what is kept before it is written: names, secrets. Gives JSON of the same shape. */
export type Redact = (value: Json, kind: RecordKind) => Json;
export type RecordKind = 'case' | 'inference' | 'scores' | 'call';

/** How a run goes, whatever it is a run of. */
export interface RunSettings {
  /** How many sessions are open at once (default 4), and how many calls of criteria run at once (default 16). */
  readonly concurrency?: { readonly agents?: number | undefined; readonly scoring?: number | undefined } | undefined;
  /** How long one turn may take. Default `"300s"`. */
  readonly turnTimeout?: Duration | undefined;
  /** How long one case may take, each repeat by itself. Default: no limit. */
  readonly caseTimeout?: Duration | undefined;
  /** How long the whole run may take; what is left then is unfinished. Default: no limit. */
  readonly runTimeout?: Duration | undefined;
  /** How long a criterion may take, not counting calls to models and services. Default `"300s"`. */
  readonly criterionTimeout?: Duration | undefined;
  /**
   * Whether secrets are masked in everything that is kept and scored: known forms, such as bearer tokens and API keys, and
   * the values of variables named like a secret. A form that an eval set has is none. Default true.
   */
  readonly maskSecrets?: boolean | undefined;
  /** The variables whose secrets are masked. Default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Further variables whose secrets are masked, such as those of a `.env` file that the environment overrides. Default: none. */
  readonly alsoMasked?: readonly Readonly<Record<string, string | undefined>>[] | undefined;
  /** Changes everything before it is kept, and before it is scored: scores are of what can be read again. */
  readonly redact?: Redact | undefined;
  /**
   * What stands before models and paid services: cache, recordings, budget, retries, limits, as
   * `callPolicies` of @agent-criteria/models makes it. Default: only `concurrency.scoring` limits calls. Its creator closes it.
   */
  readonly policies?: CallPolicies | undefined;
  /** What models cost, so that recorded calls say what they did cost. */
  readonly prices?: Prices | undefined;
  /** Aborting ends open sessions and starts no more; what was done is kept. */
  readonly signal?: AbortSignal | undefined;
  /** Aborting starts no more; open sessions come to their end, and are scored unless they would have to wait for that. */
  readonly drain?: AbortSignal | undefined;
  readonly onEvent?: RunWatcher | undefined;
}

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

/** The settings of a run among other options. */
export function pickRunSettings(options: RunSettings): RunSettings {
  const names: readonly string[] = Object.keys(runSettingNames);
  return Object.fromEntries(Object.entries(options).filter(([name]) => names.includes(name)));
}

/** The limits of a run, with defaults; times in milliseconds. */
export function settingsOf({ concurrency, turnTimeout, caseTimeout, runTimeout, criterionTimeout }: RunSettings) {
  const { agents = runDefaults.concurrency.agents, scoring = runDefaults.concurrency.scoring } = concurrency ?? {};
  return {
    agents,
    scoring,
    turnTimeout: toMilliseconds(turnTimeout ?? runDefaults.turnTimeout),
    caseTimeout: toMilliseconds(caseTimeout ?? Number.POSITIVE_INFINITY),
    runTimeout: runTimeout === undefined ? undefined : toMilliseconds(runTimeout),
    criterionTimeout: toMilliseconds(criterionTimeout ?? runDefaults.criterionTimeout),
  };
}

/** Refuses counts that are not whole numbers above 0, and durations that do not last that many milliseconds. */
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

/** A price that is no price would make a run look cheaper than it is. */
function checkPrices({ prices = {} }: RunSettings): void {
  const problems = Object.entries(prices).flatMap(([model, own]) =>
    Object.entries(own)
      .filter(([, price]) => !(Number.isFinite(price) && price >= 0))
      .map(([name, price]) => ({
        code: 'USAGE' as const,
        message: `prices: ${name} of "${model}" must be a number of 0 or more, not ${price}`,
      })),
  );
  if (problems.length > 0) throw new CriteriaError(problems);
}

/** `checkPositive` for all options of a run, and its prices. */
export function checkRunSettings(settings: RunSettings & { readonly repeats?: number | undefined }): void {
  const { repeats, turnTimeout, caseTimeout, runTimeout, criterionTimeout } = settings;
  const { agents, scoring } = settings.concurrency ?? {};
  const limits = { 'concurrency.agents': agents, 'concurrency.scoring': scoring };
  checkPrices(settings);
  checkPositive({ repeats, ...limits }, { turnTimeout, caseTimeout, runTimeout, criterionTimeout });
  if (repeats !== undefined && repeats > MOST_REPEATS) {
    const message = `repeats must be at most ${MOST_REPEATS}, not ${repeats}`;
    throw new CriteriaError({ code: 'USAGE', message });
  }
}
