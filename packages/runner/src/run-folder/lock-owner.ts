import { randomHex } from '@agent-criteria/calls';
import { parseJson } from '@agent-criteria/formats';
import { is } from '@agent-criteria/formats/schema';
import { readFileSync, readlinkSync } from '../node-fs.ts';
import { runDefaults } from '../run-defaults.ts';

/** The longest lease in milliseconds that is respected, whatever its file says. */
const LONGEST_LEASE = 600_000;

/** The process that writes a run folder, from its file `lock`. The file does not change while it writes. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** Unique for each lease. */
  readonly id: string;
  /** From 1, and one more than that of a lease that was taken over; 0 in files of older versions. */
  readonly generation: number;
  /** Milliseconds without renewal after which other processes may take the run over. */
  readonly lease: number;
  /** The scope of `pid`: one boot of one machine, and one container there. Known on Linux only. */
  readonly system?: string | undefined;
  /** The start of the process in ticks of that system, because process ids are reused. */
  readonly started?: string | undefined;
}

/** Returns the name of this machine. `node:os` is loaded when a folder is written, not with the package. */
const hostname = (): string => process.getBuiltinModule('node:os').hostname();

/** Describes this process as the owner of a new lease. */
export function thisProcess(): Omit<LockOwner, 'generation' | 'lease'> {
  const id = randomHex();
  const { system } = here;
  return { pid: process.pid, host: hostname(), id, system, started: statOf(process.pid)?.started };
}

/** Reads the owner from the content of a lease; `null` if the file is incomplete. */
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

/** Whether the process has certainly ended. Never true for a process that cannot be inspected, as on another machine. */
export function isDead({ pid, host, system, started }: LockOwner): boolean {
  const isHere = system === undefined || here.system === undefined ? host === hostname() : system === here.system;
  if (!isHere) return false;
  // Another thread of this process may hold the lease. An earlier process may have had the same id.
  if (pid === process.pid) return started === undefined || started !== statOf(pid)?.started;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return true;
  }
  const stat = statOf(pid);
  if (stat === null) return false;
  // A zombie has ended, but its parent has not asked for its status, as in many containers.
  return stat.state === 'Z' || (started !== undefined && stat.started !== started);
}

/** Names the owner in messages. */
export function nameOfOwner({ pid, host }: LockOwner): string {
  return host === hostname() ? `process ${pid}` : `process ${pid} on the machine "${host}"`;
}

const here = { system: systemHere() };

/** Identifies this system: containers with the same host name may share a folder, and each has a process 1. */
function systemHere(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

/** Reads the state and start of a process; `null` if there is none, and on systems other than Linux. */
function statOf(pid: number): { readonly state: string; readonly started: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in brackets, may contain anything.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 1)
      .trimStart()
      .split(' ');
    return { state: fields[0] ?? '', started: fields[19] ?? '' };
  } catch {
    return null;
  }
}
