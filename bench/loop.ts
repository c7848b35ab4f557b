/**
 * Measures the time from saving a changed agent to the verdict of its case, while `eval --watch` or the studio watches it,
 * as a multiple of a fresh `eval` of that case.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, range, ratios, short } from './measure.ts';
import { smallest } from './smallest.ts';
import { printTable } from './table.ts';
import { workFolder } from './work-folder.ts';
import { root } from './workspace.ts';

const work = workFolder();

const command = join(root, 'packages', 'cli', 'dist', 'bin.js');
const set = {
  eval_set_id: 'greeting',
  eval_cases: [
    {
      eval_id: 'hello',
      conversation: [
        {
          invocation_id: '1',
          user_content: { role: 'user', parts: [{ text: 'hello' }] },
          final_response: { role: 'model', parts: [{ text: 'Hello there' }] },
        },
      ],
    },
  ],
};
type Way = 'fresh' | 'watched' | 'studio';
/** One project for each way, so that the watching process does not see what the other one saves. */
for (const way of ['fresh', 'watched', 'studio'] as const) {
  mkdirSync(join(work, way));
  writeFileSync(join(work, way, 'greeting.evalset.json'), JSON.stringify(set));
  writeFileSync(join(work, way, 'test_config.json'), JSON.stringify({ criteria: { response_match_score: 0.8 } }));
}

/** Saves the agent. Its answer is right or wrong in turn, so that an old verdict cannot be taken for a new one. */
function save(way: Way, isRight: boolean): void {
  const answer = isRight ? 'Hello there' : 'Good evening';
  writeFileSync(join(work, way, 'agent.mjs'), `export const rootAgent = () => '${answer}';\n`);
}

const verdict = (isRight: boolean) => (isRight ? '1 passed of 1 case' : '1 failed of 1 case');

function start(way: Way, ...flags: string[]): ChildProcess {
  return spawn(
    process.execPath,
    [command, 'eval', 'agent.mjs', 'greeting.evalset.json', '--runs_folder', 'runs', ...flags],
    {
      cwd: join(work, way),
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
}

/** Resolves once the process has printed a text after the call. */
function printed(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let all = '';
    const onData = (data: Buffer): void => {
      all += data;
      if (!all.includes(text)) return;
      stop();
      resolve();
    };
    const onEnd = (): void => {
      stop();
      reject(new Error(`The process ended without printing "${text}":\n${all}`));
    };
    const streams = [child.stdout, child.stderr];
    const stop = (): void => {
      child.off('close', onEnd);
      for (const stream of streams) stream?.off('data', onData);
    };
    child.on('close', onEnd);
    for (const stream of streams) stream?.on('data', onData);
  });
}

async function fresh(isRight: boolean): Promise<number> {
  save('fresh', isRight);
  const begun = performance.now();
  const child = start('fresh');
  await printed(child, verdict(isRight));
  const taken = performance.now() - begun;
  if (child.exitCode === null) await new Promise((done) => child.once('close', done));
  return taken;
}

async function watched(child: ChildProcess, isRight: boolean): Promise<number> {
  const shown = printed(child, verdict(isRight));
  const waits = printed(child, 'Watching ');
  const begun = performance.now();
  save('watched', isRight);
  await shown;
  const taken = performance.now() - begun;
  await waits;
  return taken;
}

/** Calls the given function with the verdict of the case, whenever the studio's page of its set would show another one. */
async function followInStudio(address: string, show: (verdict: string) => void): Promise<void> {
  const { origin, searchParams } = new URL(address);
  const headers = { authorization: `Bearer ${searchParams.get('token')}`, 'content-type': 'application/json' };
  const [app] = (await (await fetch(`${origin}/list-apps`, { headers })).json()) as readonly string[];
  const watch = `${origin}/api/apps/${app}/sets/greeting/watch`;
  const begun = await fetch(watch, { method: 'POST', headers, body: '{}' });
  const states = await fetch(watch, { headers });
  if (!begun.ok || states.body === null) throw new Error(`The studio does not watch: ${await begun.text()}`);
  let rest = '';
  for await (const piece of states.body.pipeThrough(new TextDecoderStream())) {
    const lines = `${rest}${piece}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data:')) continue;
      for (const { verdict } of JSON.parse(line.slice('data:'.length)).verdicts ?? []) show(verdict);
    }
  }
}

/** Starts the studio, and returns a function that saves the agent and measures the time to its verdict there. */
async function startStudio(): Promise<(isRight: boolean) => Promise<number>> {
  save('studio', false);
  const child = spawn(process.execPath, [command, 'studio', join(work, 'studio'), '--no-open', '--port', '0'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  process.on('exit', () => child.kill('SIGKILL'));
  let address: string | undefined;
  child.stdout?.on('data', (data: Buffer) => {
    address ??= /http:\S+/.exec(String(data))?.[0];
  });
  await printed(child, 'token=');
  let shown: (verdict: string) => void = () => undefined;
  const seen = (wanted: string): Promise<void> =>
    new Promise((resolve) => {
      shown = (verdict) => {
        if (verdict === wanted) resolve();
      };
    });
  const first = seen('failed');
  void followInStudio(address ?? '', (verdict) => shown(verdict));
  await first;
  return async (isRight) => {
    const verdict = seen(isRight ? 'passed' : 'failed');
    const begun = performance.now();
    save('studio', isRight);
    await verdict;
    const taken = performance.now() - begun;
    // The studio settles, and so does the process that has run the agent.
    await new Promise((resolve) => setTimeout(resolve, 500));
    return taken;
  };
}

const times: Record<Way, number[]> = { fresh: [], watched: [], studio: [] };
save('watched', false);
const watching = start('watched', '--watch');
// It would go on watching if this benchmark failed.
process.on('exit', () => watching.kill('SIGKILL'));
await printed(watching, 'Watching ');
const inStudio = await startStudio();
for (let round = 0; round < (smallest ? 1 : 15); round += 1) {
  const isRight = round % 2 === 0;
  times.fresh.push(await fresh(isRight));
  times.watched.push(await watched(watching, isRight));
  times.studio.push(await inStudio(isRight));
}
watching.kill('SIGKILL');

printTable(
  'From a saved agent to the verdict of its case',
  ['', 'ms', 'times a fresh eval'],
  [
    ['fresh eval', short(median(times.fresh)), '1'],
    ['eval --watch', short(median(times.watched)), range(ratios(times.watched, times.fresh))],
    ['the studio, watching', short(median(times.studio)), range(ratios(times.studio, times.fresh))],
  ],
);
// The processes that are still there belong to this one.
process.exit();
