import type { Problem } from '@agent-criteria/core';
import { summarise } from '@agent-criteria/core/host';
import { type GateRecord, type Prices, type RunRecord, type RunVariant, runSet } from '@agent-criteria/results';
import {
  describeCriteria,
  type EvaluatedCase,
  type LoadedAgent,
  type PlannedSet,
  type RunAgents,
} from '@agent-criteria/runner';
import type { LoadedProjectConfig } from '../../config/project-config.ts';
import type { PreparedSet } from '../../plan/plan-sets.ts';
import { loadInstruments } from '../load-instruments.ts';
import { usedBy } from '../open-outcomes.ts';
import type { BaselineSource } from './open-baseline.ts';
import { type PreparedGates, prepareGates } from './run-gates.ts';

/** The gates for cases that run one by one. */
export interface EvaluationGates extends Pick<PreparedGates, 'decide' | 'names'> {
  /** Warnings to show before the first case runs. */
  readonly warnings: readonly Problem[];
  /**
   * Computes the results once every case has run with every agent.
   * @param cases Each case once, with its last result.
   */
  results(cases: readonly EvaluatedCase[]): Promise<readonly GateRecord[]>;
}

interface EvaluationGatesOptions extends RunAgents {
  readonly project: LoadedProjectConfig;
  /** The project's folder for runs. */
  readonly runsFolder: string;
  readonly repeats: number;
  readonly prices: Prices | undefined;
  /** The folder to which paths in a config value are relative. */
  readonly from: string | undefined;
}

/** Prepares the gates of an evaluation. @throws CriteriaError as `prepareGates`. */
export async function evaluationGates(
  sets: readonly (PlannedSet & Pick<PreparedSet, 'gates'>)[],
  { project, runsFolder, repeats, prices, from, ...agents }: EvaluationGatesOptions,
): Promise<EvaluationGates | null> {
  const config = { ...project, settings: { ...project.settings, prices } };
  const prepared = await prepareGates({
    sets,
    repeats,
    project: { config, runsFolder, knowsIds: false, builtIn: undefined },
    from,
    agents: agentsOf(agents),
    source: { kind: 'new' },
  });
  if (prepared === null) return null;
  const { decide, names, warnings } = prepared;
  const measured = await loadInstruments({ config });
  const used = usedBy({
    scoringPlan: { sets: sets.map((set) => ({ id: set.plan.evalSet.evalSetId, criteria: describeCriteria(set) })) },
  });
  return {
    decide,
    names,
    warnings,
    results: async (cases) => {
      const record = recordOf(sets, cases);
      return record === null ? [] : prepared.resultsOf(record, used, measured);
    },
  };
}

/** Pairs agents with the paths by which they are known. */
function agentsOf({ agent, variants }: RunAgents): BaselineSource['agents'] {
  const known = (one: RunAgents['agent']) => {
    const { agentPath: file, agentName }: Partial<LoadedAgent> = one !== undefined && 'agentPath' in one ? one : {};
    return file === undefined ? null : { file, agentName };
  };
  if (variants === undefined) return [{ variant: undefined, agent: known(agent) }];
  return Object.entries(variants).map(([variant, one]) => ({ variant, agent: known(one) }));
}

/** Combines cases that ran one by one into one run. */
function recordOf(sets: readonly PlannedSet[], cases: readonly EvaluatedCase[]): RunRecord | null {
  const [first] = cases;
  if (first === undefined) return null;
  const variants = new Map<string, RunVariant>();
  for (const { record } of cases) for (const one of record.info.variants ?? []) variants.set(one.name, one);
  const units = cases.reduce((sum, { result }) => sum + result.units.length, 0);
  return {
    ...first.record,
    info: {
      ...first.record.info,
      units: { total: units, finished: units },
      ...(variants.size === 0 ? {} : { variants: [...variants.values()] }),
    },
    sets: sets.map((set) => runSet(set.plan, set, summarise([]))),
    summary: summarise(cases.map(({ result }) => result)),
    async *cases(setId) {
      for (const { record } of cases) yield* record.cases(setId);
    },
  };
}
