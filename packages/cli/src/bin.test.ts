// Long: starts the command many times.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { listRuns } from '@agent-criteria/runner';
import { describe, expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';
import { BIN, FLAGS, run, start, startNode } from './__fixtures__/spawned.ts';

// Runs the command in a separate process, to test signals, streams, and what an agent can do to the process.

function project(agent: string, ...prompts: string[]) {
  const cases = (prompts.length > 0 ? prompts : ['Hi']).map((prompt, index) =>
    evalCase(`case${index}`, turn(prompt, 'Hi')),
  );
  const folder = folderOf({ 'agent.mjs': agent, 'a.test.json': evalSet('s', ...cases) });
  return ['eval', folder, join(folder, 'a.test.json')] as const;
}

describe('the exit code', { timeout: 60_000 }, () => {
  // Runs in this process. The other tests show how a real process ends with these codes.
  it.each([
    [0, 'export const agent = () => "Hi";'],
    [1, 'export const agent = () => "Bye";'],
    [2, 'throw new Error("no gas");'],
    [3, 'export const agent = () => { throw new Error("no gas"); };'],
  ])('is %i for the agent %s', async (code, agent) => {
    expect((await capture(project(agent))).code).toBe(code);
  });

  it('is 3 for an unhandled rejection, even if the command ends right after it', async () => {
    const agent = 'export const agent = () => { Promise.reject(new Error("lost")); return "Hi"; };';
    const [command, folder, file] = project(agent);
    const { code, err } = await run(command, folder, file, '--runs_folder', join(folder, 'runs'));
    expect(code).toBe(3);
    expect(err).toContain('lost');
    const [kept] = listRuns(join(folder, 'runs'));
    expect(kept?.outcome).toMatchObject({ exitCode: 3, problems: ['there were errors outside of any turn'] });
  });

  it.skipIf(!existsSync('/dev/full'))('is 3 if the result cannot be written', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [...FLAGS, BIN, ...project('export const agent = () => "Hi";'), '--json'], {
      stdio: ['ignore', full, 'pipe'],
    });
    let err = '';
    child.stderr?.on('data', (data) => {
      err += data;
    });
    const [code] = await once(child, 'close');
    closeSync(full);
    expect(code).toBe(3);
    expect(err).toContain('the result could not be written');
  });

  it('is 0 for help and version, and 2 without a command', async () => {
    const [help, version, nothing] = await Promise.all([run('--help'), run('--version'), run()]);
    expect([help.code, version.code, nothing.code]).toEqual([0, 0, 2]);
    expect(version.out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('is 3 if the agent ends the process, or hangs while it is imported', async () => {
    const ended = await Promise.all([
      run(...project('process.exit(0);')),
      run(...project('export const agent = () => process.exit(0);')),
      run(...project('await new Promise(() => {}); export const agent = 1;')),
    ]);
    for (const { code, err } of ended) {
      expect(err).toContain('The process ended before the command did.');
      expect(code).toBe(3);
    }
  });

  const exits = (module: string, answer = '"Bye"') =>
    project(`import process from 'node:process';\n${module}\nexport const agent = () => ${answer};`);

  it.each([
    ['a listener', 'process.on("exit", () => { process.exitCode = 0; });'],
    ['a listener of a listener', 'process.on("exit", () => process.on("exit", () => { process.exitCode = 0; }));'],
    ['the first listener', 'process.prependListener("exit", () => { process.exitCode = 0; });'],
    ['a listener that ends the process', 'process.on("exit", () => process.exit(0));'],
    ['a listener that throws', 'process.on("exit", () => { throw new Error("late"); });'],
    ['another process.exit', 'const { exit } = process; process.exit = () => exit(0);'],
    ['a process.exit that does nothing', 'process.exit = () => undefined;'],
    ['no listeners any more', 'process.removeAllListeners();'],
    ['a process.exitCode', 'process.exitCode = 0; setInterval(() => { process.exitCode = 0; }, 1);'],
  ])('follows the verdict, whatever the agent does on exit: %s', async (_, module) => {
    const { code, out } = await run(...exits(module));
    expect(out).toContain('1 failed of 1 case');
    expect(code).toBe(1);
  });

  it('is 0 if all cases passed, even if the agent sets another code on exit', async () => {
    expect((await run(...exits('process.on("exit", () => { process.exitCode = 1; });', '"Hi"'))).code).toBe(0);
  });

  it('is 3 if all cases passed but an exit listener throws', async () => {
    const { code, err } = await run(...exits('process.on("exit", () => { throw new Error("late"); });', '"Hi"'));
    expect(err).toContain('Error: late');
    expect(code).toBe(3);
  });

  it('is 3 if the agent ends the process early with exit code 0', async () => {
    const zero = 'process.on("exit", () => { process.exitCode = 0; });';
    const ended = await Promise.all([
      run(...exits(zero, 'process.exit(0)')),
      run(...exits(`${zero} process.removeAllListeners('beforeExit');`, 'process.exit(0)')),
      run(...exits(`${zero} await new Promise(() => {});`)),
      run(...exits('process.on("exit", () => process.exit(0));', 'process.exit(0)')),
    ]);
    for (const { code, err } of ended) {
      expect(err.match(/The process ended before the command did\./g)).toHaveLength(1);
      expect(code).toBe(3);
    }
  });

  it.skipIf(process.platform === 'win32')('is that of the signal if SIGTERM ends the command', async () => {
    const { ended } = start(
      exits(
        'process.on("exit", () => { process.exitCode = 0; });',
        '(process.kill(process.pid, "SIGTERM"), new Promise(() => {}))',
      ),
    );
    const { code, out } = await ended;
    // A process that is killed by the signal itself has no exit code.
    expect([143, null]).toContain(code);
    expect(out).not.toContain('passed');
  });

  it('is 3 if an agent that removed all listeners hangs while it is imported', async () => {
    expect((await run(...exits('process.removeAllListeners(); await new Promise(() => {});'))).code).toBe(3);
  });

  it("is set after the agent's exit listeners have run and all output is written", async () => {
    const { code, out, err } = await run(
      ...exits('process.on("exit", (code) => console.error("bye with", code));', '"x".repeat(3_000_000)'),
      '--json',
    );
    expect(JSON.parse(out).summary.verdicts.failed).toBe(1);
    expect(err).toContain('bye with 1');
    expect(code).toBe(1);
  });

  it('is 3 after an uncaught error, although the run continues', async () => {
    const stray = `export const agent = async () => {
      Promise.reject(new Error('lost'));
      setTimeout(() => { throw { toString: null }; }, 1);
      setTimeout(() => { throw new Error('late'); }, 1);
      await new Promise((done) => setTimeout(done, 30));
      return 'Hi';
    };`;
    const { code, out, err } = await run(...project(stray));
    expect(out).toContain('1 passed of 1 case');
    expect(err).toMatch(/An uncaught error outside of any turn:\nError: lost\n {4}at agent .*agent\.mjs:2:22/);
    expect(err).toContain('An uncaught error outside of any turn: it cannot be shown.');
    expect(err).toContain('Error: late');
    expect(code).toBe(3);
  });
});

describe('a hanging agent', { timeout: 60_000 }, () => {
  const hanging = `export const agent = (text) => {
    process.stderr.write('started\\n');
    setInterval(() => {}, 1000);
    return text === 'hang' ? new Promise(() => {}) : 'Hi';
  };`;

  it('does not keep the process alive once there are results', async () => {
    expect((await run(...project(hanging))).code).toBe(0);
  });

  it('is awaited after one interrupt and ended by a second, with exit code 130 and the results so far', async () => {
    const { child, ended } = start(project(hanging, 'hang', 'Hi'));
    let told = '';
    child.stderr?.on('data', (data) => {
      const before = told;
      told += data;
      if (!before.includes('started') && told.includes('started')) child.kill('SIGINT');
      if (!before.includes('Ctrl-C again') && told.includes('Ctrl-C again')) child.kill('SIGINT');
    });
    const { code, out, err } = await ended;
    expect(code).toBe(130);
    expect(err).toContain('Stopping: work in progress will finish, nothing new starts.');
    expect(err).toContain('Stopping: open conversations end now.');
    expect(out).toContain('1 passed, 1 error of 2 cases');
    expect(err).toMatch(/Resume with: agent-criteria resume \S+\n$/);
  });

  it('can be interrupted, and the printed command then continues the run', async () => {
    const folder = folderOf({
      'agent.mjs': `export const agent = async (text) => {
        process.stderr.write('started\\n');
        // The first case ends after the interrupt, however long that takes.
        if (text === 'slow') await new Promise((done) => process.once('SIGINT', () => setImmediate(done)));
        return text;
      };`,
      'a.test.json': evalSet('s', ...['slow', 'b', 'c', 'd', 'e', 'f'].map((text) => evalCase(text, turn(text, text)))),
    });
    const { child, ended } = start(['eval', '.', 'a.test.json', '--concurrency_agents', '1'], folder);
    child.stderr?.once('data', () => child.kill('SIGINT'));
    const { code, out, err } = await ended;
    expect(code).toBe(130);
    expect(out).toContain('1 passed, 5 error of 6 cases');
    const [, command = ''] = /Resume with: agent-criteria (.*)\n$/.exec(err) ?? [];
    const resumed = await start(command.split(' '), folder).ended;
    expect(resumed.out).toContain('6 passed of 6 cases');
    expect(resumed.err.match(/started/g)).toHaveLength(5);
    expect(resumed.code).toBe(0);
    expect((await start(['runs'], folder).ended).out).toContain('6 passed  ');
  });

  it('is abandoned on a second interrupt, even while it is imported', async () => {
    const { child, ended } = start(
      project("process.stderr.write('started\\n'); await new Promise((done) => setTimeout(done, 60_000));"),
    );
    let told = '';
    child.stderr?.on('data', (data) => {
      told += data;
      if (told.endsWith('started\n') || told.includes('Stopping')) child.kill('SIGINT');
    });
    expect((await ended).code).toBe(130);
  });
});

describe('standard output', { timeout: 60_000 }, () => {
  it('is pure and complete JSON with --json, whatever the agent prints', async () => {
    const chatty = `console.log('loading'); process.stdout.write('more');
      export const agent = () => { console.log('thinking'); console.info('aloud'); return 'x'.repeat(3_000_000); };`;
    const { code, out, err } = await run(...project(chatty), '--json');
    const { summary, sets } = JSON.parse(out);
    expect(summary.verdicts.failed).toBe(1);
    expect(sets[0].inferences[0].inference.invocations[0].finalResponse.parts[0].text).toHaveLength(3_000_000);
    for (const word of ['loading', 'more', 'thinking', 'aloud']) expect(err).toContain(word);
    expect(code).toBe(1);
  });

  it.each(['stdout', 'stderr'] as const)(
    'can be closed by its reader while the agent runs, and so can standard error: %s',
    async (name) => {
      const agent = `process.stderr.write('loading');
      export const agent = async () => { await new Promise((done) => setTimeout(done, 200)); return 'Hi'; };`;
      const { child, ended } = start(project(agent));
      child[name]?.destroy();
      const { code, err } = await ended;
      expect(code).toBe(0);
      expect(err).not.toContain('EPIPE');
    },
  );
});

describe('main() called from a script', { timeout: 60_000 }, () => {
  const index = new URL('index.ts', import.meta.url).href;

  it('returns the exit code and restores the process', async () => {
    const folder = folderOf({
      'script.mjs': `import { main } from ${JSON.stringify(index)};
        // A thread of its own ends a process that an agent blocks.
        let threads = 0;
        process.on('worker', () => { threads += 1; });
        const before = [process.exit, process.reallyExit, process.stdout.write, process.eventNames().length];
        process.argv = [process.argv[0], 'agent-criteria', 'eval', 'agent.mjs', 'a.test.json', '--json', '--no_run_folder'];
        const code = await main();
        const after = [process.exit, process.reallyExit, process.stdout.write, process.eventNames().length];
        console.log(JSON.stringify({ code, threads, same: before.map((value, index) => value === after[index]) }));
        process.exitCode = 42;`,
      'agent.mjs': 'export const agent = () => "Bye";',
      'a.test.json': evalSet('s', evalCase('one', turn('Hi', 'Hi'))),
    });
    const { code, out } = await startNode([join(folder, 'script.mjs')], folder).ended;
    expect(JSON.parse(out.trim().split('\n').at(-1) ?? '')).toEqual({
      code: 1,
      threads: 1,
      same: [true, true, true, true],
    });
    expect(code).toBe(42);
  });
});
