import type { AgentFunction } from '@agent-criteria/cli';

const places = [
  ...['aquarium', 'zoo', 'planetarium', 'castle', 'harbour tour', 'botanical garden', 'city museum', 'science centre'],
  ...['cable car', 'observation tower', 'opera tour', 'film museum', 'salt mine', 'railway museum', 'cathedral tower'],
  ...['water park', 'ice rink', 'toy museum', 'brewery tour', 'old fort'],
];
const groups = ['adult', 'student', 'child', 'senior'];
const days = ['Saturday', 'Sunday'];
const discounts = [0, 3, 5, 2];

/** How the desk answers, in turn: most answers are right, and each kind of mistake comes back. */
const manners = [
  ...(['full', 'short', 'extra', 'full', 'wrong', 'short', 'full', 'day', 'extra', 'wrong'] as const),
  ...(['full', 'short', 'words', 'full', 'wrong', 'extra', 'day', 'short', 'wrong', 'door'] as const),
];

/** A ticket desk without a model: the same answers in every run. */
export const rootAgent: AgentFunction = (message) => {
  const [, group = '', place = '', day = ''] = /one (\w+) ticket for the (.+) cost on (\w+)\?/.exec(message) ?? [];
  const [p, g, d] = [places.indexOf(place), groups.indexOf(group), days.indexOf(day)];
  const price = 8 + ((p * 3) % 11) + 2 * d - (discounts[g] ?? 0);
  const count = p * 8 + g * 2 + d;
  const answer = `One ${group} ticket for the ${place} costs ${price} euro on ${day}.`;
  switch (manners[(p * 7 + g * 5 + d * 3 + Math.floor(count / 9)) % manners.length]) {
    case 'short':
      return `${price} euro.`;
    case 'extra':
      return `${answer} You can pay by card.`;
    case 'wrong':
      return answer.replace(`${price} euro`, `${price + 1} euro`);
    case 'day':
      return answer.replace(day, days[1 - d] ?? '');
    case 'door':
      return `${answer} At the door it is ${price + 3} euro.`;
    case 'words':
      return `It costs ${inWords(price)} euro on ${day}.`;
    default:
      return answer;
  }
};

function inWords(number: number): string {
  const words = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven'];
  const teens = ['twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen', 'twenty'];
  return [...words, ...teens][number] ?? String(number);
}
