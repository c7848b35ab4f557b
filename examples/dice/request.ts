/** One thing that a message asks for. A message may ask for several, which are done in order. */
export type Request =
  | { readonly kind: 'roll'; readonly sides: number; readonly times: number }
  /** `'rolled'`: what was rolled last. */
  | { readonly kind: 'check'; readonly numbers: readonly number[] | 'rolled' | 'all rolled' }
  | { readonly kind: 'recall' }
  | { readonly kind: 'help' };

const MOST_ROLLS = 20;
const LONGEST_MESSAGE = 500;
const WORDS: Readonly<Record<string, number>> = { a: 1, an: 1, one: 1, once: 1, two: 2, twice: 2, three: 3, four: 4 };
const COUNT = '(\\d{1,4}|a|an|one|two|three|four)';
const TIMES = '(?: (once|twice|(?:\\d{1,2}|two|three|four) times))?';

const ROLL = new RegExp(`^roll(?: me)?(?: ${COUNT})?(?: (\\d{1,6})[- ]?sided)? (?:die|dice)${TIMES}$`);
const AGAIN = /^roll (?:it )?again$/;
const CHECK_START = /^(?:check|tell me) (?:if|whether) (?:is |are )?|^(?:is|are) /;
const CHECK_END = /(?: is| are)?(?: a)? primes?(?: numbers?)?(?: or not)?$/;
const ROLLED: ReadonlySet<string> = new Set([
  'it',
  'that',
  'they',
  'those',
  'them',
  'these',
  'the result',
  'the results',
]);
const NUMBER = /^\d{1,15}$/;
const CHECK_ALL = /^which of (?:all )?(?:your|the) rolls (?:is|are) (?:a )?primes?$/;
const RECALL = /^what (?:did you roll|have you rolled)(?: so far)?$/;
const HELP = /^what can you do$/;

/**
 * What a message asks for, in order; `null` when any part of it is not understood, so that nothing is done by half.
 *
 * @param lastSides What "roll again" means; `null` when nothing was rolled yet.
 */
export function readRequests(message: string, lastSides: number | null): readonly Request[] | null {
  if (message.length > LONGEST_MESSAGE) return null;
  const clauses = message
    .toLowerCase()
    .replaceAll(/[.?!]+(?=\s|$)/g, ' ')
    .replaceAll(/\bplease\b/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/,? (?:and )?then |,? and (?=check|roll|tell)/);
  const requests: Request[] = [];
  let sides = lastSides;
  for (const clause of clauses) {
    const request = readClause(clause, sides);
    if (request === null) return null;
    if (request.kind === 'roll') sides = request.sides;
    requests.push(request);
  }
  return requests;
}

function readClause(clause: string, lastSides: number | null): Request | null {
  const roll = ROLL.exec(clause);
  if (roll) {
    const times = numberIn(roll[1] ?? 'one') * numberIn((roll[3] ?? 'once').replace(' times', ''));
    return times >= 1 && times <= MOST_ROLLS ? { kind: 'roll', sides: Number(roll[2] ?? 6), times } : null;
  }
  if (AGAIN.test(clause)) return lastSides === null ? null : { kind: 'roll', sides: lastSides, times: 1 };
  if (CHECK_START.test(clause) && CHECK_END.test(clause)) return readCheck(clause);
  if (CHECK_ALL.test(clause)) return { kind: 'check', numbers: 'all rolled' };
  if (RECALL.test(clause)) return { kind: 'recall' };
  return HELP.test(clause) ? { kind: 'help' } : null;
}

function readCheck(clause: string): Request | null {
  const subject = clause.replace(CHECK_START, '').replace(CHECK_END, '');
  if (ROLLED.has(subject)) return { kind: 'check', numbers: 'rolled' };
  const numbers = subject.split(/,? and |, ?| /);
  return numbers.every((number) => NUMBER.test(number)) ? { kind: 'check', numbers: numbers.map(Number) } : null;
}

function numberIn(word: string): number {
  return WORDS[word] ?? Number(word);
}
