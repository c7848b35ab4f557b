import { resolve } from 'node:path';
import { randomHex, sha256 } from '@agent-criteria/calls';
import type { Json, Problem } from '@agent-criteria/core';
import { coreVersion, type Plan, summarise } from '@agent-criteria/core/host';
import { parseJson, stringifyJson } from '@agent-criteria/formats';
import type { SecretMask } from '@agent-criteria/masking';
import {
  type CaseSelection,
  type Prices,
  type RunCommit,
  type RunCriterion,
  runSet,
  tokenPrices,
} from '@agent-criteria/results';
import manifest from '../../package.json' with { type: 'json' };
import type { AgentFacts, RunAgentFacts } from '../agents.ts';
import { readFileSync } from '../node-fs.ts';
import { shownPath } from '../paths.ts';
import type { PlannedSet } from '../planned-set.ts';
import { FORMAT } from './layout.ts';
import type { AgentRecord, PlannedSetRecord, RunPlan, RunPlans, ScoredSetRecord, ScoringPlan } from './plan-file.ts';

/** A run as described in its folder. */
export interface RunDescription extends RunAgentFacts {
  readonly sets: readonly PlannedSet[];
  readonly repeats: number;
  readonly auto?: RunPlan['auto'];
  /** Which of the sets' cases were selected. Default: all. */
  readonly selection?: CaseSelection | undefined;
  /** The prices of models. Default: none. */
  readonly prices?: Prices | undefined;
  /** The commit that the run starts from. Default: not known. */
  readonly commit?: RunCommit | undefined;
  /** The run's gates. Default: none. */
  readonly gates?: ScoringPlan['gates'];
  /** The folder to which the paths of the sets and the agent are relative. Default: the working folder. */
  readonly workingFolder?: string | undefined;
}

/** Describes a run: its plans as they appear in files, and the contents of its sets, one case per line. */
export function describeRun(
  { sets, agent, variants, repeats, auto, selection, commit, prices, gates = [], workingFolder }: RunDescription,
  id: string,
  now: number,
): RunPlans & { readonly contents: readonly string[] } {
  const compat = sets[0]?.plan.compat ?? null;
  const own = { '@agent-criteria/core': coreVersion, [manifest.name]: manifest.version };
  const packages = packagesOf(sets, own);
  const contents = sets.map(({ plan }) => contentOf(plan));
  const common = sets.map(({ plan, file }, index) => {
    const hash = sha256(contents[index] ?? '');
    return {
      id: plan.evalSet.evalSetId,
      file: shownPath(file, workingFolder),
      hash,
      content: hash,
      cases: plan.evalSet.evalCases.length,
    };
  });
  const ofModels = tokenPrices(prices);
  const problems: Problem[] = sets.flatMap((set) => [...(set.warnings ?? set.plan.warnings)]);
  return {
    contents,
    run: {
      format: FORMAT,
      id,
      createdAt: now,
      ...(commit === undefined ? {} : { commit }),
      repeats,
      ...(auto && { auto: { casePassRate: auto.casePassRate } }),
      compat,
      packages: packages.run,
      ...(ofModels && { prices: ofModels }),
      ...(selection === undefined ? {} : { selection }),
      agent: describeAgent(agent, workingFolder),
      ...(variants && {
        variants: variants.map((one) => ({ variant: one.variant, ...describeAgent(one, workingFolder) })),
      }),
      sets: sets.map(
        ({ plan }, index) =>
          ({
            ...common[index],
            simulator: describeSimulator(plan),
            ...describeEnvironment(plan),
          }) as RunPlan['sets'][number],
      ),
    },
    scoring: {
      format: FORMAT,
      scoring: 1,
      createdAt: now,
      compat,
      packages: packages.scoring,
      ...(selection === undefined ? {} : { selection }),
      gates,
      warnings: problems,
      sets: sets.map((set, index) => {
        const { name, description } = set.plan.evalSet;
        return {
          ...common[index],
          ...(typeof name === 'string' ? { name } : {}),
          ...(typeof description === 'string' ? { description } : {}),
          configFile: shownPath(set.configFile, workingFolder),
          criteria: describeCriteria(set),
        } as ScoringPlan['sets'][number];
      }),
    },
  };
}

