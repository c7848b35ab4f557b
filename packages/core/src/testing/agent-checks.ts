import { contentText, type FunctionCall, type State, toErrorInfo, toolSteps } from '@agent-criteria/formats';
import { message } from '@agent-criteria/formats/eval-set';
import type { Agent, AgentSession, AgentTurn, SessionStart } from '../contracts/agent.ts';
import { modelEvents } from '../data/model-calls.ts';

/** Why an adapter does not support something. */
export interface NotSupported {
  readonly notSupported: string;
}

/** Messages with the expected behaviour of an agent, from which the checks of its adapter are made. */
export interface AgentExamples {
  /** Creates the agent, anew for each check. */
  agent(): Agent | Promise<Agent>;
  /** A message and a part of its answer. */
  readonly answer: { readonly message: string; readonly text: string };
  /** A message that leads to this call, with this response. */
  readonly call: { readonly message: string; readonly call: FunctionCall; readonly response: State } | NotSupported;
  /** A message that leads to a call that fails, with a part of the tool's error. The agent answers nevertheless. */
  readonly failedCall: { readonly message: string; readonly name: string; readonly error: string } | NotSupported;
  /** A message, and the number of model calls with token counts that it takes. */
  readonly usage: { readonly message: string; readonly modelCalls: number } | NotSupported;
  /** A message, and the kinds of the spans of its turn in order, such as `['agent', 'model']`. */
  readonly trace: { readonly message: string; readonly kinds: readonly string[] } | NotSupported;
  /** A message with a fact, and another whose answer has this part only after the first. */
  readonly memory: { readonly tell: string; readonly ask: string; readonly text: string };
  /** Whether a session can continue the turns of another. */
  readonly history: 'supported' | NotSupported;
  /** An initial state, and a message after which the state has the values of `after`. */
  readonly state: { readonly initial: State; readonly message: string; readonly after: State } | NotSupported;
  /** A message whose answer never comes. */
  readonly endless: { readonly message: string };
  /** A message on which the agent itself fails, with a part of its error. */
  readonly failure: { readonly message: string; readonly error: string };
  /** A message that leads to a call of this tool, whose answer then has a part of the stub's response, `text`. */
  readonly stub:
    | { readonly message: string; readonly tool: string; readonly response: State; readonly text: string }
    | NotSupported;
}

/** A rule that adapters fulfil. */
export interface AgentCheck {
  /** Says what is checked, or why it is skipped. */
  readonly name: string;
  /** @throws Error if the adapter breaks the rule, or supports what it is said not to support. */
  check(): Promise<void>;
}

/**
 * Lists the checks of an adapter for agents: fresh sessions, calls, failed calls, tokens, spans, memory, history, state,
 * aborts, failures and stubs. Run each as a test of its own: `it.each(agentChecks(examples))('$name', ({ check }) => check())`.
 * Features that an adapter lacks keep their check: its name has the reason, and it fails once the feature is supported.
 */
