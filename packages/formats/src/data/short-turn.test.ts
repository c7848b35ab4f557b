import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { arbitraryEvalSetInput, type LooseEvalSet } from '../__fixtures__/arbitrary-model.ts';
import { CriteriaError } from '../errors.ts';
import { type ExpectedReply, evalCase, turn } from '../eval-set/builders.ts';
import { parseEvalSet, parseInvocation, writeEvalSet } from './parse.ts';
import { shortTurns } from './short-turn.ts';

const setOf = (...conversation: unknown[]) => ({ eval_set_id: 's', eval_cases: [{ eval_id: 'a', conversation }] });
const read = (...conversation: unknown[]) => parseEvalSet(setOf(...conversation)).value.evalCases[0]?.conversation;
const calls = [{ name: 'read_temperature', args: { room: 'kitchen', unit_name: 'C' } }];
const rubrics = [{ rubricId: 'short', rubricContent: { textProperty: 'The answer is short.' } }];

/** Returns the problems and warnings of a turn, with paths relative to it. */
function told(written: unknown): readonly string[] {
  const line = ({ path = '', message }: { path?: string | undefined; message: string }) =>
    `${path.replace('$.eval_cases[0].conversation[0]', '')}: ${message}`;
  try {
    return parseEvalSet(setOf(written)).warnings.map((warning) => `warning ${line(warning)}`);
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    return error.problems.map(line);
  }
}

describe('a short turn', () => {
  it("is written in ADK's format, with surrounding keys in either spelling", () => {
    const written = { eval_set_id: 's', eval_cases: [{ eval_id: 'a', conversation: [turn('Hi')] }] };
    expect(writeEvalSet(setOf({ user: 'Hi' }) as never)).toEqual(writeEvalSet(written as never));
    const camel = { evalSetId: 's', evalCases: [{ evalId: 'a', conversation: [{ user: 'Hi' }] }] };
    expect(writeEvalSet(camel as never)).toEqual(writeEvalSet(written as never));
  });

  it("is read as a turn in ADK's format", () => {
    expect(read({ user: 'How warm?', answer: '21 °C', calls, rubrics })).toEqual([
      {
        userContent: { role: 'user', parts: [{ text: 'How warm?' }] },
        finalResponse: { role: 'model', parts: [{ text: '21 °C' }] },
        intermediateData: { toolUses: calls },
        rubrics,
      },
    ]);
    expect(read({ user: 'Hi' })).toEqual([{ userContent: { role: 'user', parts: [{ text: 'Hi' }] } }]);
    expect(read({ user: '', answer: null, calls: [] })).toEqual([
      { userContent: { role: 'user', parts: [{ text: '' }] }, finalResponse: null, intermediateData: { toolUses: [] } },
    ]);
  });

  it("can be mixed with turns in ADK's format, and may spell calls and rubrics either way", () => {
    const rubric = { rubric_id: 'short', rubric_content: { text_property: 'The answer is short.' } };
    const adk = { user_content: { parts: [{ text: 'Hi' }] } };
    const conversation = read(adk, { user: 'Hi', rubrics: [rubric], calls: [{ name: 'a', will_continue: false }] });
    expect(conversation).toEqual([
      { userContent: { parts: [{ text: 'Hi' }] } },
      turn('Hi', { rubrics, calls: [{ name: 'a', willContinue: false }] }),
    ]);
  });

  it('equals the result of turn() with the same arguments', () => {
    const json = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__'));
    const call = fc.record(
      { id: fc.string(), name: fc.string(), args: fc.dictionary(fc.string({ maxLength: 4 }), json) },
      { requiredKeys: ['name'], noNullPrototype: true },
    );
    const reply = fc.record(
      {
        answer: fc.option(fc.string()),
        calls: fc.array(call, { maxLength: 3 }),
        rubrics: fc.constantFrom([], rubrics),
      },
      { requiredKeys: [], noNullPrototype: true },
    ) as fc.Arbitrary<ExpectedReply>;
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), reply), { minLength: 1, maxLength: 3 }), (turns) => {
        const short = parseEvalSet(
          plain({
            evalSetId: 's',
            evalCases: [{ evalId: 'a', conversation: turns.map(([user, expected]) => ({ user, ...expected })) }],
          }),
        );
        const built = [
          evalCase(
            'a',
            turns.map(([user, expected]) => turn(user, expected)),
          ),
        ];
        expect(short).toEqual({ value: plain({ evalSetId: 's', evalCases: built }), warnings: [] });
      }),
      { numRuns: runs(1000) },
    );
  });

  it("gives the same set as ADK's format, and is always written in that format", () => {
    fc.assert(
      fc.property(arbitraryEvalSetInput(), (written) => {
        const before = JSON.stringify(written);
        const { value } = parseEvalSet(written);
        expect(JSON.stringify(written)).toBe(before);
        expect(value).toEqual(parseEvalSet(inWordsOfAdk(written)).value);
        const out = writeEvalSet(value);
        expect(shortTurns(out)).toEqual([]);
        expect(parseEvalSet(out).value).toEqual(value);
      }),
      { numRuns: runs(1000) },
    );
  });

  it.each<[written: unknown, said: readonly string[]]>([
    [{ user: 5 }, ['.user: expected text, found the number 5']],
    [{ user: ['Hi'] }, ['.user: expected text, found a list of 1']],
    [{ user: { parts: [{ text: 'Hi' }] } }, ['.user: expected text, found an object']],
    [{ user: null }, ['.user: expected text, found null']],
    [{ user: 'Hi', answer: ['x'] }, ['.answer: expected text or null, found a list of 1']],
    [{ user: 'Hi', calls: { name: 'a' } }, ['.calls: expected a list, found an object']],
    [{ user: 'Hi', calls: null }, ['.calls: expected a list, found null']],
    [
      { user: 'Hi', calls: ['a', [], 1] },
      [
        '.calls[0]: expected an object, found the text "a"',
        '.calls[1]: expected an object, found an empty list',
        '.calls[2]: expected an object, found the number 1',
      ],
    ],
    [
      { user: 'Hi', calls: [{ name: 1, args: [] }] },
      [
        '.calls[0].name: expected text or null, found the number 1',
        '.calls[0].args: expected an object or null, found an empty list',
      ],
    ],
    [{ user: 'Hi', rubrics: 'short' }, ['.rubrics: expected a list, found the text "short"']],
    [{ answer: 'x' }, [': "user" is missing (text)']],
    [{ usr: 'Hi', answer: 'x' }, [': "user" is missing; is "usr" a misspelling of it?']],
    [{ User: 'Hi' }, [': "user" is missing; is "User" a misspelling of it?']],
    [{ user: 'Hi', anwser: 'x' }, ['.anwser: unknown key "anwser"; did you mean "answer"?']],
    [{ user: 'Hi', call: [] }, ['.call: unknown key "call"; did you mean "calls"?']],
    [{ user: 'Hi', tools: [] }, ['.tools: unknown key "tools"; known are user, answer, calls and rubrics']],
    [{ user: 'Hi', _why: 'warm' }, ['warning ._why: unknown key "_why", kept, but ADK rejects files that contain it']],
    [
      { user: 'Hi', user_content: { parts: [] } },
      ['.user: "user" cannot be combined with "user_content": they belong to different forms; keep one of them'],
    ],
    [
      { user: 'Hi', final_response: null },
      [
        '.final_response: "final_response" cannot be combined with "user": they belong to different forms; keep one of them',
      ],
    ],
    [
      { userContent: {}, answer: 'x', calls: [] },
      [
        '.answer: "answer" cannot be combined with "userContent": they belong to different forms; keep one of them',
        '.calls: "calls" cannot be combined with "userContent": they belong to different forms; keep one of them',
      ],
    ],
    [{ user_content: {}, anwser: 'x' }, ['.anwser: unknown key "anwser"; did you mean "answer"?']],
    [{ user_contnt: {} }, [': "user_content" is missing; is "user_contnt" a misspelling of it?']],
    [{}, [': "user_content" is missing (an object)']],
  ])('%j has the problems %j', (written, said) => {
    expect(told(written)).toEqual(said);
  });

  it('with a __proto__ key at any depth is rejected', () => {
    const hostile = [
      '{"user":"Hi","__proto__":{"answer":"x"}}',
      '{"user":"Hi","calls":[{"__proto__":1,"name":"a"}]}',
      '{"user":"Hi","calls":[{"name":"a","args":{"__proto__":{"a":1}}}]}',
      '{"__proto__":{"user":"Hi"}}',
    ];
    for (const text of hostile) expect(told(JSON.parse(text)).join()).toMatch(/the key "__proto__" is refused/);
  });

  it("is rejected outside eval sets, because agents and runs record ADK's format", () => {
    expect(() => parseInvocation({ user: 'Hi' })).toThrow('"user_content" is missing');
  });
});

