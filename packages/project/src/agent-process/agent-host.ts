import type { Agent } from '@agent-criteria/core';
import { changedFiles, type FileHashes, hashOfFile } from '../files/file-hashes.ts';
import {
  type AgentProcess,
  type AgentProcessOptions,
  filesOfFailure,
  startAgentProcess,
} from './start-agent-process.ts';

export interface AgentHostOptions extends AgentProcessOptions {
  /** Files that the agent depends on besides those it loads, whether they exist or not: `.env` files, the project's config. */
  readonly alsoOf: readonly string[];
}

/** The agent of a module as it was on disk when it was leased. */
export interface AgentLease {
  readonly agent: Agent;
  /** The files of its code so far. */
  readonly files: () => FileHashes;
  /** Lets the process end, once its code is no longer that on disk. */
  release(): void;
}

/** Keeps an agent running in a process, and replaces the process when its code has changed. */
export interface AgentHost {
  /**
   * Leases the agent of the code that is on disk now. A process with older code ends when its last lease is released.
   * @throws CriteriaError if the agent does not load.
   */
  lease(): Promise<AgentLease>;
  /** Returns the files that have changed since the agent was loaded, or since it failed to load. */
  changed(): readonly string[];
  /** The files that the agent depends on, also if it failed to load. */
  files(): FileHashes;
  /** Calls a function whenever there are more of these files. @returns A function that ends this. */
  onFiles(listener: () => void): () => void;
  close(): Promise<void>;
}

/** A running process and its leases. */
interface Running {
  readonly process: AgentProcess;
  readonly files: () => FileHashes;
  leases: number;
  isOld: boolean;
}

export function createAgentHost({ alsoOf, ...options }: AgentHostOptions): AgentHost {
  let current: Running | null = null;
  let failedFiles: FileHashes = new Map();
  let starting: Promise<Running> | null = null;
  const old = new Set<Running>();
  const listeners = new Set<() => void>();
  let isClosed = false;

  const moreFiles = (): void => {
    for (const listener of listeners) listener();
  };
  const files = (): FileHashes => current?.files() ?? failedFiles;

  function retire(running: Running): void {
    running.isOld = true;
    old.add(running);
    endIfUnused(running);
  }

  function endIfUnused(running: Running): void {
    if (running.isOld && running.leases === 0) void running.process.close().then(() => old.delete(running));
  }

  async function start(): Promise<Running> {
    // Read first: what changes while the agent loads is a change.
    const also = new Map(alsoOf.map((file) => [file, hashOfFile(file)]));
    try {
      const process = await startOnFreePort();
      const running = { process, files: () => new Map([...also, ...process.files]), leases: 0, isOld: false };
      void process.ended.then(() => {
        if (current === running) current = null;
        old.delete(running);
      });
      return running;
    } catch (error) {
      failedFiles = new Map([...also, ...filesOfFailure(error)]);
      throw error;
    }
  }

  /** An agent may listen on a port that the process before it holds until its turn has ended. */
  async function startOnFreePort(): Promise<AgentProcess> {
    // Listed first: one of them may have ended by the time that the new one reports the busy port.
    const before = [...old];
    try {
      // A debugger's port belongs to the process before it as long as that runs.
      const inspect = before.length > 0 && options.inspect !== undefined ? 0 : options.inspect;
      return await startAgentProcess({ ...options, inspect, onFiles: moreFiles });
    } catch (error) {
      if (before.length === 0 || !(error as Error).message.includes('EADDRINUSE')) throw error;
      await Promise.all(before.map(({ process }) => process.ended));
      return startAgentProcess({ ...options, onFiles: moreFiles });
    }
  }

  async function renewed(): Promise<Running> {
    if (current !== null && changedFiles(current.files()).length > 0) {
      const before = current;
      current = null;
      retire(before);
      // They may hold what the next one needs.
      const unused = [...old].filter(({ leases }) => leases === 0);
      await Promise.all(unused.map(({ process }) => process.ended));
    }
    current ??= await start();
    if (isClosed) await current.process.close();
    return current;
  }

  return {
    async lease() {
      starting ??= renewed().finally(() => {
        starting = null;
      });
      const running = await starting;
      running.leases += 1;
      let isReleased = false;
      return {
        agent: running.process.agent,
        files: running.files,
        release() {
          if (isReleased) return;
          isReleased = true;
          running.leases -= 1;
          endIfUnused(running);
        },
      };
    },
    changed: () => changedFiles(files()),
    files,
    onFiles(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      await starting?.catch(() => undefined);
      await Promise.all([current, ...old].map((running) => running?.process.close()));
    },
  };
}