function describeAgent({ name, path, agentName }: AgentFacts, workingFolder: string | undefined): AgentRecord {
  return { name, path: shownPath(path, workingFolder), hash: hashOfFile(path, workingFolder), agentName };
}

function hashOfFile(path: string | null, workingFolder = '.'): string | null {
  if (path === null) return null;
  try {
    return sha256(readFileSync(resolve(workingFolder, path), 'utf8'));
  } catch {
    return null;
  }
}

/** Creates an id that sorts by time: `20261121-131500-k3f9`, in UTC. */
export function newRunId(now: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T');
  const random = BigInt(`0x${randomHex(4)}`)
    .toString(36)
    .padStart(4, '0')
    .slice(-4);
  return `${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${random}`;
}

/** Serialises a set with one case per line, for storing it and for detecting changes. */
function contentOf(plan: Plan): string {
  const { evalCases, ...head } = plan.evalSet;
  return [head, ...evalCases].map((line) => stringifyJson(line)).join('\n');
}

export function describeCriteria(set: PlannedSet): ScoredSetRecord['criteria'] {
  const { plan } = set;
  const plain = runSet(plan, set, summarise([])).criteria;
  return plan.criteria.map((planned, index) => ({
    ...(plain[index] as RunCriterion),
    options: asJson(planned.options),
    models: modelIds(plan, planned.criterion.models?.(planned.options) ?? []),
  }));
}

function describeSimulator(plan: Plan): PlannedSetRecord['simulator'] {
  if (plan.simulator === null) return null;
  const { simulator, options } = plan.simulator;
  return { name: simulator.name, options: asJson(options), models: modelIds(plan, simulator.models?.(options) ?? []) };
}

function describeEnvironment(plan: Plan): Pick<PlannedSetRecord, 'environment'> {
  const { environments, config } = plan;
  if (environments.size === 0) return {};
  const { measure: _measure, gates: _gates, ...own } = config?.agentCriteria ?? {};
  const names = [...environments.values()].flatMap((one) =>
    [...one.simulators.values()].flatMap((simulator) => simulator.models?.(one.config) ?? []),
  );
  return { environment: { config: asJson(own), models: modelIds(plan, names) } };
}

function modelIds(plan: Plan, names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, plan.models(name)?.id ?? null]));
}

/** Converts options to JSON. Functions become their source text. */
function asJson(value: unknown): Json {
  const text = stringifyJson(value, (_key, inner: unknown) => (typeof inner === 'function' ? String(inner) : inner));
  return text === undefined ? null : parseJson(text);
}

function packagesOf(sets: readonly PlannedSet[], own: Readonly<Record<string, string>>) {
  const criteria = sets.flatMap(({ plan }) => plan.criteria.map(({ criterion }) => criterion.origin));
  const simulators = sets.flatMap(({ plan: { simulator, environments } }) => [
    ...(simulator === null ? [] : [simulator.simulator.origin]),
    ...[...environments.values()].flatMap((one) => [...one.simulators.values()].map(({ origin }) => origin)),
  ]);
  const versions = (origins: readonly { package: string; version: string }[]) =>
    Object.fromEntries(origins.map((origin) => [origin.package, origin.version]));
  return { run: { ...own, ...versions(simulators) }, scoring: { ...own, ...versions(criteria) } };
}

/** Masks any secrets that a config contains. Does nothing to plans that are already masked. */
export function maskPlans({ run, scoring }: RunPlans, mask: SecretMask | null): RunPlans {
  return { run: maskRunPlan(run, mask), scoring: maskScoringPlan(scoring, mask) };
}

export function maskRunPlan(plan: RunPlan, mask: SecretMask | null): RunPlan {
  if (mask === null) return plan;
  return {
    ...plan,
    sets: plan.sets.map((set) => ({
      ...set,
      simulator: mask.json(set.simulator),
      ...(set.environment && { environment: mask.json(set.environment) }),
    })),
  };
}

export function maskScoringPlan(plan: ScoringPlan, mask: SecretMask | null): ScoringPlan {
  if (mask === null) return plan;
  const sets = plan.sets.map((set) => ({ ...set, criteria: mask.json(set.criteria) }));
  return { ...plan, warnings: mask.json(plan.warnings), sets };
}
