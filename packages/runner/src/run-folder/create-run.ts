import { resolve } from 'node:path';
import { randomHex, sha256 } from '@agent-criteria/calls';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import { coreVersion } from '@agent-criteria/core/host';
import { parseJson, stringifyJson } from '@agent-criteria/formats';
import type { SecretMask } from '@agent-criteria/masking';
import type { CaseSelection } from '@agent-criteria/results';
import manifest from '../../package.json' with { type: 'json' };
import { type Redaction, redactCase } from '../engine/redact.ts';
import { existsSync, mkdirSync, readFileSync } from '../node-fs.ts';
import type { PlannedSet } from '../planned-set.ts';
import { shownPath } from '../shown-path.ts';
import type { Blobs } from './blobs.ts';

import { FORMAT, layout } from './layout.ts';
import {
  type AgentRecord,
  contentOf,
  describeCriteria,
  describeSimulator,
  packagesOf,
  type RunPlan,
  readRunPlanFile,
  readScoringPlanFile,
  type ScoringPlan,
  writeJsonFile,
} from './plan-file.ts';
import { writeFailed } from './write-failed.ts';

/** What is known of the agent under test. */
export interface AgentFacts {
  readonly name: string;
  /** Its module or its URL, when it has one. */
  readonly path: string | null;
  /** The name by which it was chosen among those of its module, if it was. */
  readonly agentName?: string | undefined;
}

/** An agent of several that run side by side. */
export interface VariantFacts extends AgentFacts {
  readonly variant: string;
}

/** Everything that tells a run from another. */
export interface RunPlans {
  readonly run: RunPlan;
  readonly scoring: ScoringPlan;
}

export interface DescribeOptions {
  readonly sets: readonly PlannedSet[];
  readonly agent: AgentFacts;
  /** Several agents, in place of the one. */
  readonly variants?: readonly VariantFacts[] | undefined;
  readonly repeats: number;
  readonly auto?: RunPlan['auto'];
  readonly id: string;
  readonly now: number;
  /** Which cases of the sets were asked for. Default: all. */
  readonly selection?: CaseSelection | undefined;
  /** The gates of the run. Default: none. */
  readonly gates?: ScoringPlan['gates'];
  /** What the paths of the sets and the agent are relative to. Default: the working folder. */
  readonly workingFolder?: string | undefined;
}

/** The plans of a run as files hold them, and the content of its sets, a case a line. */
export function describeRun(options: DescribeOptions): RunPlans & { readonly contents: readonly string[] } {
  const { sets, agent, variants, repeats, auto, id, now, selection, gates = [], workingFolder } = options;
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
  const problems: Problem[] = sets.flatMap((set) => [...(set.warnings ?? set.plan.warnings)]);
  return {
    contents,
    run: {
      format: FORMAT,
      id,
      createdAt: now,
      repeats,
      ...(auto && { auto: { casePassRate: auto.casePassRate } }),
      compat,
      packages: packages.run,
      ...(selection === undefined ? {} : { selection }),
      agent: describeAgent(agent, workingFolder),
      ...(variants && {
        variants: variants.map((one) => ({ variant: one.variant, ...describeAgent(one, workingFolder) })),
      }),
      sets: sets.map(
        ({ plan }, index) => ({ ...common[index], simulator: describeSimulator(plan) }) as RunPlan['sets'][number],
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

/** A new id, which sorts by time: `20261121-131500-k3f9`, in UTC. */
export function newRunId(now: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T');
  const random = BigInt(`0x${randomHex(4)}`)
    .toString(36)
    .padStart(4, '0')
    .slice(-4);
  return `${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${random}`;
}

/**
 * Writes the plans of a new run, and last of all `plan.json`: with that it is one.
 * @throws CriteriaError RUN_NOT_FOUND when the folder already has results but no plan to say what they belong to.
 */
export function writeNewRun(
  folder: string,
  plans: ReturnType<typeof describeRun>,
  judge: boolean,
  blobs: Blobs,
  redaction: Redaction,
): void {
  const left = [layout.inferences(folder), layout.scores(folder, plans.scoring.scoring)].find((file) =>
    existsSync(file),
  );
  if (left !== undefined) {
    const message = 'this belongs to a run whose plan.json is missing; restore it from a copy, or use another folder';
    throw new CriteriaError({ code: 'RUN_NOT_FOUND', file: left, message });
  }
  const contents = keepContents(plans.contents, blobs, redaction);
  const sets = plans.run.sets.map((set, index) => ({ ...set, content: contents[index] ?? set.content }));
  if (judge) writeScoringPlan(folder, plans.scoring, contents);
  writeJsonFile(layout.plan(folder), { ...plans.run, judged: judge, sets });
}

export function writeScoringPlan(folder: string, plan: ScoringPlan, contents: readonly string[]): void {
  try {
    mkdirSync(layout.scoring(folder, plan.scoring), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw writeFailed(folder, error);
  }
  const sets = plan.sets.map((set, index) => ({ ...set, content: contents[index] ?? set.content }));
  writeJsonFile(layout.scoringPlan(folder, plan.scoring), { ...plan, sets });
}

/** Keeps the sets beside the run, so that it explains itself when the files have changed. */
export function keepContents(contents: readonly string[], blobs: Blobs, redaction: Redaction): string[] {
  const { mask, redact } = redaction;
  // Hardly any case has a secret: most are not read again.
  const kept = (line: string): string => {
    const isOpen = redact === undefined && (mask === null || mask.reference(line) === line);
    return isOpen ? line : stringifyJson(redactCase(parseJson(line), redaction));
  };
  return contents.map((content) => {
    const [head = '', ...cases] = content.split('\n');
    return blobs.put([head, ...cases.map(kept)].join('\n'));
  });
}

/** A plan as a file holds it: what was written into a config may be a secret. The same for what is masked already. */
export function maskPlans({ run, scoring }: RunPlans, mask: SecretMask | null): RunPlans {
  return { run: maskRunPlan(run, mask), scoring: maskScoringPlan(scoring, mask) };
}

export function maskRunPlan(plan: RunPlan, mask: SecretMask | null): RunPlan {
  if (mask === null) return plan;
  return { ...plan, sets: plan.sets.map((set) => ({ ...set, simulator: mask.json(set.simulator) })) };
}

export function maskScoringPlan(plan: ScoringPlan, mask: SecretMask | null): ScoringPlan {
  if (mask === null) return plan;
  const sets = plan.sets.map((set) => ({ ...set, criteria: mask.json(set.criteria) }));
  return { ...plan, warnings: mask.json(plan.warnings), sets };
}

export function readRunPlan(folder: string): RunPlan {
  return readRunPlanFile(layout.plan(folder));
}

export function readScoringPlan(folder: string, scoring: number): ScoringPlan {
  return readScoringPlanFile(layout.scoringPlan(folder, scoring));
}
