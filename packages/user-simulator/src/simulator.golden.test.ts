import { readFileSync } from 'node:fs';
import {
  type Content,
  createRegistry,
  defineCriterion,
  type EvalSet,
  type Invocation,
  noOptions,
  parseEvalSet,
  resolveEvalConfig,
  type UserPersona,
} from '@agent-criteria/core';
import { invocation, scriptedModel } from '@agent-criteria/core/testing';
import { generate } from '@agent-criteria/runner';
import { describe, expect, it } from 'vitest';
import { afterOpening, answer, openUser, optionsOf, scenario } from './__fixtures__/conversations.ts';
import { honestDifferences } from './adk-differences.ts';
import { historyText } from './history.ts';
import { llmBackedUserSimulator } from './pure.ts';

// What ADK's simulators do, row by row, or the line of list B that says what ours do instead. There is one mode only.

interface Row {
  readonly id: string;
  readonly area: string;
  readonly input: never;
  readonly expected: unknown;
}

const rows: readonly Row[] = JSON.parse(
  readFileSync(new URL('./__fixtures__/usersim-vectors.json', import.meta.url), 'utf8'),
);
const of = (area: string) => rows.filter((row) => row.area === area);

/** By row: the line that says why it differs. A row that does not may not stand here. */
const differing: Readonly<Record<string, (typeof honestDifferences)[number]['id']>> = {
  'usersim.next#10': 'broken-signal',
  'usersim.next#11': 'no-message',
  'usersim.next#16': 'scenario-checked',
  'usersim.persona#3': 'persona-ends',
  'usersim.template#8': 'templates-filled-in',
  'usersim.history#2': 'history-as-json',
};

it('every row is looked at, and every line of the list that a row needs is there', () => {
  const areas = ['usersim.next', 'usersim.history', 'usersim.template', 'usersim.persona', 'usersim.route'];
  expect(rows.filter(({ area }) => !areas.includes(area))).toEqual([]);
  const lines = honestDifferences.map(({ id }) => id);
  for (const [row, line] of Object.entries(differing)) {
    expect(rows.map(({ id }) => id)).toContain(row);
    expect(lines).toContain(line);
  }
});

/** ADK's row, or ours where the list says so; never both. */
function hold(row: Row, actual: unknown, ours?: unknown): void {
  if (Object.hasOwn(differing, row.id)) {
    expect(actual).not.toEqual(row.expected);
    expect(actual).toEqual(ours);
  } else {
    expect(actual).toEqual(row.expected);
  }
}

interface NextInput {
  readonly startingPrompt: string;
  readonly invocationCount: number;
  readonly maxAllowedInvocations?: number;
  readonly llm?: { readonly text: string };
}

describe('usersim.next', () => {
  const ours: Readonly<Record<string, unknown>> = {
    'usersim.next#10': { status: 'STOP_SIGNAL_DETECTED' },
    'usersim.next#11': { error: 'empty response' },
    'usersim.next#16': { error: 'refused before the run' },
  };

  it.each(of('usersim.next'))('$id', async (row) => {
    const input: NextInput = row.input;
    const actual = await nextOf(input, Object.hasOwn(row.expected as object, 'llmCalls'));
    hold(row, actual, ours[row.id]);
  });

  async function nextOf(input: NextInput, counted: boolean): Promise<unknown> {
    const { startingPrompt, invocationCount, maxAllowedInvocations, llm } = input;
    const replies = llm === undefined ? [] : [llm.text, llm.text];
    const options = maxAllowedInvocations === undefined ? {} : { maxAllowedInvocations };
    const problems = llmBackedUserSimulator.check?.({ ...scenario, startingPrompt }, optionsOf(options)) ?? [];
    if (problems.length > 0) return { error: 'refused before the run' };
    const { user, model } = openUser(replies, options, { startingPrompt });
    const turn = invocation({ user: startingPrompt, answer: 'I see.' });
    const soFar = Array.from({ length: invocationCount }, () => turn);
    try {
      const { message, ending } = await user.next(soFar);
      const calls = counted ? { llmCalls: model.requests.length } : {};
      if (ending?.by === 'turn-limit') return { status: 'TURN_LIMIT_REACHED', ...calls };
      if (ending !== undefined) return { status: 'STOP_SIGNAL_DETECTED', ...calls };
      return { status: 'SUCCESS', message: message?.parts?.[0]?.text, ...calls };
    } catch (error) {
      expect(String(error)).toContain('gave no message, twice: the answer was empty');
      return { error: 'empty response' };
    }
  }
});

interface HistoryInput {
  readonly events: readonly { readonly author: string; readonly parts: NonNullable<Content['parts']> }[];
  readonly includeFunctionCalls: boolean;
}

