import type {
  AnswerSource,
  ErrorInfo,
  EvalCase,
  Inference,
  Json,
  Origin,
  Problem,
  Range,
  State,
  UnitKey,
} from '@agent-criteria/core';
import { type CaseResult, type Plan, type Summary, summarise } from '@agent-criteria/core/host';
import type { Prices } from './cost-of.ts';
import { groupBy } from './group-by.ts';
import type { KnownOutcome } from './outcome/known-outcome.ts';

/**
 * A run and one of its scoring passes, for readers and reports. Contains none of the criteria's functions, so it can be
 * read without plugins.
 */
export interface RunRecord {
  readonly info: RunInfo;
  readonly sets: readonly RunSet[];
  readonly summary: Summary;
  /** The recorded outcome; absent from records without one, such as an ADK result file. */
  readonly outcome?: KnownOutcome | undefined;
  readonly warnings: readonly Problem[];
  /**
   * Reads every case of every set, or of one set, in set order. With several agents, yields each case once per agent,
   * in the order of the agents. Cases are read lazily, and each call starts over.
   */
  cases(setId?: string): AsyncIterable<RunCase>;
  /** Reads one case. Returns `undefined` if the run has no case with this key. */
  case(key: CaseKey): Promise<RunCase | undefined>;
}

/** The key of a case in a run. `variant` defaults to the first one. */
export type CaseKey = Omit<UnitKey, 'repeat'>;

/** Facts about a whole run. Plain JSON. */
export interface RunInfo {
  readonly id: string;
  /** The name that a person gave it; absent if it has none. */
  readonly name?: string | undefined;
  /** The commit that it started from; absent without a Git repository, and if it is not known. */
  readonly commit?: RunCommit | undefined;
  /** The number of the scoring pass, starting at 1. */
  readonly scoring: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since the epoch, or `null` if the run has not ended. */
  readonly endedAt: number | null;
  /** The agent as the user named it. With several agents: `fast=agent.ts, slow=other.ts`. */
  readonly agent: string;
  /** The named agents (variants); absent if the agent has no variant name. */
  readonly variants?: readonly RunVariant[] | undefined;
  /** The number of repeats of each case, or the maximum with `auto`. */
  readonly repeats: number;
  /** Set if cases stop once it is clear whether they reach this pass rate; absent if each runs `repeats` times. */
  readonly auto?: { readonly casePassRate: number } | undefined;
  readonly compat: 'adk' | null;
  /** The total number of units, and how many of them have been inferred and scored. */
  readonly units: { readonly total: number; readonly finished: number };
  /** Package versions by name. */
  readonly packages: Readonly<Record<string, string>>;
  /** Absent if all cases of the eval sets were selected. */
  readonly selection?: CaseSelection | undefined;
  /** Whether the record only contains cases that did not pass. The counts still cover the whole run. */
  readonly onlyFailed?: true | undefined;
}

/** The Git commit of the agent's code when a run started. Plain JSON. */
export interface RunCommit {
  /** The full hash. */
  readonly hash: string;
  /** Absent if no branch was checked out. */
  readonly branch?: string | undefined;
  /** Whether files differed from the commit, saved runs excepted; absent if that is not known. */
  readonly dirty?: boolean | undefined;
}

/** The subset of its eval sets' cases to which a run was restricted. Plain JSON. */
export interface CaseSelection {
  /** The total number of cases in the eval sets. */
  readonly of: number;
  /** The selectors as the user wrote them, such as `--tag smoke` or `home.evalset.json:kitchen`. */
  readonly by: readonly string[];
  /**
   * The ids of the runs whose verdicts selected cases (`--only-failed`), directly or through another of these runs;
   * absent if there are none.
   */
  readonly failedIn?: readonly string[] | undefined;
}

export interface RunVariant {
  readonly name: string;
  /** The agent as the user named it: `AGENT` or `AGENT#EXPORT`. */
  readonly agent: string;
  /** The summary over all sets. */
  readonly summary: Summary;
}

/** An eval set of a run without its cases. Plain JSON. */
export interface RunSet {
  /** Unique within the run. */
  readonly id: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** The file, or `null` if the set is not a file. */
  readonly file: string | null;
  /** The config file, or `null` for ADK's default criteria or a config that is not a file. */
  readonly configFile: string | null;
  readonly criteria: readonly RunCriterion[];
  readonly summary: Summary;
}

