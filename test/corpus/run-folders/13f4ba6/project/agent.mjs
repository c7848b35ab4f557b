import { appendFileSync } from 'node:fs';
import process from 'node:process';

let turns = 0;

/** Says what it is told to say; another thing in the second repeat where it is told to. */
export const agent = (text, { key, state }) => {
  turns += 1;
  appendFileSync('asked.log', `${key.caseId} ${key.repeat}: ${text}\n`);
  if (String(turns) === process.env.KILLED_IN_TURN) process.kill(process.pid, 'SIGKILL');
  const [verb, ...words] = text.split(' ');
  const rest = words.join(' ');
  if (verb === 'break' && process.env.BROKEN === '1') {
    // A stack would hold the paths of the machine.
    throw Object.assign(new Error('the wire is cut'), { stack: 'Error: the wire is cut' });
  }
  if (verb === 'vary') return key.repeat === 1 ? 'something else' : rest;
  if (verb === 'remember') state.word = rest;
  if (verb === 'recall') return `It is ${state.word}.`;
  if (verb === 'switch') return { text: `It is ${rest}.`, toolCalls: [{ name: 'switch', args: { state: rest } }] };
  return rest;
};
