import { basename } from 'node:path';
import { type Agent, CriteriaError } from '@agent-criteria/core';
import type { SecretMask } from '@agent-criteria/masking';
import { type ExecutedRun, executeRun, type PreparedRun } from '@agent-criteria/project';
import { type AgentHosts, type AgentLease, createAgentHosts } from '@agent-criteria/project/agent-process';
import { gatesOfConfigs } from '@agent-criteria/project/runs';
import { NOTHING_SPENT, type SessionSpent, withSpent } from '@agent-criteria/project/watch';
import { countUnits, isUrl } from '@agent-criteria/runner';

/** A run that this server started. */
export interface LiveRun {
  readonly id: string;
  /** The units of the run so far. */
  counts(): ReturnType<ReturnType<typeof countUnits>['counts']>;
  /** Starts no more units; those in flight are finished. */
  cancel(): void;
  readonly done: Promise<ExecutedRun>;
}

/** The runs of one server. */
export interface LiveRuns {
  /**
   * Starts a run.
   * @returns it, as soon as its folder exists.
   * @throws CriteriaError USAGE if another run is in flight, or if its agent does not load.
   */
  start(prepared: PreparedRun, name: string | undefined): Promise<LiveRun>;
  get(id: string): LiveRun | undefined;
  /** The run in flight, or `null` if there is none. */
  current(): LiveRun | null;
  /** The calls, tokens and cost of all runs so far. */
  spent(): SessionSpent;
  /** Ends the run in flight and all processes of agents. @returns the id of the run if it is incomplete. */
  close(): Promise<string | null>;
}

export interface LiveRunsOptions {
  /** The variables of the agents' processes, without those of `.env` files. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly mask: SecretMask;
}

function busy(run: LiveRun | null): CriteriaError {
  const message = `${run === null ? 'another run' : `the run ${run.id}`} is under way, and only one runs at a time: wait for it with wait_for_run, or end it with cancel_run`;
  return new CriteriaError({ code: 'USAGE', message });
}

/** Runs agents in processes of their own, whose output cannot reach standard output, with the code that is on disk. */
export function createLiveRuns({ environment, mask }: LiveRunsOptions): LiveRuns {
  const runs = new Map<string, LiveRun>();
  const stop = new AbortController();
  let hosts: AgentHosts | null = null;
  let current: LiveRun | null = null;
  let spent = NOTHING_SPENT;
  let isStarting = false;

  async function begin(prepared: PreparedRun, name: string | undefined): Promise<LiveRun> {
    const drain = new AbortController();
    const units = countUnits({ judged: prepared.judged });
    // Prepared before the run starts; otherwise `last` would mean the run itself.
    const gates = await gatesOfConfigs(prepared);
    const leases: AgentLease[] = [];
    const ofAgents = createAgentHosts({ project: prepared.project, environment, mask });
    hosts = ofAgents;
    let onFolder: (id: string) => void = () => undefined;
    const ready = new Promise<string>((settle) => {
      onFolder = settle;
    });
    const executed = executeRun(prepared, {
      name,
      gates,
      signal: stop.signal,
      drain: drain.signal,
      async loadAgent(found): Promise<Agent> {
        if (isUrl(found.file)) return found.load();
        const lease = await ofAgents.of(found, prepared.sets).lease();
        leases.push(lease);
        return lease.agent;
      },
      loadedFiles: () => new Map(leases.flatMap(({ files }) => [...files()])),
      onReady: ({ folder }) => onFolder(basename(folder)),
      onEvent: (event) => units.note(event),
    });
    const done = executed
      .then((run) => {
        spent = withSpent(spent, run.spent);
        return run;
      })
      .finally(async () => {
        for (const { release } of leases) release();
        await ofAgents.close();
      });
    // The run may fail before it has a folder.
    const id = await Promise.race([ready, done.then(({ folder }) => basename(folder))]);
    const run: LiveRun = {
      id,
      counts: () => units.counts(),
      cancel: () => drain.abort(new Error('cancelled')),
      done,
    };
    runs.set(id, run);
    current = run;
    const over = (): void => {
      if (current === run) current = null;
    };
    done.then(over, over);
    return run;
  }

  return {
    async start(prepared, name) {
      if (isStarting || current !== null) throw busy(current);
      isStarting = true;
      try {
        return await begin(prepared, name);
      } finally {
        isStarting = false;
      }
    },
    get: (id) => runs.get(id),
    current: () => current,
    spent: () => spent,
    async close() {
      stop.abort(new Error('the client has left'));
      const run = current;
      const ended = await run?.done.catch(() => null);
      await hosts?.close();
      return run === null || ended === null || ended?.outcome.finished === true ? null : run.id;
    },
  };
}
