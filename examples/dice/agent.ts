import {
  type Agent,
  type Content,
  contentText,
  type InvocationEvent,
  type Json,
  type State,
} from '@agent-criteria/cli';
import { type Request, readRequests } from './request.ts';
import { checkPrimeTool, type Refusal, rollDieTool } from './tools.ts';

const ROOT = 'dice_agent';
const SUB_AGENT = 'prime_agent';

const HELP = 'I can roll dice of up to 1000 sides, and check whether numbers are prime.';
const NOT_UNDERSTOOD = `I did not understand that. ${HELP}`;
const NOTHING_ROLLED = 'Nothing has been rolled yet.';

/**
 * A dice agent without a model. It rolls the dice itself and hands questions about primes to its sub-agent. Every step
 * of a turn is recorded as an event with its author, as ADK records it: calls, responses, and what each agent said on
 * the way to the answer.
 */
export const rootAgent: Agent = {
  name: ROOT,
  async open({ key, sessionId, state }) {
    const memory = readMemory(state);
    let turns = 0;
    return {
      id: sessionId ?? `${key.caseId}-${key.repeat}`,
      async send(message) {
        turns += 1;
        const turn = startTurn(`turn${turns}`);
        const answer = answerTo(contentText(message), memory, turn);
        const invocation = {
          userContent: message,
          finalResponse: said(answer),
          intermediateData: { invocationEvents: turn.events },
        };
        return { invocation };
      },
      async state() {
        return { ...state, seed: memory.seed, rolls: [...memory.rolls], last: memory.last };
      },
      async close() {},
    };
  },
};

export default rootAgent;

/** What a session keeps from one turn to the next. */
interface Memory {
  /** Of the next roll. */
  seed: number;
  /** All results, in order. */
  rolls: number[];
  /** The results of the last request to roll, and the sides of its dice. */
  last: { readonly sides: number; readonly results: readonly number[] } | null;
}

function readMemory({ seed = 1 }: State): Memory {
  if (typeof seed !== 'number' || !Number.isInteger(seed)) {
    throw new Error(`seed of the session state must be an integer, not ${JSON.stringify(seed)}`);
  }
  return { seed, rolls: [], last: null };
}

/** The record of a turn. */
interface TurnRecord {
  readonly events: InvocationEvent[];
  /** Records a call and its response, both with one id. */
  call<Result extends object>(
    author: string,
    name: string,
    args: Readonly<Record<string, Json>>,
    result: Result,
  ): Result;
  /** Records what an agent says on the way to the answer. */
  say(author: string, text: string): void;
}

function startTurn(name: string): TurnRecord {
  const events: InvocationEvent[] = [];
  let calls = 0;
  return {
    events,
    call(author, tool, args, result) {
      calls += 1;
      const id = `${name}-call${calls}`;
      const response = Object.fromEntries(Object.entries(result));
      events.push({ author, content: { role: 'model', parts: [{ functionCall: { id, name: tool, args } }] } });
      events.push({ author, content: { role: 'user', parts: [{ functionResponse: { id, name: tool, response } }] } });
      return result;
    },
    say(author, text) {
      events.push({ author, content: said(text) });
    },
  };
}

function answerTo(message: string, memory: Memory, turn: TurnRecord): string {
  const requests = readRequests(message, memory.last?.sides ?? null);
  if (requests === null) return NOT_UNDERSTOOD;
  const answers: string[] = [];
  for (const [index, request] of requests.entries()) {
    const answer = carryOut(request, memory, turn);
    answers.push(answer);
    // What comes before the last answer is said on the way to it.
    if (request.kind === 'roll' && index < requests.length - 1) turn.say(ROOT, answer);
  }
  return answers.join(' ');
}

function carryOut(request: Request, memory: Memory, turn: TurnRecord): string {
  switch (request.kind) {
    case 'roll':
      return roll(request.sides, request.times, memory, turn);
    case 'check':
      return check(request.numbers, memory, turn);
    case 'recall':
      return memory.rolls.length === 0 ? NOTHING_ROLLED : `So far I rolled ${listed(memory.rolls)}.`;
    case 'help':
      return HELP;
  }
}

function roll(sides: number, times: number, memory: Memory, turn: TurnRecord): string {
  const results: number[] = [];
  for (let time = 0; time < times; time++) {
    const rolled = turn.call(ROOT, 'roll_die', { sides }, rollDieTool(memory, sides));
    if ('error' in rolled) return refusal(rolled);
    results.push(rolled.result);
  }
  memory.rolls.push(...results);
  memory.last = { sides, results };
  return `I rolled ${listed(results)}.`;
}

/** The root agent knows nothing of primes: the sub-agent checks, and says what it found. */
function check(which: readonly number[] | 'rolled' | 'all rolled', memory: Memory, turn: TurnRecord): string {
  const rolled = which === 'rolled' ? (memory.last?.results ?? []) : memory.rolls;
  const numbers = typeof which === 'string' ? rolled : which;
  if (numbers.length === 0) return NOTHING_ROLLED;
  turn.call(ROOT, 'transfer_to_agent', { agent_name: SUB_AGENT }, { result: null });
  const checked = turn.call(SUB_AGENT, 'check_prime', { nums: [...numbers] }, checkPrimeTool(numbers));
  const found = 'error' in checked ? refusal(checked) : tellPrimes(numbers, checked.primes);
  turn.say(SUB_AGENT, found);
  return found;
}

function tellPrimes(numbers: readonly number[], primes: readonly number[]): string {
  const [only] = numbers;
  if (numbers.length === 1) return `${only} is ${primes.length === 1 ? 'a' : 'not a'} prime number.`;
  if (primes.length === 0) return `Of ${listed(numbers)}, none is a prime number.`;
  return `Of ${listed(numbers)}, ${listed(primes)} ${primes.length === 1 ? 'is prime' : 'are prime'}.`;
}

function refusal({ error }: Refusal): string {
  return `I could not do that: ${error}.`;
}

function listed(numbers: readonly number[]): string {
  const all = numbers.map(String);
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

function said(text: string): Content {
  return { role: 'model', parts: [{ text }] };
}
