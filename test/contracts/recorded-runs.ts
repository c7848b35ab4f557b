import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFakeCredentials, startFakeEvaluationService } from '@agent-criteria/test-servers';
import { copyFolder, fill } from '../corpus/folder.ts';
import { inProcess } from '../corpus/perform.ts';

/** A run of this project, as stored in its folder. */
export interface RecordedRun {
  readonly name: string;
  readonly plan: Json;
  readonly scoring: Json;
  readonly inferences: readonly Json[];
  readonly calls: readonly Json[];
  /** Requests and answers by their hash. */
  readonly texts: ReadonlyMap<string, string>;
  /** The lines of its recording. */
  readonly recording: readonly Json[];
}

/** JSON that only these scripts read. */
export type Json = Readonly<Record<string, ReturnType<typeof JSON.parse>>>;

const packages = [
  'criteria-llm-judge',
  'criteria-hallucination',
  'user-simulator',
  'criteria-safety',
  'criteria-vertex',
] as const;

/** Prepares the project as a working folder. */
export function openProject(folder: string): void {
  copyFolder(join(import.meta.dirname, 'project'), folder);
  fill(folder, { packages });
}

/** Runs every criterion that calls a model or a service, and reads the stored results. */
export async function recordRuns(newFolder: () => string): Promise<readonly RecordedRun[]> {
  const judged = ['judged.evalset.json', '--config-file-path', 'judged.json'];
  const runs = [
    await record('judges', judged, newFolder()),
    await record('judges with compat adk', [...judged, '--compat', 'adk'], newFolder()),
    await record('simulated users', ['users/led.evalset.json'], newFolder()),
  ];
  const [service, credentials] = await Promise.all([startFakeEvaluationService(), startFakeCredentials()]);
  try {
    const place = { GOOGLE_CLOUD_PROJECT: 'a-project', GOOGLE_CLOUD_LOCATION: 'us-central1' };
    const signedIn = Object.entries(credentials.environment).filter(([, value]) => value !== undefined);
    const environment = { ...place, GOOGLE_VERTEX_BASE_URL: service.url, ...Object.fromEntries(signedIn) };
    return [...runs, await record('services', ['services/asked.evalset.json'], newFolder(), environment)];
  } finally {
    await Promise.all([service.close(), credentials.close()]);
  }
}

async function record(
  name: string,
  args: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<RecordedRun> {
  openProject(folder);
  const kept = ['--runs-folder', 'runs', '--recording', 'kept.jsonl:record', '--no-cache'];
  const { code, err } = await inProcess(['eval', '.', ...args, ...kept], folder, environment, false);
  const [id] = existsSync(join(folder, 'runs')) ? readdirSync(join(folder, 'runs')) : [];
  if (id === undefined || code === 2) throw new Error(`${name}: ${code} ${err}`);
  const run = join(folder, 'runs', id);
  return {
    name,
    plan: JSON.parse(readFileSync(join(run, 'plan.json'), 'utf8')),
    scoring: JSON.parse(readFileSync(join(run, 'scorings/1/plan.json'), 'utf8')),
    inferences: linesOf(join(run, 'inferences.jsonl')),
    calls: linesOf(join(run, 'calls.jsonl')),
    texts: new Map(linesOf(join(run, 'texts.jsonl')).map(({ hash, text }) => [hash, text])),
    recording: linesOf(join(folder, 'kept.jsonl')).filter((line) => line.key !== undefined),
  };
}

/** Parses the lines of a JSON Lines file. */
export function linesOf(file: string): readonly Json[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