describe('usersim.history', () => {
  it.each(of('usersim.history'))('$id', (row) => {
    const { events, includeFunctionCalls }: HistoryInput = row.input;
    const [first, ...rest] = events;
    const turn: Invocation = {
      userContent: { role: 'user', parts: first?.parts ?? [] },
      intermediateData: {
        invocationEvents: rest.slice(0, -1).map(({ author, parts }) => ({ author, content: { parts } })),
      },
      finalResponse: { role: 'model', parts: rest.at(-1)?.parts ?? [] },
    };
    hold(
      row,
      historyText([turn], [], includeFunctionCalls),
      [
        ...[
          'user: Is door 3 open?',
          'desk calls the tool "door" with {"n":3}',
          'the tool "door" answers {"open":false}',
        ],
        ...['desk: It is shut.', 'desk: Shall I open it?'],
      ].join('\n\n'),
    );
  });
});

interface TemplateInput {
  readonly template: string;
  readonly persona: boolean;
}

describe('usersim.template', () => {
  it.each(of('usersim.template'))('$id', (row) => {
    const { template: customInstructions, persona }: TemplateInput = row.input;
    const read = llmBackedUserSimulator.options['~standard'].validate({ customInstructions });
    const userPersona = persona ? 'EXPERT' : null;
    const isValid =
      read.issues === undefined &&
      llmBackedUserSimulator.check?.({ ...scenario, userPersona }, read.value).length === 0;
    hold(row, isValid, false);
  });
});

describe('usersim.persona', () => {
  it.each(of('usersim.persona'))('$id', async (row) => {
    const { userPersona }: { userPersona: string | object } = row.input;
    const written = {
      eval_set_id: 'set',
      eval_cases: [
        {
          eval_id: 'one',
          conversation_scenario: { starting_prompt: 'Hi', conversation_plan: 'x', user_persona: userPersona },
        },
      ],
    };
    const read = parseEvalSet(written).value.evalCases[0]?.conversationScenario?.userPersona;
    const problems = llmBackedUserSimulator.check?.({ ...scenario, userPersona: read ?? null }, optionsOf()) ?? [];
    if (problems.length > 0) {
      expect(problems[0]?.message).toContain('there is no persona with the id');
      return hold(row, { error: 'not found' });
    }
    const { next, model } = await afterOpening(
      [answer('x')],
      'I see.',
      {},
      { userPersona: read as UserPersona | string },
    );
    await next();
    const promptMentionsStopSignal = JSON.stringify(model.requests[0]).includes('</finished>');
    const expected = row.expected;
    if (typeof expected === 'object' && expected !== null && 'promptMentionsStopSignal' in expected) {
      return hold(row, { promptMentionsStopSignal }, { promptMentionsStopSignal: true });
    }
    return hold(row, { id: typeof read === 'string' ? read : read?.id });
  });
});

interface RouteInput {
  readonly conversation: readonly { readonly user: string }[] | null;
  readonly conversationScenario: object | null;
  readonly configType?: string | null;
}

describe('usersim.route', () => {
  it.each(of('usersim.route'))('$id', async (row) => {
    const { conversation, conversationScenario, configType }: RouteInput = row.input;
    const written = {
      evalSetId: 'set',
      evalCases: [
        {
          evalId: 'one',
          ...(conversation === null
            ? {}
            : { conversation: conversation.map(({ user }) => ({ userContent: { parts: [{ text: user }] } })) }),
          ...(conversationScenario === null ? {} : { conversationScenario }),
        },
      ],
    };
    const config = {
      criteria: {},
      agent_criteria: { measure: ['turns'] },
      user_simulator_config: configType === undefined ? {} : { type: configType },
    };
    hold(row, await route(written, config));
  });

  /** Who leads the conversation, as it shows when an agent is talked to. */
  async function route(written: object, config: object): Promise<unknown> {
    let evalSet: EvalSet;
    try {
      evalSet = parseEvalSet(written).value;
    } catch (error) {
      expect(String(error)).toContain('"conversation" or "conversation_scenario", not both');
      return { error: 'exactly one' };
    }
    const model = scriptedModel([answer('', true)]);
    const registry = createRegistry([llmBackedUserSimulator, turns]);
    const plan = resolveEvalConfig({ evalSet, config, registry, models: () => model });
    const heard: string[] = [];
    const agent = (message: string) => {
      heard.push(message);
      return 'Hello';
    };
    await generate({ plan, agent });
    expect(heard).toEqual(['hi']);
    if (model.requests.length === 0) return 'static';
    return plan.simulator?.simulator.name;
  }
});

const turns = defineCriterion({
  name: 'turns',
  origin: { package: 'test', version: '1.0.0' },
  description: 'Every turn counts.',
  gates: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  scope: 'turn',
  evaluate: () => ({ value: 1 }),
});
