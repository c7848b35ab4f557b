import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Drives Vitest through its API: `drive.ts cancel` or `drive.ts watch FOLDER`. Prints one line of JSON per run.

const [mode = '', folder = ''] = process.argv.slice(2);
const { VITEST_FOLDER = '' } = process.env;
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const { createVitest } = (await import(
  pathToFileURL(join(VITEST_FOLDER, 'dist/node.js')).href
)) as typeof import('vitest/node');

const ended: string[] = [];
const reporter: import('vitest/node').Reporter = {
  onTestRunEnd(modules, _errors, reason) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const results = tests.map((test) => [test.name, test.result().state]);
    ended.push(JSON.stringify({ reason, results }));
    console.log(ended.at(-1));
  },
};
const options = { config: here('vitest.config.ts'), watch: mode === 'watch', reporters: [reporter, here('../reporter.ts')] };

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error('it takes too long');
    await new Promise((done) => setTimeout(done, 20));
  }
}

if (mode === 'cancel') {
  const notes = process.env.LAMP_NOTES ?? '';
  const run = await createVitest('test', options);
  const started = run.start(['stuck.fixture.ts']);
  await until(() => existsSync(notes));
  await run.cancelCurrentRun('keyboard-input');
  await started;
  await until(() => readFileSync(notes, 'utf8').includes('stops'));
  await run.close();
} else {
  const run = await createVitest('test', { ...options, root: folder });
  const agent = (answer: string) => writeFileSync(join(folder, 'agent.ts'), `export const agent = () => '${answer}';\n`);
  const evalSet = { eval_set_id: 'watched', eval_cases: [{ eval_id: 'asks', conversation: [{}] }] };
  const config = (threshold: number) =>
    writeFileSync(join(folder, 'test_config.json'), JSON.stringify({ criteria: { response_match_score: threshold } }));
  config(0.8);
  const text = (value: string) => ({ parts: [{ text: value }] });
  Object.assign(evalSet.eval_cases[0]?.conversation[0] ?? {}, {
    user_content: text('What is it?'),
    final_response: text('It is a lamp.'),
  });
  writeFileSync(join(folder, 'watched.evalset.json'), JSON.stringify(evalSet));
  writeFileSync(
    join(folder, 'watched.fixture.ts'),
    `import { describeEvalSet } from '@agent-criteria/vitest';
import { agent } from './agent.ts';

describeEvalSet(agent, 'watched.evalset.json', { runsFolder: 'runs' });
`,
  );
  agent('It is a lamp.');
  await run.start();
  await until(() => ended.length === 1);
  agent('It is a horse, as far as anybody can see.');
  await until(() => ended.length === 2);
  // Files that no module imports: an eval set, one with a mistake, and the config beside it.
  const saved = JSON.stringify(evalSet).replace('It is a lamp.', 'It is a horse, as far as anybody can see.');
  writeFileSync(join(folder, 'watched.evalset.json'), saved);
  await until(() => ended.length === 3);
  writeFileSync(join(folder, 'watched.evalset.json'), '{ no JSON');
  await until(() => ended.length === 4);
  writeFileSync(join(folder, 'watched.evalset.json'), saved.replace(', as far as anybody can see', ''));
  await until(() => ended.length === 5);
  config(0.5);
  await until(() => ended.length === 6);
  await run.close();
}
process.exit(0);