/** A criterion as configured for a set. Plain JSON. */
export interface RunCriterion {
  readonly name: string;
  readonly description: string;
  readonly origin: Origin;
  readonly scope: 'turn' | 'conversation';
  readonly range: Range;
  readonly decides: boolean;
  /** Whether every run measures it even if the config does not mention it. Default `false`. */
  readonly byDefault?: boolean | undefined;
  /** The threshold, or `null` if and only if the criterion does not decide. */
  readonly threshold: number | null;
  readonly minCoverage: number;
  readonly whenNotApplicable: 'not-evaluated' | 'skip';
  /** The criterion's entry in the config. */
  readonly written: Json;
}

/** One case of a run: the expected behaviour, the actual behaviour, and the result. Plain JSON. */
export interface RunCase {
  readonly setId: string;
  /** The name of the variant; absent if the agent has none. */
  readonly variant?: string | undefined;
  readonly evalCase: EvalCase;
  readonly result: CaseResult;
  /** In repeat order, without repeats that never ran. */
  readonly inferences: readonly RunInference[];
  /** Calls that simulated users and criteria made to models and paid services; absent if none were recorded. */
  readonly calls?: readonly RunCall[] | undefined;
  /** The run's prices of models, by which the calls of the agent cost; absent if it has none. */
  readonly prices?: Prices | undefined;
}

/** A recorded inference with its key. Plain JSON. */
export interface RunInference {
  readonly key: UnitKey;
  readonly inference: Inference;
  /** Milliseconds since the epoch. */
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
}

