import { randomHex } from '@agent-criteria/calls';
import { parseJson } from '@agent-criteria/formats';
import { is } from '@agent-criteria/formats/schema';
import { readFileSync, readlinkSync } from '../node-fs.ts';
import { runDefaults } from '../run-defaults.ts';

/** No folder, whoever wrote it, makes another process wait longer. */
const LONGEST_LEASE = 600_000;

/** Who writes a run folder, as its file `lock` says. The file does not change as long as they write. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Tells this lease from every other. */
  readonly id: string;
  /** One more than that of the lease that was taken over, if one was. From 1; 0 in files of older versions. */
  readonly generation: number;
  /** Milliseconds without a sign of life after which others may take the run over. */
  readonly lease: number;
  /** Where the process has its number: one boot of one machine, and there one container. Only Linux has such a name. */
  readonly system?: string | undefined;
  /** When the process began, in ticks of that system: numbers of processes are given again. */
  readonly started?: string | undefined;
}

/** `node:os` is loaded when a folder is written, not with the package. */
const hostname = (): string => process.getBuiltinModule('node:os').hostname();

/** Describes this process as the owner of a new lease. */
export function thisProcess(): Omit<Holder, 'generation' | 'lease'> {
  const id = randomHex();
  const { system } = here;
  return { pid: process.pid, host: hostname(), id, system, started: statOf(process.pid)?.started };
}

/** `null` when it says nothing: a file that was torn belongs to nobody. */
export function holderOf(content: string): Holder | null {
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

/** Whether the process has ended for certain. Of a process that cannot be looked at, nothing is certain. */
export function isDead({ pid, host, system, started }: Holder): boolean {
  const isHere = system === undefined || here.system === undefined ? host === hostname() : system === here.system;
  if (!isHere) return false;
  // One with our own number that is not this process was before us; another thread of this process may hold the lease.
  if (pid === process.pid) return started === undefined || started !== statOf(pid)?.started;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return true;
  }
  const stat = statOf(pid);
  if (stat === null) return false;
  // A zombie was killed, and is kept by the system for a parent that does not ask, as in many containers.
  return stat.state === 'Z' || (started !== undefined && stat.started !== started);
}

/** As the end of a sentence. */
export function nameOfHolder({ pid, host }: Holder): string {
  return host === hostname() ? `process ${pid}` : `process ${pid} on the machine "${host}"`;
}

const here = { system: systemHere() };

/** Containers of one name may share a folder, and each has a process 1. */
function systemHere(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

/** What Linux says of a process; `null` elsewhere, and where there is none. */
function statOf(pid: number): { readonly state: string; readonly started: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 1)
      .trimStart()
      .split(' ');
    return { state: fields[0] ?? '', started: fields[19] ?? '' };
  } catch {
    return null;
  }
}
