import type { AppDetails, Problem } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { toolDeclarations } from '@agent-criteria/formats/messages';
import { fieldOf } from '@agent-criteria/formats/schema';
import { readAdkSession, type SessionPlace } from '../adk/read-adk.ts';
import type { Conversation } from '../conversation.ts';
import { type Fields, objectIn, objectsIn } from '../fields.ts';
import { textIn } from '../messages/read-parts.ts';

type OnLoss = (what: string, where: string) => void;

/** The keys of a case that are read. */
const KNOWN = ['eval_case_id', 'prompt', 'agent_data', 'responses', 'reference'];

/**
 * Whether a value is a case of a dataset of Google's agents-cli: with a prompt, or with recorded turns of an agent.
 * (https://github.com/google/agents-cli)
 */
export function isAgentsCliCase(value: unknown): value is Fields {
  if (!isObject(value) || fieldOf(value, 'eval_id') !== undefined) return false;
  const prompt = fieldOf(value, 'prompt');
  return (isObject(prompt) && Array.isArray(prompt.parts)) || isObject(fieldOf(value, 'agent_data'));
}

/** Reads a case with its recorded answer. @returns the mistakes in it if it is not a conversation. */
export function readAgentsCliCase(
  value: Fields,
  place: SessionPlace,
  onLoss: OnLoss,
): Conversation | readonly Problem[] {
  const { where } = place;
  for (const key of Object.keys(value)) {
    if (!KNOWN.some((known) => fieldOf(value, known) === value[key])) {
      onLoss(`the key "${key.slice(0, 60)}" of cases of agents-cli, left out`, where);
    }
  }
  const id = fieldOf(value, 'eval_case_id');
  const data = fieldOf(value, 'agent_data');
  const recorded = isObject(data) ? data : {};
  const events = [...eventsIn(recorded), ...asked(value)];
  const answers = objectsIn(fieldOf(value, 'responses'));
  if (answers.length > 1) onLoss('further responses beside the first, left out', where);
  const answer = answers[0] === undefined ? undefined : (fieldOf(answers[0], 'response') ?? answers[0]);
  const last = events.at(-1)?.invocation_id;
  if (answer !== undefined && last !== undefined)
    events.push({ invocation_id: last, author: 'agent', content: answer });
  const read = readAdkSession({ id: typeof id === 'string' ? id : null, events }, place, onLoss);
  if ('length' in read) return read;
  const reference = fieldOf(objectIn(fieldOf(value, 'reference')), 'response');
  const details = detailsOf(recorded);
  const turns = details === null ? read.turns : read.turns.map((turn) => ({ ...turn, appDetails: details }));
  const expected = reference === undefined ? '' : textIn(objectIn(reference).parts);
  return {
    ...read,
    id: typeof id === 'string' ? id : null,
    turns,
    expected: expected === '' ? new Map() : new Map([[turns.length - 1, { answer: expected }]]),
  };
}

type Event = Fields & { readonly invocation_id: string };

/** Lists the recorded events. All of a turn belong to one invocation. */
function eventsIn(recorded: Fields): Event[] {
  return objectsIn(fieldOf(recorded, 'turns')).flatMap((turn, index) =>
    objectsIn(fieldOf(turn, 'events')).map(({ author, ...event }) => ({
      ...event,
      author: typeof author === 'string' ? author : 'agent',
      invocation_id: `turn-${index + 1}`,
    })),
  );
}

function asked(value: Fields): readonly Event[] {
  const prompt = fieldOf(value, 'prompt');
  return isObject(prompt) ? [{ invocation_id: 'prompt', author: 'user', content: { role: 'user', ...prompt } }] : [];
}

/** Returns the instructions and tools of the recorded agents, for criteria that look at them. */
function detailsOf(recorded: Fields): AppDetails | null {
  const agents = Object.entries(objectIn(fieldOf(recorded, 'agents'))).flatMap(([key, agent]) => {
    if (!isObject(agent)) return [];
    const id = fieldOf(agent, 'agent_id');
    const name = typeof id === 'string' ? id : key;
    const { instruction, tools } = agent;
    const declared = objectsIn(tools).flatMap((tool) => objectsIn(fieldOf(tool, 'function_declarations') ?? [tool]));
    const details = {
      name,
      ...(typeof instruction === 'string' ? { instructions: instruction } : {}),
      ...(declared.length === 0 ? {} : { toolDeclarations: [{ functionDeclarations: toolDeclarations(declared) }] }),
    };
    return [[name, details] as const];
  });
  return agents.length === 0 ? null : { agentDetails: Object.fromEntries(agents) };
}
