import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';

// The command as a process of its own: signals, streams, and what an agent does to the process.

const bin = fileURLToPath(new URL('bin.ts', import.meta.url));
const node = ['--conditions=@agent-criteria/source', '--disable-warning=ExperimentalWarning', bin];

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function start(args: readonly string[], cwd?: string): { child: ChildProcess; ended: Promise<Ended> } {
  // Runs are kept in the working folder.
  const options = { stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'], cwd: cwd ?? folderOf({}) };
  const child = spawn(process.execPath, [...node, ...args], options);
  let out = '';
  let err = '';
  child.stdout.on('data', (data) => {
    out += data;
  });
  child.stderr.on('data', (data) => {
    err += data;
  });
  return { child, ended: once(child, 'close').then(([code]) => ({ code, out, err })) };
}

const run = (...args: string[]) => start(args).ended;

function project(agent: string, ...prompts: string[]) {
  const cases = (prompts.length > 0 ? prompts : ['Hi']).map((prompt, index) =>
    evalCase(`case${index}`, turn(prompt, 'Hi')),
  );
  const folder = folderOf({ 'agent.mjs': agent, 'a.test.json': evalSet('s', ...cases) });
  return ['eval', folder, join(folder, 'a.test.json')] as const;
}

describe('the exit code', { timeout: 60_000 }, () => {
  it.each([
    [0, 'export const agent = () => "Hi";'],
    [1, 'export const agent = () => "Bye";'],
    [2, 'throw new Error("no gas");'],
    [3, 'export const agent = () => { throw new Error("no gas"); };'],
  ])('is %i for an agent %s', async (code, agent) => {
    expect((await run(...project(agent))).code).toBe(code);
  });

  it('is 3 for a rejection that nobody handles, with nothing slow after it', async () => {
    const agent = 'export const agent = () => { Promise.reject(new Error("lost")); return "Hi"; };';
    const { code, err } = await run(...project(agent));
    expect(code).toBe(3);
    expect(err).toContain('lost');
  });

  it.skipIf(!existsSync('/dev/full'))('is 3 where the result cannot be written', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [...node, ...project('export const agent = () => "Hi";'), '--json'], {
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

  it('is 0 for help and version, 2 for nothing', async () => {
    const [help, version, nothing] = await Promise.all([run('--help'), run('--version'), run()]);
    expect([help.code, version.code, nothing.code]).toEqual([0, 0, 2]);
    expect(version.out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('is 3 where the agent ends the process, or waits for ever while it is imported', async () => {
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

  it('is not 0 where something failed that nobody caught; the run goes on', async () => {
    const stray = `export const agent = async () => {
      Promise.reject(new Error('lost'));
      setTimeout(() => { throw new Error('late'); }, 1);
      await new Promise((done) => setTimeout(done, 30));
      return 'Hi';
    };`;
    const { code, out, err } = await run(...project(stray));
    expect(out).toContain('1 passed of 1 case');
    expect(err).toMatch(
      /An error outside of any turn, which nobody caught:\nError: lost\n {4}at agent .*agent\.mjs:2:22/,
    );
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

  it('is waited for after an interrupt, and ends at once on a second one, with 130 and what is known', async () => {
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
    expect(err).toContain('Stopping: what is under way may finish, nothing new starts.');
    expect(err).toContain('Stopping: open conversations end now.');
    expect(out).toContain('1 passed, 1 error of 2 cases');
    expect(err).toMatch(/To go on with it: agent-criteria resume \S+\n$/);
  });

  it('that was interrupted goes on with the command that was told', async () => {
    const folder = folderOf({
      'agent.mjs': `export const agent = async (text) => {
        process.stderr.write('started\\n');
        await new Promise((done) => setTimeout(done, text === 'slow' ? 500 : 0));
        return text;
      };`,
      'a.test.json': evalSet('s', ...['slow', 'b', 'c', 'd', 'e', 'f'].map((text) => evalCase(text, turn(text, text)))),
    });
    const { child, ended } = start(['eval', '.', 'a.test.json', '--parallelism', '1'], folder);
    child.stderr?.once('data', () => child.kill('SIGINT'));
    const { code, out, err } = await ended;
    expect(code).toBe(130);
    expect(out).toContain('1 passed, 5 error of 6 cases');
    const [, command = ''] = /To go on with it: agent-criteria (.*)\n$/.exec(err) ?? [];
    const resumed = await start(command.split(' '), folder).ended;
    expect(resumed.out).toContain('6 passed of 6 cases');
    expect(resumed.err.match(/started/g)).toHaveLength(5);
    expect(resumed.code).toBe(0);
    expect((await start(['runs'], folder).ended).out).toContain('6 passed  ');
  });

  it('leaves on a second interrupt, whatever it is still waiting for', async () => {
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
  it('is pure JSON with --json, whatever the agent prints', async () => {
    const chatty = `console.log('loading'); process.stdout.write('more');
      export const agent = () => { console.log('thinking'); console.info('aloud'); return 'Hi'; };`;
    const { code, out, err } = await run(...project(chatty), '--json');
    expect(JSON.parse(out).summary.verdicts.passed).toBe(1);
    for (const word of ['loading', 'more', 'thinking', 'aloud']) expect(err).toContain(word);
    expect(code).toBe(0);
  });

  it('holds all of a large result', async () => {
    const wordy = `export const agent = () => 'x'.repeat(3_000_000);`;
    const { out } = await run(...project(wordy), '--json');
    expect(JSON.parse(out).sets[0].inferences[0].inference.invocations[0].finalResponse.parts[0].text).toHaveLength(
      3_000_000,
    );
  });

  it.each(['stdout', 'stderr'] as const)('may lose its reader while the agent still works: %s', async (name) => {
    const agent = `process.stderr.write('loading');
      export const agent = async () => { await new Promise((done) => setTimeout(done, 200)); return 'Hi'; };`;
    const { child, ended } = start(project(agent));
    child[name]?.destroy();
    const { code, err } = await ended;
    expect(code).toBe(0);
    expect(err).not.toContain('EPIPE');
  });
});
