import { appendFileSync } from 'node:fs';
import process from 'node:process';

let turns = 0;

/** Answers with the words after the verb. WORSE=1 makes it fail where it is allowed to. */
export const agent = (text, { key, state }) => {
  turns += 1;
  appendFileSync('asked.log', `${key.variant ?? '-'} ${key.caseId} ${key.repeat}: ${text}\n`);
  if (String(turns) === process.env.KILLED_IN_TURN) process.kill(process.pid, 'SIGKILL');
  return answer(text, key, state, process.env.WORSE === '1');
};

/** Fails where it is allowed to. */
export const worse = (text, { key, state }) => {
  appendFileSync('asked.log', `${key.variant ?? '-'} ${key.caseId} ${key.repeat}: ${text}\n`);
  return answer(text, key, state, true);
};

function answer(text, key, state, isWorse) {
  const [verb, ...words] = text.split(' ');
  const rest = words.join(' ');
  if (verb === 'break' && process.env.BROKEN === '1') {
    // A stack would hold the paths of the machine.
    throw Object.assign(new Error('the wire is cut'), { stack: 'Error: the wire is cut' });
  }
  if (verb === 'vary') return key.repeat % 2 === 1 ? 'something else' : rest;
  if (verb === 'fall') return isWorse ? 'something else' : rest;
  if (verb === 'rise') return isWorse ? rest : 'something else';
  if (verb === 'remember') state.word = rest;
  if (verb === 'recall') return `It is ${state.word}.`;
  if (verb === 'switch') return { text: `It is ${rest}.`, toolCalls: [{ name: 'switch', args: { state: rest } }] };
  if (verb === 'leak') {
    const secret = process.env.SHOP_API_KEY;
    return { text: `The key is ${secret}`, toolCalls: [{ name: 'pay', args: { key: secret } }] };
  }
  return rest;
}
