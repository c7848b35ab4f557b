import type { Json } from '@agent-criteria/core';
import { stringifyJson } from '@agent-criteria/formats';
import { groupBy, type Prices, type RunCase, type RunCriterion, type RunRecord } from '@agent-criteria/results';
import { collectInstruments } from './collect-instruments.ts';
import { fingerprint } from './fingerprint.ts';
import type { CriterionFacts, Instrument } from './instrument.ts';
import { type CaseOutcome, caseOutcome } from './outcome.ts';
import { collectStopped, type StoppedEarly } from './stopped-early.ts';

/** The results of a run, or of one of its variants: numbers, names, and the facts they depend on. Plain JSON. */
export interface RunOutcomes {
  readonly id: string;
  /** The name of the variant. Absent if the agent has none. */
  readonly variant?: string | undefined;
  /** The agent's name, as the user gave it. */
  readonly agent: string;
  /** The start time in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly finished: boolean;
  readonly compat: 'adk' | null;
  /** The savings from stopping cases early. Absent if the number of repeats is fixed. */
  readonly stoppedEarly?: StoppedEarly | undefined;
  /**
   * The runs whose verdicts selected the cases (`--only-failed`), directly or through another run. Absent if none did.
   */
  readonly selectedBy?: readonly string[] | undefined;
  /** The criteria of all sets, each name once. */
  readonly criteria: readonly CriterionFacts[];
  /** The judges of criteria that have one. Absent if there are none, and in a baseline. */
  readonly instruments?: readonly Instrument[] | undefined;
  readonly cases: readonly CaseOutcome[];
}

/** Facts that are not in a run's record, but in its folder or its project. */
export interface MoreFacts {
  /** Looks up the options that were used and the model ids, by set and criterion. */
  readonly used?: ((setId: string, criterion: string) => Used | undefined) | undefined;
  /** Model prices. Default: the cost of the agent's calls is not computed. */
  readonly prices?: Prices | undefined;
}

export interface Used {
  readonly options: Json;
  readonly models: Readonly<Record<string, string | null>>;
}

/** Reads every case of a run once and returns its results: one entry for each variant, or a single one. */
export async function runOutcomes(run: RunRecord, more: MoreFacts = {}): Promise<readonly RunOutcomes[]> {
  const outcomes = collectOutcomes(run, more);
  for await (const one of run.cases()) outcomes.add(one);
  return outcomes.list();
}

/** Collects the results of `runOutcomes` from cases that are being read anyway. */
export function collectOutcomes(run: RunRecord, more: MoreFacts = {}) {
  const { id, agent, startedAt, units, compat, variants, selection } = run.info;
  const byVariant = new Map(
    (variants ?? [{ name: undefined }]).map(({ name }) => [
      name as string | undefined,
      { cases: [] as CaseOutcome[], instruments: collectInstruments(), stopped: collectStopped(run.info) },
    ]),
  );
  return {
    /** Adds a case. Must be called once per case, in the order of the run. */
    add(one: RunCase): void {
      const own = byVariant.get(one.variant);
      own?.cases.push(caseOutcome(one, more.prices));
      own?.instruments.add(one);
      own?.stopped?.add(one);
    },
    list(): readonly RunOutcomes[] {
      const finished = units.finished === units.total;
      const criteria = criteriaOf(run, more);
      const selectedBy = selection?.failedIn;
      const facts = { id, startedAt, finished, compat, ...(selectedBy && { selectedBy }), criteria };
      return [...byVariant].map(([variant, { cases, instruments, stopped }]) => {
        const judged = instruments.list(criteria).flatMap(({ judged, ...one }) => (judged ? [one] : []));
        return {
          ...facts,
          ...(stopped && { stoppedEarly: stopped.result() }),
          ...(variant === undefined ? {} : { variant }),
          ...(judged.length === 0 ? {} : { instruments: judged }),
          agent: variants?.find(({ name }) => name === variant)?.agent ?? agent,
          cases,
        };
      });
    },
  };
}

/** Lists the facts that the scores of each criterion in a run depend on. */
export function criteriaOf(run: RunRecord, { used }: MoreFacts): readonly CriterionFacts[] {
  const all = run.sets.flatMap((set) =>
    set.criteria.map((criterion) => factsOf(criterion, used?.(set.id, criterion.name))),
  );
  return [...groupBy(all, ({ name }) => name).values()].map(joined);
}

function factsOf(criterion: RunCriterion, used: Used | undefined): CriterionFacts {
  const { name, range, decides, byDefault = false, threshold, written, origin } = criterion;
  return {
    name,
    range,
    decides,
    byDefault,
    threshold,
    options: fingerprint(stringifyJson(withoutThreshold(used?.options ?? written))),
    judges: Object.entries(used?.models ?? {})
      .map(([model, id]) => id ?? model)
      .sort(),
    origin: `${origin.package} ${origin.version}`,
  };
}

/** Merges the facts about one criterion from several sets. */
function joined(all: readonly CriterionFacts[]): CriterionFacts {
  const [first] = all as readonly [CriterionFacts];
  const options = [...new Set(all.map((one) => one.options))].sort();
  return {
    ...first,
    decides: all.some(({ decides }) => decides),
    threshold: all.every(({ threshold }) => threshold === first.threshold) ? first.threshold : null,
    options: options.length === 1 ? first.options : fingerprint(options.join()),
    judges: [...new Set(all.flatMap(({ judges }) => judges))].sort(),
  };
}

function withoutThreshold(written: Json): Json {
  if (typeof written === 'number') return {};
  if (typeof written !== 'object' || written === null || Array.isArray(written)) return written;
  return Object.fromEntries(
    Object.entries(written)
      .filter(([key]) => key !== 'threshold')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ) as Json;
}
