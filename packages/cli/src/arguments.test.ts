import { describe, expect, it } from 'vitest';
import { oneOf, parseFlags, wholeNumber } from './arguments.ts';

describe('parseFlags', () => {
  const options = { config_file_path: { type: 'string' }, print_detailed_results: { type: 'boolean' } } as const;

  it.each([
    ['--config_file_path', 'my-file.json'],
    ['--config-file-path', 'my-file.json'],
    ['--config_file_path=my-file.json'],
    ['--config-file_path=my-file.json'],
  ])('takes %s %s', (...flag) => {
    const parsed = parseFlags(['agent', ...flag, 'set-a.json'], options);
    expect(parsed.flags).toEqual({ config_file_path: 'my-file.json' });
    expect(parsed.positionals).toEqual(['agent', 'set-a.json']);
  });

  it('keeps an equals sign in a value, and leaves what follows -- alone', () => {
    expect(parseFlags(['--config-file-path=a=b-c'], options).flags.config_file_path).toBe('a=b-c');
    expect(parseFlags(['--', '--odd-name.json'], options).positionals).toEqual(['--odd-name.json']);
  });

  it('names the flag that was probably meant', () => {
    expect(() => parseFlags(['--confg_file_path', 'x'], options)).toThrow(
      `Unknown option '--confg_file_path'; did you mean "--config_file_path"?`,
    );
  });

  it('takes flags that may be given several times', () => {
    const { flags } = parseFlags(['--case', 'a,b', '--case=c:d'], { case: { type: 'string', multiple: true } });
    expect(flags.case).toEqual(['a,b', 'c:d']);
  });

  it.each([
    [['--config-file-path'], "Option '--config_file_path <value>' argument missing"],
    [['--print-detailed-results=yes'], "Option '--print_detailed_results' does not take an argument"],
    [['-x'], "Unknown option '-x'"],
  ])('refuses %j and names the flags', (args, told) => {
    expect(() => parseFlags(args, options)).toThrow(
      `${told}; the flags are --config_file_path, --print_detailed_results`,
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

  it.each(['0', '-1', '1.5', 'many', '', ' ', '1e400', 'NaN'])('refuses %j', (written) => {
    expect(() => wholeNumber('scoring', written)).toThrow(`--scoring must be a whole number above 0, not "${written}"`);
  });
});

describe('oneOf', () => {
  it('knows its values, and what was probably meant', () => {
    expect(oneOf('rerun', 'failed', ['failed', 'all'])).toBe('failed');
    expect(oneOf('rerun', undefined, ['failed', 'all'])).toBeUndefined();
    expect(() => oneOf('rerun', 'faild', ['failed', 'all'])).toThrow(
      '--rerun must be one of "failed", "all", not "faild"; did you mean "failed"?',
    );
  });
});
