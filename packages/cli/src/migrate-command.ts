import { stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { CriteriaError, type EvalSet, type Problem } from '@agent-criteria/core';
import { migrateEvalData, type OldFormat } from '@agent-criteria/core/adk';
import { writeEvalSet } from '@agent-criteria/core/host';
import {
  collectProblems,
  compareWithFile,
  findEvalSets,
  jsonText,
  readJsonFile,
  writeWhole,
} from '@agent-criteria/project';
import { safe } from '@agent-criteria/report/terminal';
import { atMost, parseFlags, usage } from './arguments.ts';
import { commandFlags } from './command-flags.ts';
import type { Io } from './io.ts';
import { printJson } from './print-json.ts';
import { count, printWarnings } from './print-problems.ts';

interface Migrated {
  readonly from: string;
  readonly to: string;
  readonly format: OldFormat;
  readonly value: EvalSet;
  readonly text: string;
  readonly warnings: readonly Problem[];
  /** Whether the file says just this already. */
  readonly same: boolean;
}

interface Session {
  readonly file: string;
  readonly value: unknown;
}

const FORM = 'agent-criteria migrate OLD NEW';
const FORMATS: Readonly<Record<OldFormat, string>> = {
  'old-test': 'a test file of before eval sets',
  'old-evalset': 'an eval set of before its schema',
};

/** `agent-criteria migrate OLD NEW`: eval data of before eval sets, as an eval set file that ADK Python reads too. */
export async function migrateCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, commandFlags.migrate);
  const [from, to] = positionals;
  if (from === undefined || to === undefined) throw usage(`name the old file and the new one: ${FORM}`);
  atMost(2, positionals, FORM);

  const found = collectProblems();
  const session = await found.attempt(() => readSession(flags.initial_session_file));
  const isFolder = await isExistingFolder(from);
  const files = (await found.attempt(() => findEvalSets(from))) ?? [];
  const migrated: Migrated[] = [];
  const left: string[] = [];
  for (const file of files) {
    const target = isFolder ? join(to, relative(from, file)) : to;
    const result = await found.attempt(() => migrateFile(file, target, session ?? null, isFolder));
    if (result === 'new already') left.push(file);
    else if (result !== undefined) migrated.push(result);
  }
  for (const { to: target, same } of migrated) {
    const other = !same && flags.force !== true && (await compareWithFile(target, '')) !== 'new';
    if (other) await found.attempt(() => Promise.reject(exists(target)));
  }
  found.throwIfAny();

  for (const { to: target, text, same } of migrated) if (!same) await writeWhole(target, text);
  printWarnings(
    migrated.flatMap((one) => one.warnings),
    io,
  );
  if (flags.json === true) printJson({ migrated: migrated.map(asJson), left }, io);
  else {
    io.out(migrated.map(told).join(''));
    for (const file of left) io.out(`${safe(file)}: an eval set already, left as it is\n`);
  }
  return 0;
}

async function readSession(file: string | undefined): Promise<Session | null> {
  return file === undefined ? null : { file, value: (await readJsonFile(file)).value };
}

async function migrateFile(
  from: string,
  to: string,
  session: Session | null,
  inFolder: boolean,
): Promise<Migrated | 'new already'> {
  const read = await readJsonFile(from);
  if (inFolder && !Array.isArray(read.value)) return 'new already';
  const id = basename(to).replace(/(\.(evalset|test))?\.json$/, '');
  const { value, format, warnings } = inSession(session, () =>
    migrateEvalData(read.value, { file: from, id, initialSession: session?.value }),
  );
  const text = jsonText(writeEvalSet(value));
  const same = (await compareWithFile(to, text)) === 'same';
  return { from, to, format, value, text, same, warnings: [...read.warnings, ...warnings, ...unusualName(to)] };
}

/** Core does not know that the session is a file of its own. */
function inSession<T extends { readonly warnings: readonly Problem[] }>(session: Session | null, work: () => T): T {
  const place = (problem: Problem): Problem => {
    const inside = /^initialSession(.*)$/s.exec(problem.path ?? '')?.[1];
    return inside === undefined || session === null ? problem : { ...problem, file: session.file, path: `$${inside}` };
  };
  try {
    const result = work();
    return { ...result, warnings: result.warnings.map(place) };
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    throw new CriteriaError(error.problems.map(place), { cause: error });
  }
}

function unusualName(file: string): readonly Problem[] {
  if (/\.(evalset|test)\.json$/.test(file)) return [];
  const message = 'eval sets of a folder are found by their names: call it *.evalset.json or *.test.json';
  return [{ code: 'UNKNOWN_FORMAT', file, message }];
}

function exists(file: string): CriteriaError {
  const message = 'there is such a file already, with another content: name another one, or give --force';
  return new CriteriaError({ code: 'USAGE', file, message });
}

function told({ from, to, format, value, same }: Migrated): string {
  const what = `${size(value)} from ${safe(from)}, ${FORMATS[format]}`;
  return `${safe(to)}: ${what}${same ? ' (it was there already)' : ''}\n`;
}

function asJson({ from, to, format, value, warnings, same }: Migrated) {
  const problems = warnings.map((warning) => ({ ...warning }));
  return { from, to, format, cases: value.evalCases.length, written: !same, warnings: problems };
}

function size({ evalCases }: EvalSet): string {
  const turns = evalCases.reduce((sum, { conversation }) => sum + (conversation?.length ?? 0), 0);
  return `${count(evalCases.length, 'case')}, ${count(turns, 'turn')}`;
}

async function isExistingFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
