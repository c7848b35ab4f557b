import { rollDie } from './seeded-die.ts';

/** What a tool answers when it did nothing. */
export interface Refusal {
  readonly error: string;
}

const MOST_SIDES = 1000;
/** Trial division stays under a millisecond or two below this. */
const LARGEST_NUMBER = 1_000_000_000_000;

/** Rolls one die and moves the seed on, which is all that changes. */
export function rollDieTool(dice: { seed: number }, sides: number): { readonly result: number } | Refusal {
  if (sides < 1 || sides > MOST_SIDES) return { error: `a die has 1 to ${MOST_SIDES} sides, not ${sides}` };
  const { result, nextSeed } = rollDie(dice.seed, sides);
  dice.seed = nextSeed;
  return { result };
}

/** The primes among some numbers, each once, in the order given. */
export function checkPrimeTool(numbers: readonly number[]): { readonly primes: readonly number[] } | Refusal {
  const tooLarge = numbers.find((number) => number > LARGEST_NUMBER);
  if (tooLarge !== undefined) return { error: `${tooLarge} is too large to check` };
  return { primes: [...new Set(numbers)].filter(isPrime) };
}

function isPrime(number: number): boolean {
  if (number < 4) return number > 1;
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return false;
  return true;
}
