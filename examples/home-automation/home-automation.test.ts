import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { drive, readEvalSet } from './drive-conversations.ts';

const FAILS_ON_PURPOSE = 'fails_on_purpose_fahrenheit_read_as_celsius';

describe('home-automation.evalset.json', () => {
  const evalSet = readEvalSet(new URL('home-automation.evalset.json', import.meta.url));

  it.each(evalSet.eval_cases.filter((evalCase) => evalCase.eval_id !== FAILS_ON_PURPOSE))(
    '$eval_id: the agent makes exactly the expected calls',
    async (evalCase) => {
      for (const turn of await drive(evalCase)) {
        expect(turn.actual.toolCalls, turn.message).toEqual(turn.expected.toolCalls);
      }
    },
  );

  it(`${FAILS_ON_PURPOSE}: the agent reads 70 degrees Fahrenheit as Celsius, and nothing else is wrong`, async () => {
    const evalCase = evalSet.eval_cases.find((evalCase) => evalCase.eval_id === FAILS_ON_PURPOSE);
    const [turn, ...more] = evalCase ? await drive(evalCase) : [];
    expect(more).toEqual([]);
    expect(turn?.expected.toolCalls).toEqual([
      { name: 'set_temperature', args: { location: 'Bedroom', temperature: 21 } },
    ]);
    expect(turn?.actual.toolCalls).toEqual([
      { name: 'set_temperature', args: { location: 'Bedroom', temperature: 70 } },
    ]);
    expect(turn?.actual.text).toContain('70 is outside the range');
  });

  it('covers what it is there to show', () => {
    const turns = evalSet.eval_cases.map((evalCase) => evalCase.conversation.length);
    expect(evalSet.eval_set_id).toBe('home_automation');
    expect(turns.length).toBeGreaterThanOrEqual(8);
    expect(turns.filter((count) => count > 1).length).toBeGreaterThanOrEqual(3);
    expect(evalSet.eval_cases.some((evalCase) => 'devices' in evalCase.session_input.state)).toBe(true);
  });
});

// ADK's own samples lie outside the repository: whoever has them beside it sees the same agent evaluated on them.
const samples = new URL('../../../shared/fixtures/contributing/samples/evaluation/', import.meta.url);
const sampleFiles = ['basic_criteria/', 'test_file_vs_evalset/'].flatMap((name) => {
  const folder = new URL(name, samples);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files.filter((file) => /\.(?:evalset|test)\.json$/.test(file)).map((file) => new URL(file, folder));
});

describe.skipIf(sampleFiles.length === 0)("ADK's samples (in ../shared/fixtures, skipped without them)", () => {
  it('are all there', () => {
    expect(sampleFiles.map((file) => file.pathname.split('/').at(-1))).toEqual([
      'home_automation.evalset.json',
      'multi_session.evalset.json',
      'single_turn.test.json',
    ]);
  });

  const cases = sampleFiles.flatMap((file) => readEvalSet(file).eval_cases);
  it.each(cases)('$eval_id: the agent makes exactly the expected calls', async (evalCase) => {
    for (const turn of await drive(evalCase)) {
      expect(turn.actual.toolCalls, turn.message).toEqual(turn.expected.toolCalls);
    }
  });
});
