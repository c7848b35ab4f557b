import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { writeFileWhole } from '@agent-criteria/calls';
import type { Invocation } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import type { SecretMask } from '@agent-criteria/masking';
import { executeRun } from '@agent-criteria/project';
import type { AgentLease } from '@agent-criteria/project/agent-process';
import type { TurnPlace, TurnRunAgent, TurnRunOriginal } from '../api.ts';
import { refusal } from '../http/refusal.ts';
import { makePrivateFolder } from '../security/private-folder.ts';
import type { Agents } from '../sessions/agents.ts';
import { withHeadStart } from './head-start.ts';
import { leased, type PreparedTurnRun } from './prepare-turn-run.ts';
import { createTurnRunTracker, type TurnRunTracker } from './turn-run-tracker.ts';

const FORMAT = 'agent-criteria studio turn run 1';
/** The newest turn runs are kept. */
const MOST = 50;

/** The facts about a turn run that are kept beside the folder of its run, as plain JSON. */
export interface KeptTurnRun {
  readonly id: string;
  readonly of: TurnPlace;
  readonly app: string;
  readonly startedAt: number;
  readonly turn: number;
  readonly times: number;
  readonly setId: string;
  readonly caseId: string;
  readonly agents: readonly TurnRunAgent[];
  readonly original: TurnRunOriginal;
  readonly expected: Invocation | null;
  readonly unscored: string | null;
  readonly judged: boolean;
  readonly isCancelled: boolean;
}

/** A turn run in flight, or one that ended while this studio was running. */
export interface LiveTurnRun {
  readonly tracker: TurnRunTracker;
  readonly done: Promise<void>;
  isOver: boolean;
  isCancelled: boolean;
  problem: string | null;
  cancel(): void;
}

export type TurnRuns = ReturnType<typeof createTurnRuns>;

/**
 * Runs single turns again. Their runs are kept in a folder of their own, apart from those of whole cases, so that they
 * are never a baseline, a point in trends or the last run.
 */
export function createTurnRuns(agents: Agents, folder: string, mask: SecretMask) {
  const live = new Map<string, LiveTurnRun>();

  function write(kept: KeptTurnRun): void {
    const text = JSON.stringify({ format: FORMAT, ...(mask.json(kept) as object) });
    writeFileWhole(join(folder, `${kept.id}.json`), text, { mode: 0o600 });
  }

  /** Lists ids, newest first. */
  function ids(): readonly string[] {
    try {
      if (!lstatSync(folder).isDirectory()) return [];
    } catch {
      return [];
    }
    const names = readdirSync(folder).filter((name) => /^[\w-]+\.json$/.test(name));
    return names.map((name) => name.slice(0, -'.json'.length)).sort((a, b) => (a < b ? 1 : -1));
  }

  function read(id: string): KeptTurnRun {
    const missing = () => refusal(404, `There is no turn run "${id}". The newest ${MOST} are kept.`);
    if (!ids().includes(id)) throw missing();
    const file = join(folder, `${id}.json`);
    if (!lstatSync(file).isFile()) throw missing();
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isObject(value) || value.format !== FORMAT || value.id !== id) throw missing();
    return value as unknown as KeptTurnRun;
  }

  function removeOldest(): void {
    for (const id of ids().slice(MOST)) {
      const one = live.get(id);
      if (one?.isOver === false) continue;
      live.delete(id);
      rmSync(join(folder, `${id}.json`), { force: true });
      rmSync(join(folder, id), { recursive: true, force: true });
    }
  }

  return {
    read,
    /** Lists what is kept, newest first. Damaged files are left out. */
    list(): readonly KeptTurnRun[] {
      return ids().flatMap((id) => {
        try {
          return [read(id)];
        } catch {
          return [];
        }
      });
    },
    live: (id: string): LiveTurnRun | undefined => live.get(id),
    folderOf: ({ id }: KeptTurnRun): string => join(folder, id),

    /** Starts a turn run. @returns its id, once its folder exists. */
    async start(ready: PreparedTurnRun, original: TurnRunOriginal): Promise<string> {
      const { source, prepared } = ready;
      const { turn } = source;
      makePrivateFolder(folder);
      const [drain, abort] = [new AbortController(), new AbortController()];
      const tracker = createTurnRunTracker({
        turn,
        times: prepared.repeats,
        variants: ready.agents.map(({ variant }) => variant),
        judged: prepared.judged,
      });
      const leases: AgentLease[] = [];
      let begun: (id: string) => void = () => undefined;
      const started = new Promise<string>((settle) => {
        begun = settle;
      });
      const startedAt = Date.now();
      const keep = (id: string, isCancelled: boolean): void => {
        write({
          id,
          of: source.of,
          app: source.app.name,
          startedAt,
          turn,
          times: prepared.repeats,
          setId: source.setId,
          caseId: source.evalCase.evalId,
          agents: ready.agents,
          original,
          expected: source.isExpected ? (source.evalCase.conversation?.at(-1) ?? null) : null,
          unscored: ready.unscored,
          judged: prepared.judged,
          isCancelled,
        });
      };
      const executed = executeRun(
        { ...prepared, project: { ...prepared.project, runsFolder: folder } },
        {
          async loadAgent(found) {
            const lease = await leased({ agents }, found, prepared);
            leases.push(lease);
            return withHeadStart(lease.agent, source);
          },
          drain: drain.signal,
          signal: abort.signal,
          onReady: ({ folder: own }) => begun(basename(own)),
          onEvent: (event) => tracker.note(event),
        },
      );
      const ended = executed.then(
        () => null,
        (error: unknown) => error as Error,
      );
      void ended.then(() => {
        for (const { release } of leases) release();
      });
      // It may fail before it has a folder.
      const id = await Promise.race([
        started,
        ended.then((error) => {
          throw error ?? new Error('the turn run has no folder');
        }),
      ]);
      const run: LiveTurnRun = {
        tracker,
        isOver: false,
        isCancelled: false,
        problem: null,
        cancel() {
          if (run.isOver) return;
          run.isCancelled = true;
          drain.abort(new Error('cancelled'));
          abort.abort(new Error('You cancelled before the agent had answered.'));
        },
        done: ended.then((error) => {
          run.isOver = true;
          run.problem = error === null ? null : error.message;
          tracker.end();
          if (run.isCancelled) keep(id, true);
        }),
      };
      live.set(id, run);
      keep(id, false);
      removeOldest();
      return id;
    },

    /** Stops all turn runs. */
    async close(): Promise<void> {
      await Promise.all(
        [...live.values()].map(async (run) => {
          run.cancel();
          await run.done;
        }),
      );
    },
  };
}
