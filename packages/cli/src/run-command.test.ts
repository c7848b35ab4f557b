import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { commandFlags } from './command-flags.ts';
import { commands } from './commands.ts';

describe('help', () => {
  it.each([['--help'], ['help'], ['-h']])('lists every command with %s', async (word) => {
    const { code, out, err } = await capture([word]);
    for (const { name, summary } of commands) expect(out).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'));
    expect(out).toContain('Exit codes: 0 all passed');
    expect(err).toBe('');
    expect(code).toBe(0);
  });

  it.each(commands.map(({ name }) => [name]))('explains every flag of %s within a hundred columns', async (name) => {
    const words = name.split(' ');
    const { code, out } = await capture([...words, '--help', 'all']);
    expect(out).toContain(`Usage: agent-criteria ${name}`);
    for (const flag of Object.keys(commandFlags[name])) {
      expect(out).toMatch(new RegExp(`^  (-\\w, )?--${flag.replaceAll('_', '-')}(\\[=\\w+\\])? .*\\w`, 'm'));
    }
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(code).toBe(0);
    expect((await capture(['help', ...words, 'all'])).out).toBe(out);
    expect((await capture([...words, 'anything', '-h', 'all'])).out).toBe(out);
    expect((await capture([...words, '--help=all'])).out).toBe(out);
  });

  it.each(commands.map(({ name }) => [name]))(
    'keeps the two columns of %s in a terminal of 80 columns',
    async (name) => {
      const width = { out: 80, err: 80 };
      const { out } = await capture([...name.split(' '), '--help', 'all'], { width });
      expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
      const flags = out.slice(out.indexOf('\nFlags'), out.indexOf('\nExit codes')).split('\n');
      const column = /^ {2}-.*? {2,}/.exec(flags.find((line) => /^ {2}-.* {2,}\w/.test(line)) ?? '')?.[0].length;
      for (const line of flags.filter((one) => one.startsWith('    '))) expect(line.search(/\S/)).toBe(column);
    },
  );

  it('lists the exit codes of the command', async () => {
    expect((await capture(['compare', '--help'])).out).toMatch(/Exit codes: 0 no regression, 1 a regression, /);
    expect((await capture(['calibrate', '--help'])).out).not.toContain('something failed');
  });

  it('names the gate flags in the short help of eval, and explains the studio', async () => {
    const { out } = await capture(['eval', '--help']);
    for (const flag of ['  --gate NAME=VALUE', '  --baseline FILE|RUN|last', '(--confirm)'])
      expect(out).toContain(flag);
    const studio = (await capture(['studio', '--help'])).out;
    expect(studio.split('\n')[2]).toBe(
      'Open a local web page to talk to agents, edit eval sets, start runs, and read and compare them.',
    );
    expect(studio).toContain('--adk-web');
  });

  it('shows the most common flags first, and how to see the others', async () => {
    const { out } = await capture(['eval', '--help']);
    expect(out.match(/^ {2}--/gm)?.length).toBeLessThanOrEqual(12);
    expect(out).toMatch(/\n\d+ more flags: agent-criteria eval --help all\n/);
    expect(out).toContain('underscores, as in ADK, are accepted too');
    expect((await capture(['runs', '--help'])).out).not.toContain('--help all');
    expect((await capture(['help', 'generate'])).out).toContain('for simulated users');
  });

  it('explains all commands of eval_set together, in either spelling', async () => {
    const { code, out } = await capture(['help', 'eval-set']);
    for (const word of ['create', 'list', 'show', 'add_eval_case'])
      expect(out).toContain(`agent-criteria eval_set ${word}`);
    expect(code).toBe(0);
    expect((await capture(['eval_set', '--help'])).out).toBe(out);
  });

  it('does not interpret arguments after --', async () => {
    const { code, err } = await capture(['validate', '--', '--help']);
    expect(err).toContain('--help: there is no such file or folder');
    expect(code).toBe(2);
  });
});

describe('the README of the package', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const titles = readme.split('\n').filter((line) => line.startsWith('#### '));

  it.each(commands.map(({ name }) => name))('mentions %s', (name) => {
    expect(titles.some((title) => title === `#### \`${name}\`` || title.startsWith(`#### \`${name} `))).toBe(true);
  });

  it('names only flags that exist', () => {
    const flags = new Set(Object.values(commandFlags).flatMap((flags) => Object.keys(flags)));
    const named = [...readme.matchAll(/--([a-z][a-z_-]*)/g)].map(([, flag = '']) => flag.replaceAll('-', '_'));
    expect(
      named.filter((flag) => !flags.has(flag) && !['save_session', 'help', 'flag', 'version'].includes(flag)),
    ).toEqual([
      // A flag of npm install.
      'save_dev',
    ]);
  });
});

describe('the version', () => {
  it.each(['--version', 'version'])('is printed by %s', async (word) => {
    expect(await capture([word])).toEqual({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), err: '' });
  });
});

describe('a command', () => {
  it.each([
    [['evla'], 'there is no command "evla"; did you mean "eval"? (see --help)'],
    [['help', 'valdate'], 'there is no command "valdate"; did you mean "validate"?'],
    [['frobnicate'], /there is no command "frobnicate"; the commands are eval, .*doctor.*, help/],
    [['eval_set'], 'eval_set has subcommands; use one of eval_set create, '],
    [['eval-set', 'crate', 'agent'], 'there is no command "eval-set crate"; did you mean "eval_set create"?'],
    [['toString'], 'there is no command "toString"'],
    [['validate', '--jsno', 'x'], 'there is no flag --jsno; did you mean --json?'],
    [['migrate', 'a', 'b', 'c'], '"c" is an unexpected argument; usage: agent-criteria migrate OLD [NEW]'],
  ])('that does not exist, or has an unknown flag or argument, is rejected: %j', async (args, told) => {
    const { code, out, err } = await capture(args);
    expect(err).toMatch(told);
    expect(out).toBe('');
    expect(code).toBe(2);
  });

  it('is required', async () => {
    const { code, out, err } = await capture([]);
    expect(err).toContain('Usage: agent-criteria COMMAND');
    expect(out).toBe('');
    expect(code).toBe(2);
  });
});
