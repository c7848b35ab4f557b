import { contentText, intermediateTexts, type State, toolCalls, toolSteps } from '@agent-criteria/cli';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import agent, { rootAgent } from './agent.ts';
import { readRequests } from './request.ts';
import { rollDie } from './seeded-die.ts';
import { checkPrimeTool } from './tools.ts';

async function startSession(state: State = {}) {
  const key = { setId: 'set', caseId: 'case', repeat: 0 };
  const session = await rootAgent.open({ key, userId: 'user', state }, new AbortController().signal);
  const ask = async (message: string) => {
    const { invocation } = await session.send({ role: 'user', parts: [{ text: message }] });
    return { invocation, text: contentText(invocation.finalResponse) };
  };
  return { session, ask };
}

it('is exported under both names that runners look for', () => {
  expect(agent).toBe(rootAgent);
});

describe('the dice', () => {
  it('give a side that is there, whatever the seed', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 1000 }), (seed, sides) => {
        const { result } = rollDie(seed, sides);
        expect(Number.isInteger(result) && result >= 1 && result <= sides).toBe(true);
      }),
    );
  });

  it('give each of six sides about as often', () => {
    const counts = [0, 0, 0, 0, 0, 0];
    let seed = 1;
    for (let time = 0; time < 6000; time++) {
      const { result, nextSeed } = rollDie(seed, 6);
      counts[result - 1] = (counts[result - 1] ?? 0) + 1;
      seed = nextSeed;
    }
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });

  it('give the same again from the same seed, and something else from another', async () => {
    const rolls = async (seed: number) => {
      const { ask } = await startSession({ seed });
      return (await ask('Roll a 1000-sided die 20 times')).text;
    };
    expect(await rolls(5)).toBe(await rolls(5));
    expect(await rolls(5)).not.toBe(await rolls(6));
  });
});

it('finds the primes that a sieve finds', () => {
  const numbers = Array.from({ length: 2000 }, (_, number) => number);
  const composite = new Set([0, 1]);
  for (const number of numbers) {
    if (!composite.has(number)) for (let n = number * 2; n < 2000; n += number) composite.add(n);
  }
  expect(checkPrimeTool(numbers)).toEqual({ primes: numbers.filter((number) => !composite.has(number)) });
});

describe('requests', () => {
  it.each([
    ['Roll a die.', [{ kind: 'roll', sides: 6, times: 1 }]],
    ['roll two 10 sided dice', [{ kind: 'roll', sides: 10, times: 2 }]],
    ['Please roll an 8-sided die three times!', [{ kind: 'roll', sides: 8, times: 3 }]],
    ['Is 7 a prime?', [{ kind: 'check', numbers: [7] }]],
    ['Check if 4, 5, and 6 are prime numbers or not', [{ kind: 'check', numbers: [4, 5, 6] }]],
    [
      'Roll a die, then check if it is prime and roll again.',
      [
        { kind: 'roll', sides: 6, times: 1 },
        { kind: 'check', numbers: 'rolled' },
        { kind: 'roll', sides: 6, times: 1 },
      ],
    ],
  ])('%s', (message, requests) => {
    expect(readRequests(message, null)).toEqual(requests);
  });

  it.each([
    'Roll again.',
    'Roll a die 21 times',
    'Do not roll a die',
    'Roll a die and then sing',
    '9 is prime',
    'Is the moon prime?',
    '',
  ])('"%s" is not understood, and nothing is done by half', async (message) => {
    const { ask, session } = await startSession({ seed: 4 });
    const { text, invocation } = await ask(message);
    expect(text).toMatch(/^I did not understand that\./);
    expect(toolCalls(invocation)).toEqual([]);
    expect(await session.state()).toMatchObject({ seed: 4, rolls: [] });
  });

  it('are read in time that grows with the message, whatever it says', () => {
    const pieces = fc.constantFrom(
      'roll ',
      'is ',
      '9',
      '1, ',
      'and ',
      'a ',
      'prime ',
      'check if ',
      'then ',
      '-sided ',
      'die ',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 400 }), (words) => void readRequests(words.join(''), 6)),
      { interruptAfterTimeLimit: 10_000, markInterruptAsFailure: true },
    );
    expect(readRequests(`is ${'1'.repeat(490)} prim`, null)).toBeNull();
  });
});

describe('a turn', () => {
  it('records who did what: the root rolls and hands over, the sub-agent checks and speaks', async () => {
    const { ask } = await startSession({ seed: 1 });
    const { invocation, text } = await ask('Roll a 20-sided die and then check if it is prime.');
    expect(text).toBe('I rolled 13. 13 is a prime number.');
    expect(intermediateTexts(invocation)).toEqual([
      { author: 'dice_agent', text: 'I rolled 13.' },
      { author: 'prime_agent', text: '13 is a prime number.' },
    ]);
    expect(toolSteps(invocation)).toEqual([
      {
        call: { id: 'turn1-call1', name: 'roll_die', args: { sides: 20 } },
        response: { id: 'turn1-call1', name: 'roll_die', response: { result: 13 } },
      },
      {
        call: { id: 'turn1-call2', name: 'transfer_to_agent', args: { agent_name: 'prime_agent' } },
        response: { id: 'turn1-call2', name: 'transfer_to_agent', response: { result: null } },
      },
      {
        call: { id: 'turn1-call3', name: 'check_prime', args: { nums: [13] } },
        response: { id: 'turn1-call3', name: 'check_prime', response: { primes: [13] } },
      },
    ]);
  });

  it('answers from what the tools gave, also when they refuse', async () => {
    const { ask } = await startSession();
    expect((await ask('Is 1000000000039 prime?')).text).toBe(
      'I could not do that: 1000000000039 is too large to check.',
    );
    expect((await ask('Roll a 1001-sided die')).text).toContain('1 to 1000 sides, not 1001');
  });
});

describe('a session', () => {
  it('tells its state, and leaves the seeded one alone', async () => {
    const seeded = { seed: 3, mood: 'good' };
    const { ask, session } = await startSession(seeded);
    await ask('Roll three dice.');
    expect(await session.state()).toMatchObject({
      mood: 'good',
      rolls: [5, 1, 3],
      last: { sides: 6, results: [5, 1, 3] },
    });
    expect(seeded).toEqual({ seed: 3, mood: 'good' });
  });

  it('knows nothing of another', async () => {
    const [one, other] = [await startSession({ seed: 1 }), await startSession({ seed: 1 })];
    const first = await one.ask('Roll a 100-sided die');
    expect((await other.ask('What did you roll?')).text).toBe('Nothing has been rolled yet.');
    expect((await other.ask('Roll a 100-sided die')).text).toBe(first.text);
  });

  it.each(['7', 1.5, null])('does not open with the seed %j', async (seed) => {
    await expect(startSession({ seed })).rejects.toThrow('seed of the session state must be an integer');
  });
});
