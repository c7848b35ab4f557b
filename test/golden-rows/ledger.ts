import type { Driver } from './driver.ts';
import { drivers } from './drivers.ts';
import { excuseOf } from './excused.ts';
import { type GoldenGroup, goldenGroups } from './golden-files.ts';
import { problemOf } from './held.ts';

/** The results of a group's rows. */
export interface Entry {
  readonly file: string;
  readonly of: string | null;
  readonly rows: number;
  /** The number of rows that ran against the product. */
  readonly run: number;
  /** The number of rows that did not run, by reason. */
  readonly excused: ReadonlyMap<string, number>;
  /** The number of rows that differ, by entry of docs/adk-parity.md; a row may name several. */
  readonly differing: ReadonlyMap<string, number>;
  /** The number of rows that differ. */
  readonly differ: number;
  /** Unexplained differences and other errors. */
  readonly problems: readonly string[];
}

/** Runs every golden row against the product, or excuses it. */
export async function driveGoldenRows(): Promise<readonly Entry[]> {
  const groups = goldenGroups();
  const entries: Entry[] = [];
  for (const group of groups) entries.push(await driveGroup(group));
  for (const { file, of } of drivers) {
    if (!groups.some((group) => group.file === file && group.of === of)) {
      throw new Error(`a driver waits for rows of ${file}${of === null ? '' : `, ${of}`}, and there are none`);
    }
  }
  return entries;
}

async function driveGroup(group: GoldenGroup): Promise<Entry> {
  const { file, of, rows } = group;
  const own = drivers.filter((one) => one.file === file && one.of === of);
  const excused = new Map<string, number>();
  const differing = new Map<string, number>();
  const problems: string[] = own.length > 1 ? ['the group has several drivers'] : [];
  let [run, differ] = [0, 0];
  for (const one of rows) {
    const { id, row } = one;
    const excuse = excuseOf(group, one);
    if (excuse !== null) {
      excused.set(excuse, (excused.get(excuse) ?? 0) + 1);
      continue;
    }
    const [only] = own;
    if (only === undefined) {
      problems.push(`${id}: no driver runs it, and it is not excused`);
      continue;
    }
    const found = await driveRow(only, row);
    run += 1;
    problems.push(...found.problems.map((problem) => `${id}: ${problem}`));
    if (found.lines.size > 0) differ += 1;
    for (const line of found.lines) differing.set(line, (differing.get(line) ?? 0) + 1);
  }
  if (run === 0 && own.length > 0) problems.push('the group has a driver, but all its rows are excused');
  return { file, of, rows: rows.length, run, excused, differing, differ, problems };
}

async function driveRow(own: Driver, row: unknown): Promise<{ problems: readonly string[]; lines: Set<string> }> {
  try {
    const found = await own.run(row);
    const all = 'adk' in found ? [found] : found;
    if (all.length === 0) return { problems: ['its driver compared nothing'], lines: new Set() };
    const problems = all.map(problemOf).filter((problem) => problem !== null);
    return { problems, lines: new Set(all.flatMap(({ lines = [] }) => lines)) };
  } catch (error) {
    return { problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)], lines: new Set() };
  }
}
