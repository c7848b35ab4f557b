import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isBaseline, type RunOutcomes, readBaseline } from '@agent-criteria/analysis';
import { sha256 } from '@agent-criteria/calls';
import { CriteriaError, type Problem } from '@agent-criteria/core';
import { type BaselineRecord, confirmedRun } from '@agent-criteria/results';
import { type OpenedRun, openRun } from '@agent-criteria/runner';
import { parseJsonText } from '../../files/parse-json-text.ts';
import { pathExists } from '../../files/path-kind.ts';
import { readText } from '../../files/read-json-file.ts';
import { nameOfRun, runsOfAgents } from '../find-run.ts';
import { openOutcomes, outcomesOf, type RunsProject } from '../open-outcomes.ts';
import type { FoundAgent } from '../prepared-run.ts';
import { baselineText } from './write-baseline.ts';

/** The baseline for a new run. */
export interface OpenedBaseline {
  /** A file, or the name of a run in a command. */
  readonly name: string;
  readonly runs: readonly RunOutcomes[];
  /** Returns the id and hash of one of `runs`, as outcomes record them. */
  recordOf(run: RunOutcomes): BaselineRecord;
  /** A clause that qualifies every comparison with this baseline. Absent if there is nothing to qualify. */
  readonly remark?: string | undefined;
}

/** The project and agents whose earlier runs can serve as a baseline. */
export interface BaselineSource {
  readonly project: RunsProject;
  /** The agents of the run. An agent that is not known by a path is `null`. */
  readonly agents: readonly {
    readonly variant: string | undefined;
    readonly agent: Pick<FoundAgent, 'file' | 'agentName'> | null;
  }[];
}

/**
 * Opens a baseline: a file written by `baseline set`, a run, or `last`, which is the last finished run of the same
 * agent and of all cases of its eval sets. Must be called before the new run starts.
 * @param folder The folder to which a path is relative, or `undefined` for the working folder.
 * @returns A `note` instead of a baseline if there is no earlier run yet.
 * @throws CriteriaError if it does not exist or cannot be read.
 */
export async function openBaseline(
  word: string,
  folder: string | undefined,
  prepared: BaselineSource,
): Promise<OpenedBaseline | { readonly note: Problem }> {
  const { project } = prepared;
  if (word === 'last') return lastRun(prepared);
  const file = folder === undefined ? word : resolve(folder, word);
  if (/\.json$/i.test(word) && (await pathExists(file))) {
    const text = await readText(file);
    const { value } = parseJsonText(text, file);
    if (isBaseline(value)) {
      const hash = sha256(text);
      return { name: word, runs: [readBaseline(value, file)], recordOf: ({ id }) => ({ id, hash }) };
    }
  } else if (/\.json$/i.test(word)) {
    const message = 'there is no such baseline; write one with agent-criteria baseline set RUN --output FILE';
    throw new CriteriaError({ code: 'FILE_NOT_FOUND', file, message });
  }
  const { name, outcomes } = await openOutcomes(word, project);
  return { name, runs: [outcomes], recordOf };
}

/** Identifies a run by the file that `baseline set` would write for it. */
function recordOf(run: RunOutcomes): BaselineRecord {
  return { id: run.id, hash: sha256(baselineText(run)) };
}

async function lastRun({ project, agents }: BaselineSource) {
  const known = agents.flatMap(({ agent }) => (agent === null ? [] : [agent]));
  for (const opened of runsOfAgents(known, project)) {
    if (!isComparable(opened)) continue;
    const runs = await outcomesOf(openRun(opened.folder));
    return { name: nameOfRun(opened.folder, project), runs, recordOf, ...(fell(opened) ? { remark: FELL } : {}) };
  }
  const message = 'there is no earlier finished run of this agent, so the gate "regression" does not apply to this run';
  return { note: { code: 'RUN_NOT_FOUND', message } as const };
}

/** Whether a run failed a gate that compares it with its own baseline. */
function fell({ outcome }: OpenedRun): boolean {
  const gates = outcome?.state === 'recorded' ? outcome.gates : [];
  return gates.some(({ holds, baseline }) => holds === false && baseline !== undefined);
}

const FELL =
  'the last run, which is the baseline, had itself fallen against its own: only a fixed baseline would still show that fall';

/** Whether a run can serve as a baseline. One of some cases lacks all others, or what passed. */
function isComparable({ info: { units, selection } }: OpenedRun): boolean {
  return units.finished === units.total && selection === undefined;
}

/**
 * Returns the run whose regression the run in this folder was started to confirm, or `null` if it confirms none. When
 * it is resumed, both runs still decide together, because on its own the second run could pass although the first did
 * not.
 *
 * @throws CriteriaError USAGE if the first run no longer exists.
 */
export function confirmedBy(folder: string): OpenedRun | null {
  const id = confirmedRun(openRun(folder).scoringPlan?.gates ?? []);
  if (id === undefined) return null;
  const first = join(dirname(folder), id);
  // An edited plan must not lead out of the folder for runs.
  if (basename(first) === id && existsSync(first)) return openRun(first);
  const message = `this run was begun to confirm a regression that was found by the run ${id}, which no longer exists: start again with agent-criteria eval … --confirm`;
  throw new CriteriaError({ code: 'USAGE', message });
}
