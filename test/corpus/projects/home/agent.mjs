import process from 'node:process';

let asked = 0;

/** Does what the first word of a message says. */
export const agent = (text, { state }) => {
  const [verb, ...words] = text.split(' ');
  const rest = words.join(' ');
  if (verb === 'fail') throw new Error('the wire is cut');
  if (verb === 'wait') return new Promise(() => {});
  if (verb === 'stop') {
    // As Ctrl-C does, at this very moment.
    process.emit('SIGINT');
    return rest;
  }
  if (verb === 'switch') {
    const args = { device: 'lamp', state: rest };
    return {
      text: `The lamp is ${rest}.`,
      toolCalls: [{ id: 'call-1', name: 'switch', args }],
      toolResponses: [{ id: 'call-1', name: 'switch', response: { ok: true } }],
    };
  }
  if (verb === 'look')
    return { text: 'Looking.', toolCalls: [{ name: 'look' }, { name: 'listen', args: { long: true } }] };
  if (verb === 'remember') state.word = rest;
  if (verb === 'recall') return `It is ${state.word ?? 'unknown'}.`;
  if (verb === 'alternate') {
    asked += 1;
    return asked % 2 === 1 ? rest : 'something else';
  }
  return verb === 'silent' ? '' : rest;
};

/** The agent that --agent_name helper means. */
export const helper = (text) => `helped: ${text}`;
