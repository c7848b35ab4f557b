import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundles } from '../../../../test/bundles.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
/** The version of Vitest under test: this package's own, or the one given in the environment. */
export const vitestFolder =
  process.env.VITEST_FOLDER ?? dirname(createRequire(import.meta.url).resolve('vitest/package.json'));

/** A test in Vitest's JSON report. */
export interface ReportedTest {
  readonly fullName: string;
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
  readonly location?: { readonly line: number };
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface VitestRun {
  readonly exitCode: number | null;
  /** The combined output, without colours unless requested. */
  readonly output: string;
  /** The cases on which the lamp agent ran, and other notes by fixtures, in order. */
  readonly notes: readonly string[];
  /** The folder for runs that fixtures save. */
  readonly runs: string;
  /** The reason why a fixture could not be collected, or an empty string if it was. */
  fileMessage(fixture: string): string;
  tests(fixture: string): readonly ReportedTest[];
}

/** Runs Vitest on fixtures, named without `.fixture.ts`, in a separate process. */
export async function runVitest(
  fixtures: readonly string[],
  args: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
): Promise<VitestRun> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-criteria-vitest-'));
  const [report, notes, runs] = [join(folder, 'report.json'), join(folder, 'notes'), join(folder, 'runs')];
  const command = [join(vitestFolder, 'vitest.mjs'), 'run', '--config', join(here, 'vitest.config.ts')];
  const reporters = ['verbose', 'json', join(here, '../reporter.ts')].map((name) => `--reporter=${name}`);
  reporters.push(`--outputFile.json=${report}`);
  const files = fixtures.map((name) => `${name}.fixture.ts`);
  const own = { LAMP_NOTES: notes, LAMP_RUNS: runs, ...environment };
  const { exitCode, output } = await runNode([...command, ...reporters, ...args, ...files], own);
  if (!existsSync(report)) throw new Error(`Vitest wrote no report:\n${output}`);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const fileOf = (fixture: string) =>
    testResults.find(({ name }: { name: string }) => name.endsWith(`/${fixture}.fixture.ts`));
  const noted = existsSync(notes) ? readFileSync(notes, 'utf8').trimEnd().split('\n') : [];
  rmSync(report);
  return {
    exitCode, output, notes: noted, runs,
    fileMessage: (fixture) => fileOf(fixture)?.message ?? `there is no ${fixture}`,
    tests: (fixture) => fileOf(fixture)?.assertionResults ?? [],
  };
}

/** Runs a Node process without the environment variables of Vitest and of CI services. */
export async function runNode(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|TEST$|NODE_ENV$|NODE_OPTIONS$|MODE$|PROD$|DEV$|FORCE_|NO_COLOR$|CI$|GITHUB_)/.test(name),
  );
  const flags = ['--conditions=@agent-criteria/source', ...(await bundles())];
  const own = { NO_COLOR: '1', VITEST_FOLDER: vitestFolder, WORKER_FLAGS: flags.join(' '), ...environment };
  const env = { ...Object.fromEntries(inherited), ...own };
  const child = spawn(process.execPath, [...flags, '--no-warnings', ...args], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const exitCode = await new Promise<number | null>((done, fail) => child.on('error', fail).on('close', done));
  return { exitCode, output };
}