describe('shortTurns', () => {
  it('returns the paths of short turns, in either spelling', () => {
    const adk = { user_content: {} };
    expect(shortTurns(setOf(adk, { user: 'Hi' }, { user: 5 }))).toEqual([
      '$.eval_cases[0].conversation[1]',
      '$.eval_cases[0].conversation[2]',
    ]);
    expect(shortTurns({ evalCases: [{}, { conversation: [{ user: 'Hi' }] }] })).toEqual([
      '$.evalCases[1].conversation[0]',
    ]);
    for (const value of [null, [], 'x', { eval_cases: {} }, { eval_cases: [1, { conversation: { user: 'Hi' } }] }])
      expect(shortTurns(value)).toEqual([]);
  });
});

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Converts short turns to ADK's format in the way that the eval set reference describes. */
function inWordsOfAdk({ evalCases, ...set }: LooseEvalSet): unknown {
  const longCase = ({ conversation, ...one }: LooseEvalSet['evalCases'][number]) =>
    conversation ? { ...one, conversation: conversation.map(longForm) } : { ...one, conversation };
  return { ...set, evalCases: evalCases.map(longCase) };
}

function longForm(turn: Readonly<Record<string, unknown>>): unknown {
  const text = (role: string, words: unknown) => ({ role, parts: [{ text: words }] });
  const entries = Object.entries(turn).map(([key, value]) => {
    if (key === 'user') return ['user_content', text('user', value)];
    if (key === 'answer') return ['final_response', value === null ? null : text('model', value)];
    return key === 'calls' ? ['intermediate_data', { tool_uses: value }] : [key, value];
  });
  return Object.fromEntries(entries);
}

it('evalCase() rejects a turn with an unknown key, so that expected calls cannot be lost', () => {
  const misnamed: object = { user: 'How warm is it?', toolCalls: [{ name: 'look' }] };
  expect(() => evalCase('kitchen', [misnamed as { user: string }])).toThrow(
    'a turn has no key "toolCalls": it has user, answer, calls and rubrics',
  );
});
