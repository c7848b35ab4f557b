import { describe, expect, it } from 'vitest';
import { parseFlags } from './arguments.ts';
import { commandFlags } from './command-flags.ts';
import { oneOf, wholeNumber } from './flag-values.ts';

describe('parseFlags', () => {
  const options = { config_file_path: { type: 'string' }, print_detailed_results: { type: 'boolean' } } as const;

  it.each([
    ['--config_file_path', 'my-file.json'],
    ['--config-file-path', 'my-file.json'],
    ['--config_file_path=my-file.json'],
    ['--config-file_path=my-file.json'],
  ])('accepts %s %s', (...flag) => {
    const parsed = parseFlags(['agent', ...flag, 'set-a.json'], options);
    expect(parsed.flags).toEqual({ config_file_path: 'my-file.json' });
    expect(parsed.positionals).toEqual(['agent', 'set-a.json']);
  });

  it('preserves an equals sign in a value, and does not parse arguments after --', () => {
    expect(parseFlags(['--config-file-path=a=b-c'], options).flags.config_file_path).toBe('a=b-c');
    expect(parseFlags(['--', '--odd-name.json'], options).positionals).toEqual(['--odd-name.json']);
  });

  it('takes the value of a flag that may have one only after =', () => {
    const { flags, positionals } = parseFlags(['--inspect', 'agent', '--watch'], commandFlags.eval);
    expect(flags).toEqual({ inspect: '9229', watch: true });
    expect(positionals).toEqual(['agent']);
    expect(parseFlags(['--inspect=0'], commandFlags.studio).flags).toEqual({ inspect: '0' });
  });

  it('parses short flags: alone, combined and with a value', () => {
    const parsed = parseFlags(
      ['-v', '-n3', '-j', '2', '-o', 'a.html', '-ob.xml', '-t', 'slow', '-cmine.json'],
      commandFlags.eval,
    );
    expect(parsed.flags).toEqual({
      print_detailed_results: true,
      repeats: '3',
      concurrency_agents: '2',
      output: ['a.html', 'b.xml'],
      tag: ['slow'],
      config_file_path: 'mine.json',
    });
    expect(parseFlags(['-vn2'], commandFlags.eval).flags).toEqual({ print_detailed_results: true, repeats: '2' });
    expect(parseFlags(['--', '-v'], commandFlags.eval).positionals).toEqual(['-v']);
  });

  it('suggests the flag that was probably meant', () => {
    expect(() => parseFlags(['--confg_file_path', 'x'], options)).toThrow(
      'there is no flag --confg_file_path; did you mean --config-file-path?',
    );
  });

  it('collects the values of a repeated flag', () => {
    const { flags } = parseFlags(['--case', 'a,b', '--case=c:d'], { case: { type: 'string', multiple: true } });
    expect(flags.case).toEqual(['a,b', 'c:d']);
  });

  it.each([
    [['--config-file-path'], '--config-file-path needs a value; see agent-criteria --help all'],
    [['--print-detailed-results=yes'], '--print-detailed-results takes no value; see agent-criteria --help all'],
    [['-x'], 'there is no flag -x; this command has --config-file-path, --print-detailed-results'],
  ])('rejects %j with a remedy', (args, told) => {
    expect(() => parseFlags(args, options)).toThrow(told);
  });

  it.each([
    [['--config', 'a.json'], 'there is no flag --config; did you mean --config-file-path?'],
    [['--verbose'], 'there is no flag --verbose; did you mean --print-detailed-results?'],
    [['-g', 'x'], 'there is no flag -g; did you mean --grep?'],
    [['-o', '-v'], '--output needs a value; see agent-criteria eval --help all'],
    [['-v=3'], 'there is no flag -='],
    [['--parallel=4'], 'there is no flag --parallel; did you mean --concurrency-agents?'],
    [['--only-faild'], 'there is no flag --only-faild; did you mean --only-failed?'],
    [['--max_tokns', '3'], 'there is no flag --max_tokns; did you mean --max-tokens?'],
    [['--print'], 'there is no flag --print; did you mean --print-detailed-results?'],
    [['--replay', 'a'], 'there is no flag --replay: write --recording FILE:replay'],
    [
      ['--recording_mode', 'auto'],
      'there is no flag --recording_mode: write --recording FILE:MODE, or --recording :MODE',
    ],
    [['--colour-of-the-sky'], 'there is no flag --colour-of-the-sky; see agent-criteria eval --help all'],
  ])('gives advice on unknown flags of eval: %j', (args, told) => {
    expect(() => parseFlags(args, commandFlags.eval, 'eval')).toThrow(told);
  });

  it('never suggests a flag that the command does not have', () => {
    expect(() => parseFlags(['-n', '3'], commandFlags.runs)).toThrow(
      'there is no flag -n; this command has --runs-folder, --json',
    );
  });
});

describe('wholeNumber', () => {
  it.each([
    ['1', 1],
    ['20', 20],
    [undefined, undefined],
  ])('reads %j', (written, number) => {
    expect(wholeNumber('scoring', written)).toBe(number);
  });

  it.each(['0', '-1', '1.5', 'many', '', ' ', '1e400', 'NaN'])('rejects %j', (written) => {
    expect(() => wholeNumber('scoring', written)).toThrow(`--scoring must be a whole number above 0, not "${written}"`);
  });
});

describe('oneOf', () => {
  it('accepts its values, and suggests one of them for any other', () => {
    expect(oneOf('rerun', 'failed', ['failed', 'all'])).toBe('failed');
    expect(oneOf('rerun', undefined, ['failed', 'all'])).toBeUndefined();
    expect(() => oneOf('rerun', 'faild', ['failed', 'all'])).toThrow(
      '--rerun must be one of "failed", "all", not "faild"; did you mean "failed"?',
    );
  });
});
