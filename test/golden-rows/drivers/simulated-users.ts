import assert from 'node:assert/strict';
import {
  type Content,
  CriteriaError,
  defineCriterion,
  type EvalSet,
  type Invocation,
  noOptions,
} from '@agent-criteria/core';
import { createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { invocation, scriptedModel } from '@agent-criteria/core/testing';
import { parseEvalSet } from '@agent-criteria/formats/parse';
import { generate } from '@agent-criteria/runner';
import { llmBackedUserSimulator } from '@agent-criteria/user-simulator/pure';
import {
  afterOpening,
  answer,
  openUser,
  optionsOf,
  scenario,
} from '../../../packages/user-simulator/src/__fixtures__/conversations.ts';
import { historyText } from '../../../packages/user-simulator/src/history.ts';
import { areaDriver, type Driver } from '../driver.ts';
import { type Kind, ofKind } from '../kinds.ts';

// The behaviour of ADK's simulated users, or the entry of list B that describes ours. There is only one mode.

const SIGNAL = '</finished>';

/** Differences in the user's next message. */
const NEXT: readonly Kind<NextInput, unknown>[] = [
  {
    why: 'a stop signal with white space in it ends the conversation',
    line: 'broken-signal',
    applies: ({ llm }) => llm !== undefined && !llm.text.includes(SIGNAL) && /<\s*\/\s*finished\s*>/i.test(llm.text),
    comesTo: () => ({ status: 'STOP_SIGNAL_DETECTED' }),
  },
  {
    why: 'white space alone is no message',
    line: 'no-message',
    applies: ({ llm, invocationCount }) => invocationCount > 0 && llm !== undefined && llm.text.trim() === '',
    comesTo: () => ({ error: 'empty response' }),
  },
  {
    why: 'a scenario that begins with the stop signal is refused',
    line: 'scenario-checked',
    applies: ({ startingPrompt }) => startingPrompt.includes(SIGNAL),
    comesTo: () => ({ error: 'refused before the run' }),
  },
];

/** Differences for a persona without a behaviour about ending the conversation. */
const PERSONA: readonly Kind<{ readonly userPersona: string | object }, unknown>[] = [
  {
    why: 'every prompt says when and how to end',
    line: 'persona-ends',
    applies: ({ userPersona }) =>
      typeof userPersona === 'object' && !JSON.stringify(userPersona).includes('stop_signal'),
    comesTo: () => ({ promptMentionsStopSignal: true }),
  },
];

const TEMPLATE: readonly Kind<{ readonly template: string }, unknown>[] = [
  {
    why: 'filters and unknown names are refused',
    line: 'templates-filled-in',
    applies: ({ template }) => /\{\{[^{}]*\|/.test(template),
    comesTo: () => false,
  },
];

interface Entry {
  readonly author?: string;
  readonly text?: string;
  readonly call?: string;
  readonly args?: unknown;
  readonly toolResult?: string;
  readonly response?: unknown;
}

/** Differences in the text of the history; the row lists the entries of ADK's text. */
const HISTORY: readonly Kind<{ readonly entries?: readonly Entry[] }, unknown>[] = [
  {
    why: 'calls and their results are JSON',
    line: 'history-as-json',
    applies: ({ entries }) => entries !== undefined,
    comesTo: ({ entries = [] }) =>
      entries
        .map(({ author, text, call, args, toolResult, response }) => {
          if (call !== undefined) return `${author} calls the tool "${call}" with ${JSON.stringify(args)}`;
          return toolResult === undefined
            ? `${author}: ${text}`
            : `the tool "${toolResult}" answers ${JSON.stringify(response)}`;
        })
        .join('\n\n'),
  },
];

export const simulatedUserKinds = [...NEXT, ...PERSONA, ...TEMPLATE, ...HISTORY].map(({ why }) => why);

interface NextInput {
  readonly startingPrompt: string;
  readonly invocationCount: number;
  readonly maxAllowedInvocations?: number;
  readonly llm?: { readonly text: string };
}

async function nextOf(input: NextInput, counted: boolean): Promise<unknown> {
  const { startingPrompt, invocationCount, maxAllowedInvocations, llm } = input;
  const replies = llm === undefined ? [] : [llm.text, llm.text];
  const options = maxAllowedInvocations === undefined ? {} : { maxAllowedInvocations };
  const problems = llmBackedUserSimulator.check?.({ ...scenario, startingPrompt }, optionsOf(options)) ?? [];
  if (problems.length > 0) {
    assert.match(problems.map(({ message }) => message).join(), /starting_prompt/);
    return { error: 'refused before the run' };
  }
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
    assert.match(String(error), /gave no message, twice: the answer was empty/);
    return { error: 'empty response' };
  }
}

interface HistoryInput {
  readonly events: readonly { readonly author: string; readonly parts: NonNullable<Content['parts']> }[];
  readonly includeFunctionCalls: boolean;
}

function historyOf({ events, includeFunctionCalls }: HistoryInput): string {
  const [first, ...rest] = events;
  const turn: Invocation = {
    userContent: { role: 'user', parts: first?.parts ?? [] },
    intermediateData: {
      invocationEvents: rest.slice(0, -1).map(({ author, parts }) => ({ author, content: { parts } })),
    },
    finalResponse: { role: 'model', parts: rest.at(-1)?.parts ?? [] },
  };
  return historyText([turn], [], includeFunctionCalls);
}

/** Whether a template may be used, with or without a persona in the scenario. */
function isValid(customInstructions: string, hasPersona: boolean): boolean {
  const read = llmBackedUserSimulator.options['~standard'].validate({ customInstructions });
  if (read.issues !== undefined) return false;
  const userPersona = hasPersona ? 'EXPERT' : null;
  return llmBackedUserSimulator.check?.({ ...scenario, userPersona }, read.value).length === 0;
}

async function personaOf(userPersona: string | object, asked: unknown): Promise<unknown> {
  const scenarioWritten = { starting_prompt: 'Hi', conversation_plan: 'x', user_persona: userPersona };
  const written = { eval_set_id: 'set', eval_cases: [{ eval_id: 'one', conversation_scenario: scenarioWritten }] };
  const read = parseEvalSet(written).value.evalCases[0]?.conversationScenario?.userPersona ?? null;
  const problems = llmBackedUserSimulator.check?.({ ...scenario, userPersona: read }, optionsOf()) ?? [];
  if (problems.length > 0) {
    assert.match(problems[0]?.message ?? '', /there is no persona with the id/);
    return { error: 'not found' };
  }
  if (typeof asked !== 'object' || asked === null || !('promptMentionsStopSignal' in asked)) {
    return { id: typeof read === 'string' ? read : read?.id };
  }
  const { next, model } = await afterOpening([answer('x')], 'I see.', {}, { userPersona: read });
  await next();
  return { promptMentionsStopSignal: JSON.stringify(model.requests[0]).includes('</finished>') };
}

interface RouteInput {
  readonly conversation: readonly { readonly user: string }[] | null;
  readonly conversationScenario: object | null;
  readonly configType?: string | null;
}

/** Runs the conversation with an agent, and returns who leads it. */
async function routeOf({ conversation, conversationScenario, configType }: RouteInput): Promise<unknown> {
  const turns = conversation?.map(({ user }) => ({ userContent: { parts: [{ text: user }] } }));
  const one = {
    evalId: 'one',
    ...(turns === undefined ? {} : { conversation: turns }),
    ...(conversationScenario === null ? {} : { conversationScenario }),
  };
  const config = {
    criteria: {},
    agent_criteria: { measure: [measured.name] },
    user_simulator_config: configType === undefined ? {} : { type: configType },
  };
  let evalSet: EvalSet;
  try {
    evalSet = parseEvalSet({ evalSetId: 'set', evalCases: [one] }).value;
  } catch (error) {
    assert.ok(CriteriaError.is(error) && error.code === 'INVALID_DATA', String(error));
    assert.match(error.message, /"conversation" or "conversation_scenario", not both/);
    return { error: 'exactly one' };
  }
  const model = scriptedModel([answer('', true)]);
  const registry = createRegistry([llmBackedUserSimulator, measured]);
  const plan = resolveEvalConfig({ evalSet, config, registry, models: () => model });
  const heard: string[] = [];
  const agent = (said: string) => {
    heard.push(said);
    return 'Hello';
  };
  await generate({ plan, agent });
  assert.deepEqual(heard, ['hi']);
  return model.requests.length === 0 ? 'static' : plan.simulator?.simulator.name;
}

const measured = defineCriterion({
  name: 'turns',
  origin: { package: 'test', version: '1.0.0' },
  description: 'Every turn counts.',
  decides: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  scope: 'turn',
  evaluate: () => ({ value: 1 }),
});

export const simulatedUserDrivers: readonly Driver[] = [
  areaDriver<NextInput, object>('usersim.next', async ({ input, expected: adk }) =>
    ofKind(NEXT, input, { adk, ours: await nextOf(input, Object.hasOwn(adk, 'llmCalls')) }),
  ),
  areaDriver<HistoryInput, string | { readonly entries: readonly Entry[] }>(
    'usersim.history',
    ({ input, expected: adk }) => ofKind(HISTORY, typeof adk === 'string' ? {} : adk, { adk, ours: historyOf(input) }),
  ),
  areaDriver<{ template: string; persona: boolean }, boolean>('usersim.template', ({ input, expected: adk }) =>
    ofKind(TEMPLATE, input, { adk, ours: isValid(input.template, input.persona) }),
  ),
  areaDriver<{ userPersona: string | object }, unknown>('usersim.persona', async ({ input, expected: adk }) =>
    ofKind(PERSONA, input, { adk, ours: await personaOf(input.userPersona, adk) }),
  ),
  areaDriver<RouteInput, unknown>('usersim.route', async ({ input, expected: adk }) => ({
    adk,
    ours: await routeOf(input),
  })),
];