export function agentChecks(examples: AgentExamples): readonly AgentCheck[] {
  const { answer, memory, endless, failure } = examples;
  const checks: AgentCheck[] = [];
  const add = (name: string, check: (agent: Agent) => Promise<void>): void => {
    checks.push({ name, check: async () => check(await examples.agent()) });
  };
  /** Adds a check of something that adapters may lack. */
  function optional<Example extends object | string>(
    name: string,
    example: Example | NotSupported,
    check: (agent: Agent, example: Example) => Promise<void>,
    lacks: (agent: Agent) => Promise<void>,
  ): void {
    if (typeof example === 'object' && 'notSupported' in example) {
      add(`${name}: skipped, because ${example.notSupported}`, lacks);
    } else add(name, (agent) => check(agent, example));
  }

  add('answers a message, which it records', async (agent) => {
    const { invocation, error } = await oneTurn(agent, answer.message);
    assert(error === undefined, `the turn failed: ${error?.message}`);
    equal(contentText(invocation.userContent), answer.message, 'the recorded message');
    includes(contentText(invocation.finalResponse), answer.text, 'the answer');
  });
  add('opens sessions with ids of their own, and closes each more than once', async (agent) => {
    const [one, two] = [await open(agent), await open(agent)];
    assert(one.id !== '' && two.id !== '', 'a session has no id');
    for (const session of [one, two, one]) await session.close();
  });
  optional(
    'records a call with its arguments and response',
    examples.call,
    async (agent, { message: text, call, response }) => {
      const steps = toolSteps((await oneTurn(agent, text)).invocation);
      const step = steps.find((found) => found.call.name === call.name);
      assert(step !== undefined, `no call of "${call.name}" was recorded, only ${JSON.stringify(steps)}`);
      equal(step.call.args ?? {}, call.args ?? {}, 'the arguments');
      equal(step.response?.response, response, 'the response');
    },
    async () => undefined,
  );
  optional(
    'records a call that fails with its error, and goes on',
    examples.failedCall,
    async (agent, { message: text, name, error }) => {
      const { invocation, error: failed } = await oneTurn(agent, text);
      assert(failed === undefined, `the turn failed: ${failed?.message}`);
      const step = toolSteps(invocation).find((found) => found.call.name === name);
      includes(JSON.stringify(step?.response?.response), error, 'the response');
      assert(contentText(invocation.finalResponse) !== '', 'there is no answer');
    },
    async () => undefined,
  );
  optional(
    'records the tokens of each call to a model',
    examples.usage,
    async (agent, { message: text, modelCalls }) => {
      const { invocation } = await oneTurn(agent, text);
      const counted = (modelEvents(invocation) ?? []).filter(({ usageMetadata }) => totalOf(usageMetadata) > 0);
      equal(counted.length, modelCalls, 'the number of model calls with tokens');
    },
    async (agent) => {
      const { invocation } = await oneTurn(agent, answer.message);
      assert((modelEvents(invocation) ?? []).length === 0, 'tokens are recorded after all');
    },
  );
  optional(
    'has spans with times, each in one that exists',
    examples.trace,
    async (agent, { message: text, kinds }) => {
      const { trace = [] } = await oneTurn(agent, text);
      equal(
        trace.map(({ kind }) => kind),
        kinds,
        'the kinds of the spans',
      );
      const ids = new Set(trace.map(({ id }) => id));
      equal(ids.size, trace.length, 'the number of different ids');
      for (const { id, parentId, startedAt, endedAt, turn, name } of trace) {
        assert(parentId === undefined || (ids.has(parentId) && parentId !== id), `the span "${name}" has no parent`);
        assert(startedAt > 0 && (endedAt ?? 0) >= startedAt, `the span "${name}" ends before it starts, or never`);
        equal(turn, 0, `the turn of the span "${name}"`);
      }
    },
    async (agent) => {
      const { trace = [] } = await oneTurn(agent, answer.message);
      assert(trace.length === 0, 'there are spans after all');
    },
  );
  add('remembers earlier turns of its session, and none of another', async (agent) => {
    const session = await open(agent);
    await session.send(message('user', memory.tell));
    const told = await session.send(message('user', memory.ask));
    includes(contentText(told.invocation.finalResponse), memory.text, 'the answer');
    await session.close();
    await forgets(agent);
  });
  optional(
    'continues the turns of an earlier session',
    examples.history,
    async (agent) => {
      assert(agent.supportsHistory === true, 'supportsHistory is not set');
      const earlier = { userContent: message('user', memory.tell), finalResponse: message('model', 'I see.') };
      const session = await open(agent, { history: [{ invocation: earlier }] });
      const { invocation } = await session.send(message('user', memory.ask));
      includes(contentText(invocation.finalResponse), memory.text, 'the answer');
      equal(contentText(invocation.userContent), memory.ask, 'the recorded message');
      await session.close();
      await forgets(agent);
    },
    async (agent) => assert(agent.supportsHistory !== true, 'supportsHistory is set'),
  );
  optional(
    "starts with the case's state and reads it back, in each session its own",
    examples.state,
    async (agent, { initial, message: text, after }) => {
      const given: State = structuredClone(initial);
      const session = await open(agent, { state: given });
      equal(await session.state(), initial, 'the state at the start');
      await session.send(message('user', text));
      const state = (await session.state()) ?? {};
      for (const [key, value] of Object.entries(after)) equal(state[key], value, `the state's "${key}" after the turn`);
      equal(given, initial, "the case's own state");
      await session.close();
      const fresh = await open(agent, { state: structuredClone(initial) });
      equal(await fresh.state(), initial, 'the state of a fresh session');
      await fresh.close();
    },
    async (agent) => {
      const session = await open(agent);
      equal(await session.state(), null, 'the state');
      assert(session.changeState === undefined, 'changeState is there');
      await session.close();
    },
  );
  for (const [what, isRun] of [
    ['run', true],
    ['turn', false],
  ] as const) {
    add(`ends a turn when its ${what} is aborted`, async (agent) => {
      const [run, turn] = [new AbortController(), new AbortController()];
      const session = await open(agent, {}, run.signal);
      const sending = outcomeOf(session.send(message('user', endless.message), { signal: turn.signal }));
      // So that the turn has begun, even if that takes a request.
      await new Promise((resolve) => setTimeout(resolve, 20));
      (isRun ? run : turn).abort(new Error('enough'));
      const outcome = await soon(sending, `the turn goes on after its ${what} was aborted: pass the signal on`);
      assert(outcome.error !== undefined, 'an aborted turn is complete');
      await soon(outcomeOf(session.close()), 'the session does not close after an abort');
    });
  }
  add('reports its failure as an error, never as an answer', async (agent) => {
    const session = await open(agent);
    const { error } = await outcomeOf(session.send(message('user', failure.message)));
    includes(error?.message ?? '', failure.error, 'the error');
    await session.close();
  });
  optional(
    'lets stubs answer in place of a tool, in their session only',
    examples.stub,
    async (agent, { message: text, tool, response, text: part }) => {
      assert(agent.supportsStubs === true, 'supportsStubs is not set');
      const stubs = [{ toolName: tool, injectionConfigs: [{ injectedResponse: response }] }];
      const stubbed = await oneTurn(agent, text, { stubs });
      includes(contentText(stubbed.invocation.finalResponse), part, 'the answer');
      const step = toolSteps(stubbed.invocation).find(({ call }) => call.name === tool);
      equal(step?.response?.response, response, 'the response');
      const span = (stubbed.trace ?? []).find(({ kind, name }) => kind === 'tool' && name === tool);
      assert(span === undefined || span.simulated === 'injection', 'the span of the call is not marked as simulated');
      const real = await oneTurn(agent, text);
      assert(!contentText(real.invocation.finalResponse).includes(part), 'the stub answers in another session, too');
    },
    async (agent) => assert(agent.supportsStubs !== true, 'supportsStubs is set'),
  );
  optional(
    'lets an environment answer in place of a tool, and fails the turn without an answer',
    examples.stub,
    async (agent, { message: text, tool, response, text: part }) => {
      const stubs = [{ toolName: tool, mockStrategyType: 'example' }];
      const simulated = await oneTurn(agent, text, {
        stubs,
        environment: { unlistedTools: 'error', answer: async (call) => (call.tool === tool ? response : {}) },
      });
      includes(contentText(simulated.invocation.finalResponse), part, 'the answer');
      const span = (simulated.trace ?? []).find(({ kind, name }) => kind === 'tool' && name === tool);
      assert(span === undefined || span.simulated === 'example', 'the span of the call is not marked as simulated');
      const answer = () => Promise.reject(new Error('the environment is down'));
      const failed = await turnOutcome(agent, text, { stubs, environment: { unlistedTools: 'real', answer } });
      includes(failed.error?.message ?? '', 'the environment is down', 'the error without an answer');
      const unlisted = await turnOutcome(agent, text, { environment: { unlistedTools: 'error', answer } });
      includes(unlisted.error?.message ?? '', tool, 'the error of an unlisted tool');
    },
    async (agent) => assert(agent.supportsStubs !== true, 'supportsStubs is set'),
  );
  return checks;

  async function turnOutcome(agent: Agent, text: string, start: Partial<SessionStart>) {
    const session = await open(agent, start);
    const outcome = await outcomeOf(session.send(message('user', text)));
    await session.close();
    return outcome;
  }

  async function forgets(agent: Agent): Promise<void> {
    const { invocation } = await oneTurn(agent, memory.ask);
    const text = contentText(invocation.finalResponse);
    assert(!text.includes(memory.text), `a fresh session knows the messages of another: "${text}"`);
  }
}

