import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { llmBackedOptions } from './simulator-options.ts';
import { DEFAULT_STOP_SIGNAL, readStopSignal } from './stop-signal.ts';

describe('readStopSignal()', () => {
  it.each([
    ['</finished>', '', true],
    ['</FINISHED>', '', true],
    ['< / finished >', '', true],
    ['Thanks!\n</finished>', 'Thanks!', true],
    ['</finished> Bye.', 'Bye.', true],
    ['One </finished> two </finished>', 'One  two', true],
    ['finished', 'finished', false],
    ['<finished>', '<finished>', false],
    ['</finish ed', '</finish ed', false],
    ['', '', false],
    ['`</finished>`', '', true],
    ['Thanks! **</finished>**', 'Thanks!', true],
    ['Say "</finished>" then', 'Say  then', true],
    ['*Thanks* </finished>', '*Thanks*', true],
  ])('finds and removes the default signal: %j', (text, rest, found) => {
    expect(readStopSignal(text, DEFAULT_STOP_SIGNAL)).toEqual({ text: rest, found });
  });

  it('treats a signal as text, not as a pattern', () => {
    expect(readStopSignal('I am done (over).*', '(over).*')).toEqual({ text: 'I am done', found: true });
    expect(readStopSignal('overXY', '(over).*').found).toBe(false);
    expect(readStopSignal('🛑', '🛑').found).toBe(true);
    expect(readStopSignal('[a-z] \\d', '[a-z]\\d').found).toBe(true);
  });

  it.each([
    ['END', 'Please send it before the weekend', false],
    ['DONE', 'Yes, I do need a lamp', false],
    ['STOP', 'The last option, please', false],
    ['DONE', 'Is it done2?', false],
    ['END', 'That was all. End.', true],
    ['_END_', 'Bye _END_', true],
    ['END', 'Bye _END_', true],
    ['THE END', 'Bye\nthe  end', true],
    ['THE END', 'What does theend mean?', false],
    ['ОК', 'Сколько окон?', false],
    ['结束', '谢谢结束了', true],
    ['END', '谢谢END', true],
  ])('finds %j in %j only as a separate word: %s', (signal, text, found) => {
    expect(readStopSignal(text, signal).found).toBe(found);
  });

  it('finds any signal in any text', () => {
    const signal = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(fc.string(), signal, fc.string(), (before, mark, after) => {
        expect(readStopSignal(`${before} ${mark} ${after}`, mark).found).toBe(true);
      }),
    );
  });

  it('takes linear time', () => {
    const long = '<'.repeat(200_000) + '</ '.repeat(100_000) + ' '.repeat(200_000) + '</finishe'.repeat(20_000);
    const taken = cpuTime();
    expect(readStopSignal(long, DEFAULT_STOP_SIGNAL).found).toBe(false);
    expect(taken()).toBeLessThan(2000);
  });
});

it('the options of llm_backed reject a stop signal that is blank or longer than 100 characters', () => {
  const messages = (stopSignal: string) =>
    (llmBackedOptions['~standard'].validate({ stopSignal }).issues ?? []).map(({ message }) => message);
  expect(messages('STOP')).toEqual([]);
  expect(messages(' \n')).toEqual(['a stop signal must not be blank']);
  expect(messages('x'.repeat(101))).toEqual(['a stop signal must have at most 100 characters']);
});
