/**
 * Measures the time from saving a changed agent to the verdict of its case, while `eval --watch` runs, as a multiple of a
 * fresh `eval` of that case.
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
type Way = 'fresh' | 'watched';
/** One project for each way, so that the watching process does not see what the other one saves. */
for (const way of ['fresh', 'watched'] as const) {
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

const times: Record<Way, number[]> = { fresh: [], watched: [] };
save('watched', false);
const watching = start('watched', '--watch');
// It would go on watching if this benchmark failed.
process.on('exit', () => watching.kill('SIGKILL'));
await printed(watching, 'Watching ');
for (let round = 0; round < (smallest ? 1 : 15); round += 1) {
  const isRight = round % 2 === 0;
  times.fresh.push(await fresh(isRight));
  times.watched.push(await watched(watching, isRight));
}
watching.kill('SIGKILL');

printTable(
  'From a saved agent to the verdict of its case',
  ['', 'ms', 'times a fresh eval'],
  [
    ['fresh eval', short(median(times.fresh)), '1'],
    ['eval --watch', short(median(times.watched)), range(ratios(times.watched, times.fresh))],
  ],
);