let opened = 0;

function open(
  agent: Agent,
  start: Partial<SessionStart> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<AgentSession> {
  const key = { setId: 'agent-checks', caseId: `case-${++opened}`, repeat: 0 };
  return agent.open({ key, userId: 'ada', state: {}, ...start }, signal);
}

async function oneTurn(agent: Agent, text: string, start?: Partial<SessionStart>): Promise<AgentTurn> {
  const session = await open(agent, start);
  try {
    return await session.send(message('user', text));
  } finally {
    await session.close();
  }
}

/** Agents may reject, or return an error. */
async function outcomeOf(work: Promise<unknown>): Promise<Pick<AgentTurn, 'error'>> {
  try {
    return Object(await work) as Pick<AgentTurn, 'error'>;
  } catch (error) {
    return { error: toErrorInfo(error) };
  }
}

/** How long what must end at once may take, in milliseconds. */
const SOON = 5000;

async function soon<T>(work: Promise<T>, problem: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(problem)), SOON);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function totalOf(usage: unknown): number {
  const { totalTokenCount } = Object(usage) as { readonly totalTokenCount?: unknown };
  return typeof totalTokenCount === 'number' ? totalTokenCount : 0;
}

function assert(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new Error(problem);
}

function equal(found: unknown, expected: unknown, what: string): void {
  const [is, should] = [JSON.stringify(sorted(found)), JSON.stringify(sorted(expected))];
  assert(is === should, `${what}: expected ${should}, found ${is}`);
}

function includes(found: string | undefined, part: string, what: string): void {
  assert(found?.includes(part) === true, `${what} lacks ${JSON.stringify(part)}: ${JSON.stringify(found)}`);
}

/** Copies a value with its keys in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
