import type { Json } from '@agent-criteria/core';
import { stringifyJson } from '@agent-criteria/formats';
import { groupBy, type Prices, type RunCase, type RunCriterion, type RunRecord } from '@agent-criteria/results';
import { collectInstruments } from './collect-instruments.ts';
import type { CriterionFacts } from './criterion-facts.ts';
import { fingerprint } from './fingerprint.ts';
import type { Instrument } from './instrument.ts';
import { type CaseOutcome, caseOutcome } from './outcome.ts';
import { collectStopped, type StoppedEarly } from './stopped-early.ts';

/** A run, or one of its variants, as statements are made of it: numbers, names, and what they depend on. Plain JSON. */
export interface RunOutcomes {
  readonly id: string;
  /** One of several agents of the run; absent where there is one. */
  readonly variant?: string | undefined;
  /** As the user named it. */
  readonly agent: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Whether every unit is inferred and scored. */
  readonly finished: boolean;
  readonly compat: 'adk' | null;
  /** What was saved where cases stop once they have run often enough; absent: all have as many repeats. */
  readonly stoppedEarly?: StoppedEarly | undefined;
  /** The runs by whose verdicts its cases were chosen (`--only-failed`), directly or through another run; absent: none. */
  readonly selectedBy?: readonly string[] | undefined;
  /** By name: those of all sets together. */
  readonly criteria: readonly CriterionFacts[];
  /** What judged the criteria whose scores rest on opinions of a judge; absent where there is none, and in a baseline. */
  readonly instruments?: readonly Instrument[] | undefined;
  /** In the order of the run. */
  readonly cases: readonly CaseOutcome[];
}

/** What a record does not say of a run, and its folder and its project do. */
export interface MoreFacts {
  /** By set and criterion: the options as they were used, and the ids of models. */
  readonly used?: ((setId: string, criterion: string) => Used | undefined) | undefined;
  /** Of models. Default: what the agent's calls cost is not computed. */
  readonly prices?: Prices | undefined;
}

export interface Used {
  readonly options: Json;
  readonly models: Readonly<Record<string, string | null>>;
}

/** Reads every case of a run once and keeps its numbers: one entry for each of its variants, or a single one. */
export async function runOutcomes(run: RunRecord, more: MoreFacts = {}): Promise<readonly RunOutcomes[]> {
  const outcomes = collectOutcomes(run, more);
  for await (const one of run.cases()) outcomes.add(one);
  return outcomes.list();
}

/** What `runOutcomes` gives, of cases that are read for something else anyway. */
export interface OutcomeCollection {
  /** Takes each case once, in the order of the run. */
  add(one: RunCase): void;
  list(): readonly RunOutcomes[];
}

export function collectOutcomes(run: RunRecord, more: MoreFacts = {}): OutcomeCollection {
  const { id, agent, startedAt, units, compat, variants, selection } = run.info;
  const byVariant = new Map(
    (variants ?? [{ name: undefined }]).map(({ name }) => [
      name as string | undefined,
      { cases: [] as CaseOutcome[], instruments: collectInstruments(), stopped: collectStopped(run.info) },
    ]),
  );
  return {
    add(one) {
      const own = byVariant.get(one.variant);
      own?.cases.push(caseOutcome(one, more.prices));
      own?.instruments.add(one);
      own?.stopped?.add(one);
    },
    list() {
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

/** What the scores of each criterion of a run depend on. */
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

/** One criterion as several sets have it. */
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
