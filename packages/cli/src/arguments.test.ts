import { describe, expect, it } from 'vitest';
import { parseEvalSetArgument, parseFlags } from './arguments.ts';

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

  it.each([
    [['--confg_file_path', 'x'], "Unknown option '--confg_file_path'"],
    [['--config-file-path'], "Option '--config_file_path <value>' argument missing"],
    [['--print-detailed-results=yes'], "Option '--print_detailed_results' does not take an argument"],
    [['-x'], "Unknown option '-x'"],
  ])('refuses %j and names the flags', (args, told) => {
    expect(() => parseFlags(args, options)).toThrow(
      `${told}; the flags are --config_file_path, --print_detailed_results`,
    );
  });
});

describe('parseEvalSetArgument', () => {
  it.each([
    ['a.json', 'a.json', []],
    ['a.json:', 'a.json', []],
    ['a.json:one', 'a.json', ['one']],
    ['a.json:one, two ,,', 'a.json', ['one', 'two']],
    ['a.json:a/b:c', 'a.json', ['a/b:c']],
    ['C:\\sets\\a.evalset.json', 'C:\\sets\\a.evalset.json', []],
    ['C:\\sets\\a.evalset.json:case1', 'C:\\sets\\a.evalset.json', ['case1']],
    ['c:/sets/a.evalset.json:case1,case2', 'c:/sets/a.evalset.json', ['case1', 'case2']],
    ['a:case', 'a', ['case']],
  ])('splits %j', (argument, path, cases) => {
    expect(parseEvalSetArgument(argument)).toEqual({ path, cases });
  });
});
