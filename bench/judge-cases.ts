/** The judged cases: 200 answers, each with five yes-or-no opinions. */
import type { EvalSet } from '../packages/core/dist/index.js';
import { smallest } from './smallest.ts';

export const CASES = smallest ? 2 : 200;
export const SAMPLES = 5;
/** The latency of an answer in milliseconds. */
export const LATENCY = smallest ? 5 : 200;

/** How the five opinions on a case are divided: yes to no. */
export type Split = 'unanimous' | '4:1' | '3:2';

const noes: Readonly<Record<Split, number>> = { unanimous: 0, '4:1': 1, '3:2': 2 };

/** Lists all orders in which such opinions can arrive. */
export function ordersOf(split: Split): boolean[][] {
  const all = Array.from({ length: 2 ** SAMPLES }, (_, bits) =>
    Array.from({ length: SAMPLES }, (_, sample) => (bits & (1 << sample)) === 0),
  );
  return all.filter((order) => order.filter((yes) => !yes).length === noes[split]);
}

/**
 * Counts the opinions that a majority needs over all cases if three are requested at once and the others one by one.
 * All orders are equally frequent.
 */
export function neededCalls(split: Split): number {
  const most = Math.floor(SAMPLES / 2) + 1;
  const orders = ordersOf(split);
  const needed = orders.map((order) => {
    for (let asked = most; asked < SAMPLES; asked += 1) {
      const yes = order.slice(0, asked).filter((one) => one).length;
      if (yes >= most || asked - yes >= most) return asked;
    }
    return SAMPLES;
  });
  return (CASES / orders.length) * needed.reduce((sum, asked) => sum + asked, 0);
}

export interface JudgedCase {
  readonly id: string;
  readonly input: string;
  readonly output: string;
  readonly expected: string;
}

export const cases: readonly JudgedCase[] = Array.from({ length: CASES }, (_, index) => {
  const minute = String(index % 60).padStart(2, '0');
  return {
    id: `case-${index}`,
    input: `This is case-${index}. When does the next train to the coast leave, and where do I have to wait for it?`,
    output: `The next train to the coast leaves at 14:${minute} from platform ${index % 12}. It stops at every station on the way, so plan for about two hours, and the front part has the quiet cars. Would you like me to reserve a seat by the window?`,
    expected: `At 14:${minute}, from platform ${index % 12}.`,
  };
});

const outputs = new Map(cases.map(({ input, output }) => [input, output]));

/** Answers immediately, with the outputs of the cases. */
export const agent = async (message: string): Promise<string> => outputs.get(message) ?? '';

export const evalSet: EvalSet = {
  evalSetId: 'trains',
  evalCases: cases.map(({ id, input, expected }) => ({
    evalId: id,
    conversation: [
      {
        userContent: { role: 'user', parts: [{ text: input }] },
        finalResponse: { role: 'model', parts: [{ text: expected }] },
      },
    ],
  })),
};

/** The prompt of the other contestants, as long as our criterion's, so that all send the same amount. */
export const instructions = [
  'You compare the answer of an assistant with a reference that people have checked.',
  ...Array.from({ length: 11 }, (_, index) => [
    `Rule ${index + 1}: compare what is said and not how it is said; wording, order, length and layout never matter,`,
    'but a number, a time, a place or a name that differs does, and so does everything of the reference that is missing',
    'where it answers the question; what goes beyond the reference is welcome unless it contradicts it.',
  ]).flat(),
  'Is the answer right?',
].join('\n');
