import { randomHex } from '@agent-criteria/calls';
import { parseJson } from '@agent-criteria/formats';
import { is } from '@agent-criteria/formats/schema';
import { readFileSync, readlinkSync } from '../node-fs.ts';
import { runDefaults } from '../run-defaults.ts';

/** The longest lease that is respected, in milliseconds, whatever its file says. */
const LONGEST_LEASE = 600_000;

/**
 * The process that is writing to a run folder, as recorded in the folder's `lock` file. The file does not change while
 * that process is writing.
 */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** Unique to each lease. */
  readonly id: string;
  /**
   * Starts at 1, and is one higher than that of the lease that was taken over. It is 0 in files from older versions.
   */
  readonly generation: number;
  /** How many milliseconds may pass without a renewal before other processes may take over the run. */
  readonly lease: number;
  /** Where `pid` is valid: one boot of one machine, and one container on it. Only known on Linux. */
  readonly system?: string | undefined;
  /** When the process started, in that system's ticks, because process ids are reused. */
  readonly started?: string | undefined;
}

/** Returns the name of this machine. `node:os` is only loaded when a folder is written to, not with the package. */
const hostname = (): string => process.getBuiltinModule('node:os').hostname();

/** Describes this process as the owner of a new lease. */
export function thisProcess(): Omit<LockOwner, 'generation' | 'lease'> {
  const id = randomHex();
  const { system } = here;
  return { pid: process.pid, host: hostname(), id, system, started: statOf(process.pid)?.started };
}

/** Reads the owner from the content of a lease. Returns `null` if the file is incomplete. */
export function ownerOf(content: string): LockOwner | null {
  try {
    const { pid, host, id, generation, lease, system, started } = parseJson(content);
    if (!Number.isInteger(pid) || pid <= 0 || typeof host !== 'string') return null;
    const isLease = typeof lease === 'number' && lease > 0;
    return {
      pid,
      host,
      id: String(id),
      system,
      started,
      generation: is.count(generation) ? generation : 0,
      lease: isLease ? Math.min(lease, LONGEST_LEASE) : runDefaults.lease,
    };
  } catch {
    return null;
  }
}

/**
 * Whether the process has certainly ended. Never true for a process that cannot be inspected, such as one on another
 * machine.
 */
export function isDead({ pid, host, system, started }: LockOwner): boolean {
  const isHere = system === undefined || here.system === undefined ? host === hostname() : system === here.system;
  if (!isHere) return false;
  // Another thread of this process may hold the lease, or an earlier process may have had the same id.
  if (pid === process.pid) return started === undefined || started !== statOf(pid)?.started;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return true;
  }
  const stat = statOf(pid);
  if (stat === null) return false;
  // A zombie has ended, but its parent has not collected its exit status, as is common in containers.
  return stat.state === 'Z' || (started !== undefined && stat.started !== started);
}

/** Returns the owner's name for messages. */
export function nameOfOwner({ pid, host }: LockOwner): string {
  return host === hostname() ? `process ${pid}` : `process ${pid} on the machine "${host}"`;
}

const here = { system: systemHere() };

/** Identifies this system, because containers with the same host name may share a folder, and each has a process 1. */
function systemHere(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

/** Reads the state and start time of a process. Returns `null` if there is none, or on systems other than Linux. */
function statOf(pid: number): { readonly state: string; readonly started: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program name, in parentheses, may contain anything.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 1)
      .trimStart()
      .split(' ');
    return { state: fields[0] ?? '', started: fields[19] ?? '' };
  } catch {
    return null;
  }
}
