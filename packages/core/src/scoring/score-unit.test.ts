import { contentText, type EvalCase, type Part } from '@agent-criteria/formats';
import { evalCase } from '@agent-criteria/formats/eval-set';
import { describe, expect, it } from 'vitest';
import type { Criterion } from '../contracts/criterion.ts';
import type { Inference, Transcript, Turn } from '../contracts/transcript.ts';
import { defineCriterion } from '../define-criterion.ts';
import { noOptions } from '../options-schema.ts';
import { createRegistry } from '../registry/registry.ts';
import { resolveEvalConfig } from '../resolve/resolve-eval-config.ts';
import { evalSet, inference, states, unit } from '../testing/builders.ts';
import { scoreUnit } from './score-unit.ts';

const head = {
  origin: { package: 'test', version: '1.0.0' },
  description: 'for this test',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
} as const;
const sameAnswer = defineCriterion({
  ...head,
  name: 'same_answer',
  scope: 'turn',
  evaluate: ({ actual, expected }) => ({
    value: contentText(actual.finalResponse) === contentText(expected?.finalResponse) ? 1 : 0,
  }),
});

function byTurn(change: (turn: Turn, transcript: Transcript) => void): Criterion {
  return defineCriterion({
    ...head,
    name: 'changing',
    scope: 'turn',
    evaluate(turn, { transcript }) {
      change(turn, transcript);
      return { value: 1 };
    },
  });
}

function byConversation(change: (transcript: Transcript) => void): Criterion {
  return defineCriterion({
    ...head,
    name: 'changing',
    scope: 'conversation',
    evaluate(transcript) {
      change(transcript);
      return { value: 1 };
    },
  });
}

const changesNothing = byTurn(() => undefined);
const hello = () => evalCase('one', [{ user: 'Hi', answer: 'Hello there' }]);
const zzz = () => inference([{ user: 'Hi', answer: 'zzz' }], { state: states({ door: 'shut' }, { door: 'open' }) });

async function scoresOf(changing: Criterion, one: EvalCase = hello(), recorded: Inference = zzz()) {
  const plan = resolveEvalConfig({
    evalSet: evalSet([one]),
    config: { criteria: { changing: 1, same_answer: 1 } },
    registry: createRegistry([changing, sameAnswer]),
  });
  const { key, criteria } = await scoreUnit(plan, unit(one), recorded);
  return { key, ...Object.fromEntries(criteria.map(({ name, scores }) => [name, scores])) };
}

describe('the input of a criterion', () => {
  const answerOf = (turn: Turn | Transcript['inference']['invocations'][number] | null | undefined) => {
    const { finalResponse } = (turn && 'actual' in turn ? turn.actual : turn) ?? {};
    return (finalResponse?.parts ?? [])[0] as { text: string };
  };

  it.each<[string, Criterion]>([
    ['the reference', byTurn(({ actual, expected }) => (answerOf(expected).text = answerOf(actual).text))],
    ['what happened', byTurn((turn) => (answerOf(turn).text = 'Hello there'))],
    ['the inference', byTurn((_, { inference: { invocations } }) => (answerOf(invocations[0]).text = 'Hello there'))],
    ['from a conversation', byConversation(({ turns }) => (answerOf(turns[0]).text = 'Hello there'))],
    ['a list', byTurn(({ expected }) => void (expected?.finalResponse?.parts as Part[] | undefined)?.pop())],
    ['turns', byConversation(({ turns }) => Object.assign(turns[0] as Turn, { expected: turns[0]?.actual }))],
    ['more turns', byConversation(({ turns }) => void (turns as Turn[]).push(turns[0] as Turn))],
    ['the case', byConversation(({ unit: { case: one } }) => void Object.assign(one, { evalId: 'another' }))],
    ['the unit', byConversation(({ unit: one }) => void Object.assign(one, { repeat: 7 }))],
    [
      'the state',
      byConversation(({ inference: { state } }) => void Object.assign(state.final ?? {}, { door: 'shut' })),
    ],
    ['what is not there', byTurn(({ actual }) => void delete (actual as { finalResponse?: unknown }).finalResponse)],
  ])('cannot be changed: %s', async (_, changing) => {
    const scored = await scoresOf(changing);
    expect(scored).toMatchObject({ key: { caseId: 'one', repeat: 0 }, same_answer: [{ value: 0 }] });
    expect(scored).toMatchObject({
      changing: [{ value: null, missing: 'could-not-judge', reason: expect.stringContaining('structuredClone') }],
    });
  });

  it("is a copy: the caller's objects stay unchanged and unfrozen", async () => {
    const [one, recorded] = [hello(), zzz()];
    await scoresOf(changesNothing, one, recorded);
    expect([one, recorded]).toEqual([hello(), zzz()]);
    answerOf(one.conversation?.[0]).text = 'zzz';
    expect(await scoresOf(changesNothing, one, recorded)).toMatchObject({ same_answer: [{ value: 1 }] });
    expect(Object.isFrozen(recorded.invocations)).toBe(false);
  });

  it("keeps values in a caller's in-memory inference unchanged if they are not JSON", async () => {
    class Answer {
      parts = [{ text: 'Hello there' }];
      get words() {
        return this.parts.length;
      }
    }
    const recorded = zzz();
    const when = new Date(0);
    Object.assign(recorded.invocations[0] ?? {}, { finalResponse: new Answer(), when });
    const seen: unknown[] = [];
    const look = byTurn(({ actual }) => void seen.push((actual.finalResponse as Answer).words, actual));
    expect(await scoresOf(look, hello(), recorded)).toMatchObject({ same_answer: [{ value: 1 }] });
    expect(seen).toMatchObject([1, { when }]);
  });

  it('is could-not-judge for all criteria if it contains itself', async () => {
    const recorded = zzz();
    Object.assign(recorded.invocations[0] ?? {}, { self: recorded });
    const reason = expect.stringContaining('Maximum call stack size exceeded');
    expect(await scoresOf(changesNothing, hello(), recorded)).toMatchObject({
      changing: [{ value: null, missing: 'could-not-judge', reason }],
      same_answer: [{ value: null, missing: 'could-not-judge', reason }],
    });
  });
});
