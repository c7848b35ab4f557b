import type { EvalCase, State } from '@agent-criteria/core';
import { evalCase, testTools } from '@agent-criteria/core/testing';
import { describe, expect, it } from 'vitest';
import { recordedTools } from './pure.ts';

const step = (name: string, args: State, response: State | null) => ({ name, args, response });

/** A case with these recorded calls, one turn for each list. */
function recorded(...turns: readonly (readonly ReturnType<typeof step>[])[]): EvalCase {
  return {
    ...evalCase('c', []),
    conversation: turns.map((steps) => ({
      userContent: { role: 'user', parts: [{ text: 'Hi' }] },
      intermediateData: {
        toolUses: steps.map(({ name, args }, at) => ({ id: `${name}-${at}`, name, args })),
        toolResponses: steps.flatMap(({ name, response }, at) =>
          response === null ? [] : [{ id: `${name}-${at}`, name, response }],
        ),
      },
    })),
  };
}

function open(of: EvalCase) {
  const start = {
    key: { setId: 's', caseId: 'c', repeat: 0 },
    case: of,
    toolNames: ['roll'],
    environment: {},
    declarations: async () => null,
  };
  const session = recordedTools.open(start, testTools());
  return (tool: string, args: State) => session.answer({ tool, args, turn: 0, index: 0 });
}

describe('recorded', () => {
  const dice = recorded(
    [step('roll', { sides: 6 }, { value: 1 }), step('roll', { sides: 20, luck: [1] }, { value: 17 })],
    [step('roll', { sides: 6 }, { value: 4 })],
  );

  it('answers each call with the next recorded answer to equal arguments', async () => {
    const roll = open(dice);
    expect(await roll('roll', { luck: [1], sides: 20 })).toEqual({ value: 17 });
    expect(await roll('roll', { sides: 6 })).toEqual({ value: 1 });
    expect(await roll('roll', { sides: 6 })).toEqual({ value: 4 });
  });

  it('fails with what is recorded if no answer is left', async () => {
    const roll = open(dice);
    await expect(roll('roll', { sides: 7 })).rejects.toMatchObject({
      code: 'STUB_UNMATCHED',
      message: expect.stringMatching(/"roll".*\{"sides":7\}; the case has recorded calls with \{"sides":6\}, /),
    });
    await roll('roll', { luck: [1], sides: 20 });
    await expect(roll('roll', { luck: [1], sides: 20 })).rejects.toThrow('answered once');
    await expect(roll('toss', {})).rejects.toThrow('recorded no call of this tool');
  });

  it('answers with the same recording in each session', async () => {
    expect(await open(dice)('roll', { sides: 6 })).toEqual(await open(dice)('roll', { sides: 6 }));
  });

  it('is refused before the run for a case that calls the tool and has no answer of it', () => {
    const check = (of: EvalCase) => recordedTools.check?.({ case: of, toolNames: ['roll'], environment: {} });
    expect(check(dice)).toEqual([]);
    expect(check(recorded([step('other', {}, { ok: true })]))).toEqual([]);
    expect(check(recorded([step('roll', {}, null)]))).toEqual([
      expect.objectContaining({ message: expect.stringContaining('no recorded answer') }),
    ]);
  });
});