/** A call to a model or another paid service. Plain JSON. */
export interface RunCall {
  readonly role: 'user' | 'criterion' | 'tool';
  readonly key: UnitKey;
  /** The criterion or simulator that made the call. */
  readonly caller: string;
  /** Zero-based, or `null` for a whole conversation. */
  readonly turn: number | null;
  /** Zero-based. */
  readonly sample: number;
  /** The id of the model, or the name of the service. */
  readonly target: string;
  /** The SHA-256 hashes of the request and the answer as JSON, used to look up their contents. */
  readonly request: string;
  readonly answer?: string | undefined;
  /** The model's finish reason; absent for services. */
  readonly finish?: string | undefined;
  /** As reported by the provider. */
  readonly usage?: State | undefined;
  readonly from?: AnswerSource | undefined;
  /** The cost at the run's prices; absent if unknown. */
  readonly cost?: number | undefined;
  readonly error?: ErrorInfo | undefined;
  /** The number of requests, if other than one. It is 0 if the target was known to be down. */
  readonly requests?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Converts a plan to plain data, without the functions of its criteria. */
export function runSet(
  plan: Plan,
  files: { readonly file: string | null; readonly configFile: string | null },
  summary: Summary,
): RunSet {
  const { evalSetId, name, description } = plan.evalSet;
  return {
    id: evalSetId,
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    file: files.file,
    configFile: files.configFile,
    criteria: plan.criteria.map(({ criterion, name: own, ...planned }) => ({
      name: own,
      description: criterion.description,
      origin: criterion.origin,
      scope: criterion.scope,
      range: criterion.range,
      decides: planned.decides,
      ...(planned.byDefault === true ? { byDefault: true } : {}),
      threshold: planned.threshold,
      minCoverage: planned.minCoverage,
      whenNotApplicable: planned.whenNotApplicable,
      written: planned.written,
    })),
    summary,
  };
}

/** One set of an in-memory record, with cases in set order. */
export interface RecordedSet {
  readonly plan: Plan;
  readonly file?: string | null | undefined;
  readonly configFile?: string | null | undefined;
  readonly cases: readonly CaseResult[];
  /** Inferences by case and repeat, in any order. */
  readonly inferences: readonly RunInference[];
  /** In any order. Default: none were recorded. */
  readonly calls?: readonly RunCall[] | undefined;
  readonly warnings?: readonly Problem[] | undefined;
}

/** Facts about an in-memory run. The rest is derived from its sets. */
export type RunFacts = Pick<RunInfo, 'id' | 'startedAt' | 'endedAt' | 'agent'> & {
  readonly [K in Exclude<keyof RunInfo, 'variants'>]?: RunInfo[K] | undefined;
} & {
  /** The named agents (variants), in order. Default: one agent without a variant name. */
  readonly variants?: readonly Omit<RunVariant, 'summary'>[] | undefined;
};

/** Creates the record of an in-memory run. A case without a result counts as an error. */
export function runRecord(facts: RunFacts, sets: readonly RecordedSet[]): RunRecord {
  const finished = sets.flatMap(({ cases }) => cases.flatMap((result) => result.units));
  const counted = finished.reduce((most, unit) => Math.max(most, unit.repeat + 1), 1);
  const origins = sets.flatMap(({ plan }) => plan.criteria.map(({ criterion }) => criterion.origin));
  const planned = sets.reduce((sum, { plan }) => sum + plan.evalSet.evalCases.length, 0);
  const names = facts.variants?.map(({ name }) => name) ?? [undefined];
  const bySet = sets.map((set) => ({ id: set.plan.evalSet.evalSetId, cases: casesOf(set, names) }));
  const results = bySet.map(({ cases }) => cases.map((one) => one.result));
  const {
    scoring = 1,
    repeats = counted,
    compat = sets[0]?.plan.compat ?? null,
    units = { total: planned * counted * names.length, finished: finished.length },
    packages = Object.fromEntries(origins.map((origin) => [origin.package, origin.version])),
    variants,
    ...named
  } = facts;
  const ofVariant = (name: string) =>
    summarise(results.flatMap((all) => all.filter((result) => result.variant === name)));
  return {
    info: {
      scoring,
      repeats,
      compat,
      units,
      packages,
      ...named,
      ...(variants && { variants: variants.map((one) => ({ ...one, summary: ofVariant(one.name) })) }),
    },
    sets: sets.map((set, index) =>
      runSet(set.plan, { file: set.file ?? null, configFile: set.configFile ?? null }, summarise(results[index] ?? [])),
    ),
    summary: summarise(results.flat()),
    warnings: sets.flatMap((set) => [...(set.warnings ?? set.plan.warnings)]),
    async *cases(setId) {
      for (const { id, cases } of bySet) if (setId === undefined || setId === id) yield* cases;
    },
    async case({ setId, caseId, variant = names[0] }) {
      const cases = bySet.flatMap((set) => (set.id === setId ? set.cases : []));
      return cases.find((one) => one.evalCase.evalId === caseId && one.variant === variant);
    },
  };
}

function casesOf(set: RecordedSet, variants: readonly (string | undefined)[]): readonly RunCase[] {
  const ofVariants = variants.map((variant) => casesOfVariant(set, variant));
  return set.plan.evalSet.evalCases.flatMap((_, index) => ofVariants.flatMap((cases) => cases[index] ?? []));
}

function casesOfVariant({ plan, cases, inferences, calls = [] }: RecordedSet, variant: string | undefined): RunCase[] {
  const { evalSetId, evalCases } = plan.evalSet;
  const inferencesOf = groupBy(
    inferences.filter(({ key }) => key.variant === variant),
    caseIdOf,
  );
  const callsOf = groupBy(
    calls.filter(({ key }) => key.variant === variant),
    caseIdOf,
  );
  const ofVariant = variant === undefined ? {} : { variant };
  const results = new Map(
    cases.filter((result) => result.variant === variant).map((result) => [result.caseId, result]),
  );
  return evalCases.map((evalCase) => {
    const { evalId } = evalCase;
    const result = results.get(evalId) ?? missingResult({ setId: evalSetId, caseId: evalId, ...ofVariant });
    const own = [...(inferencesOf.get(evalId) ?? [])].sort((a, b) => a.key.repeat - b.key.repeat);
    const made = callsOf.get(evalId);
    return { setId: evalSetId, ...ofVariant, evalCase, result, inferences: own, calls: made };
  });
}

function caseIdOf({ key }: { readonly key: UnitKey }): string {
  return key.caseId;
}

function missingResult(ids: Pick<CaseResult, 'setId' | 'caseId' | 'variant'>): CaseResult {
  return { ...ids, verdict: 'error', reason: 'no result is recorded', criteria: [], units: [] };
}
