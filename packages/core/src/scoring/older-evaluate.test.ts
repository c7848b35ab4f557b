import { inspect } from 'node:util';
import { evalCase } from '@agent-criteria/formats/eval-set';
import { describe, expect, it } from 'vitest';
import type { Criterion } from '../contracts/criterion.ts';
import type { Score } from '../contracts/score.ts';
import { defineCriterion } from '../define-criterion.ts';
import { createRegistry } from '../registry/registry.ts';
import { resolveEvalConfig } from '../resolve/resolve-eval-config.ts';
import { evalSet, inference, unit } from '../testing/builders.ts';
import { scoreUnit } from './score-unit.ts';

// These are written as plain JavaScript, because TypeScript rejects the older form.
type Scope = 'turn' | 'conversation';
// biome-ignore lint/suspicious/noExplicitAny: as untyped as plain JavaScript.
type Js = any;

function criterion(evaluate: (...given: Js[]) => unknown, scope: Scope = 'turn'): Criterion {
  const description = 'for this test';
  return defineCriterion({ name: 'tested', description, scope, evaluate } as Js) as Criterion;
}

async function scoreOf(tested: Criterion): Promise<Score | undefined> {
  const one = evalCase('one', [{ user: 'Hi', answer: 'Hello there' }]);
  const plan = resolveEvalConfig({
    evalSet: evalSet([one]),
    config: { criteria: { tested: 1 } },
    registry: createRegistry([tested]),
  });
  const { criteria } = await scoreUnit(plan, unit(one), inference([{ user: 'Hi', answer: 'Hello there' }]));
  return criteria[0]?.scores[0];
}

const value = (number: unknown) => ({ value: number });
const { hasOwnProperty: hasOwn } = Object.prototype;
const helper = (settings: Js) => settings.maxWords ?? 1;

const older: readonly [string, (...given: Js[]) => unknown][] = [
  ['reads an option', (_turn, options) => value(options.maxWords)],
  ['reads an option or a default', (_turn, options) => value(options.maxWords ?? 1)],
  ['reads an option that is optional', (_turn, options) => value(options?.maxWords ?? 1)],
  ['destructures an option', (_turn, { maxWords }) => value(maxWords)],
  ['destructures an option with a default', (_turn, { maxWords = 1 }) => value(maxWords)],
  ['has a default for its options', (_turn, options = {}) => value(options.maxWords ?? 1)],
  ['asks whether an option is there', (_turn, options) => value('maxWords' in options ? 0 : 1)],
  ['asks whether it has an option', (_turn, options) => value(Object.hasOwn(options, 'maxWords') ? 0 : 1)],
  ['spreads its options over defaults', (_turn, options) => value({ maxWords: 1, ...options }.maxWords)],
  ['assigns its options to defaults', (_turn, options) => value(Object.assign({ maxWords: 1 }, options).maxWords)],
  ['takes the rest of its options', (_turn, { ...rest }) => value(rest.maxWords ?? 1)],
  ['reads all its options', (_turn, options) => value(Object.entries(options).length > 9 ? 0 : 1)],
  ['counts its options', (_turn, options) => value(Object.keys(options).length > 9 ? 0 : 1)],
  ['looks for a property', (_turn, options) => value(Object.getOwnPropertyDescriptor(options, 'maxWords')?.value ?? 1)],
  ['asks by the prototype', (_turn, options) => value(hasOwn.call(options, 'maxWords') ? 0 : 1)],
  ['copies its options as JSON', (_turn, options) => value(JSON.parse(JSON.stringify(options)).maxWords ?? 1)],
  ['sets an option', (_turn, options) => value(Reflect.set(options, 'maxWords', 1) ? options.maxWords : 1)],
  ['passes its options on', (_turn, options) => value(helper(options))],
  ['takes all arguments', (_turn, ...rest) => value(rest[0].maxWords ?? 1)],
  ['takes all arguments, with defaults', (_turn, ...[options = {}]) => value(options.maxWords ?? 1)],
  ['reads its tools', (_turn, _options, tools) => value(tools.compat === 'adk' ? 0 : 1)],
  ['has a default for its tools', (_turn, _options = {}, tools = {}) => value(tools.compat === 'adk' ? 0 : 1)],
  ['has optional tools', (_turn, ...rest) => value(rest[1]?.compat === 'adk' ? 0 : 1)],
  ['has a default for its transcript', (turn, _o = {}, _t = {}, all = { turns: [turn] }) => value(all.turns.length)],
  ['reads of all arguments only its turn', (turn, _options, _tools, _transcript) => value(turn.index + 1)],
  ['waits first', async (_turn, options) => value((await options).maxWords ?? 1)],
  [
    'goes on after an error',
    (_turn, options) => {
      try {
        return value(options.maxWords);
      } catch {
        return value(1);
      }
    },
  ],
  [
    'goes on after an error of a call',
    async (_turn, _options = {}, tools = {}) => {
      try {
        return value(await tools.model('judge').generate({ messages: [], sample: 0 }, tools.signal));
      } catch {
        return value(0);
      }
    },
  ],
  ['goes on after a rejection', async (_turn, options) => value(await options.ask().catch(() => 1))],
];

describe.each<Scope>(['turn', 'conversation'])('a criterion in the older form, evaluated per %s,', (scope) => {
  it.each(older)('gets no number if it %s', async (_what, evaluate) => {
    expect(await scoreOf(criterion(evaluate, scope))).toEqual({
      value: null,
      missing: 'could-not-judge',
      reason: expect.stringMatching(/is called as evaluate\(turn, \{ options, tools, transcript \}\).*newer version/),
    });
  });
});

it('a criterion in the older form that copies its options gets no number', async () => {
  const score = await scoreOf(criterion((_turn, options) => value(structuredClone(options).maxWords ?? 1)));
  expect(score).toMatchObject({ value: null, missing: 'could-not-judge' });
});

it('the reason names the key that a criterion in the older form reads', async () => {
  const score = await scoreOf(criterion((_turn, options) => value(options.maxWords)));
  expect(score).toHaveProperty('reason', expect.stringMatching(/^there is no argument "maxWords": /));
});

describe('the context of evaluate', () => {
  const given = async (use: (context: Js) => unknown): Promise<unknown> => {
    let seen: unknown;
    const tested = criterion(async (_turn, context) => {
      seen = await use(context);
      return value(1);
    });
    expect(await scoreOf(tested)).toMatchObject({ value: 1 });
    return seen;
  };

  it('has options, tools and the transcript', async () => {
    const names = await given(({ options, tools, transcript }) => [options, tools.compat, transcript.turns.length]);
    expect(names).toEqual([{}, null, 1]);
  });

  it('can be inspected, awaited, converted to text and probed', async () => {
    expect(await given((context) => inspect(context))).toContain('transcript: {');
    expect(await given(async (context) => (await context).options)).toEqual({});
    expect(await given((context) => `${context}`)).toBe('[object Object]');
    expect(await given((context) => context[Symbol.iterator])).toBeUndefined();
    expect(await given((context) => 'options' in context && Object.hasOwn(context, 'tools'))).toBe(true);
    expect(await given((context) => typeof context.constructor)).toBe('function');
    expect(await given((context) => context === null || Array.isArray(context))).toBe(false);
  });

  it('does not affect a criterion whose evaluate takes only the turn', async () => {
    expect(await scoreOf(criterion(({ index }) => value(index + 1)))).toEqual({ value: 1 });
  });
});
