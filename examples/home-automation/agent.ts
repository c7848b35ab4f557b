import type { FunctionCall, FunctionReply, FunctionResponse, FunctionSession, Json } from '@agent-criteria/cli';
import { completeRequest, type Request, readRequest, type Status, type Target } from './grammar.ts';
import {
  type DeviceInfo,
  homeTools,
  type RoomTemperature,
  type ToolArgs,
  type ToolName,
  type ToolResult,
} from './tools.ts';

const NOT_UNDERSTOOD =
  'I did not understand that. I can turn devices on or off, list devices, tell the status of a device, ' +
  'and tell or set the temperature of a room.';

/**
 * A home-automation agent without a model: a small grammar reads the message, tools do the work, and every answer is
 * made from what the tools returned. It keeps everything in the session's state, so a fresh session starts afresh.
 */
export const rootAgent = (message: string, session: FunctionSession): FunctionReply => {
  const work = startWork(session.state);
  const memory = readMemory(session.state);
  const text = answer(message, work, memory);
  session.state['conversation'] = { ...memory };
  return { text, toolCalls: work.toolCalls, toolResponses: work.toolResponses };
};

export default rootAgent;

/** What the agent remembers from one turn to the next. */
interface Memory {
  /** The ids of the devices last talked about. */
  mentioned: readonly string[];
  /** The room whose temperature was last talked about. */
  room: string | null;
  /** The request that the agent answered with a question. */
  unfinished: string | null;
}

/** The tools, and a record of their use in this turn. */
interface Work {
  readonly toolCalls: FunctionCall[];
  readonly toolResponses: FunctionResponse[];
  call<Name extends ToolName>(name: Name, args: ToolArgs<Name>): ToolResult<Name>;
}

function startWork(state: Record<string, Json>): Work {
  const tools = homeTools(state);
  const toolCalls: FunctionCall[] = [];
  const toolResponses: FunctionResponse[] = [];
  return {
    toolCalls,
    toolResponses,
    call(name, args) {
      const result = tools[name](args);
      toolCalls.push({ name, args: { ...args } });
      toolResponses.push({ name, response: { ...result } });
      return result;
    },
  };
}

function readMemory(state: Record<string, Json>): Memory {
  const kept: Json = state['conversation'] ?? null;
  if (typeof kept !== 'object' || kept === null || !('mentioned' in kept)) {
    return { mentioned: [], room: null, unfinished: null };
  }
  const { mentioned, room, unfinished } = kept;
  return {
    mentioned: Array.isArray(mentioned) ? mentioned.filter((id) => typeof id === 'string') : [],
    room: typeof room === 'string' ? room : null,
    unfinished: typeof unfinished === 'string' ? unfinished : null,
  };
}

function answer(message: string, work: Work, memory: Memory): string {
  let sentence = message;
  let request = readRequest(message);
  if (!request && memory.unfinished !== null) {
    const unfinished = readRequest(memory.unfinished);
    sentence = memory.unfinished;
    request = unfinished && completeRequest(unfinished, message);
  }
  if (!request) return NOT_UNDERSTOOD;

  const reply = carryOut(request, work, memory);
  memory.unfinished = 'question' in reply ? sentence : null;
  return 'question' in reply ? reply.question : reply.text;
}

/** Either the request is done, or something has to be asked before it can be. */
type Reply = { readonly text: string } | { readonly question: string };

function carryOut(request: Request, work: Work, memory: Memory): Reply {
  switch (request.kind) {
    case 'switch':
      return switchDevices(request.status, request.target, work, memory);
    case 'tell status':
      return tellStatus(request.target, work, memory);
    case 'list':
      return { text: listDevices(request, work, memory) };
    case 'get temperature':
      return getTemperature(request.location, work, memory);
    case 'set temperature':
      return setTemperature(request.location, request.temperature, work, memory);
  }
}

function switchDevices(status: Status, target: Target, work: Work, memory: Memory): Reply {
  let ids: readonly string[];
  if (target.by === 'place') {
    // One device is looked for whatever its status; of many, only those that are not yet as wanted.
    const only = target.many ? (target.status ?? (status === 'ON' ? 'OFF' : 'ON')) : undefined;
    const { devices } = work.call('list_devices', listArgs(only, target.location));
    if (devices.length === 0) return { text: noDevice(only, target.location) };
    ids = devices.map((device) => device.device_id);
    memory.mentioned = ids;
    if (!target.many && ids.length > 1) return { question: whichOf(ids) };
  } else {
    ids = target.by === 'id' ? target.ids : memory.mentioned;
    if (isUnclear(target, ids)) return { question: whichOf(ids) };
  }

  const { found, refusals } = forEachDevice(ids, (device_id) => work.call('set_device_info', { device_id, status }));
  memory.mentioned = found.map((device) => device.device_id);
  const onOrOff = status.toLowerCase();
  const done =
    target.by === 'id'
      ? `${joined(memory.mentioned)} ${found.length === 1 ? 'is' : 'are'} now turned ${onOrOff}.`
      : `I have turned ${onOrOff} ${joined(found.map(describe))}.`;
  return { text: [...(found.length > 0 ? [done] : []), ...refusals].join(' ') };
}

function tellStatus(target: Target, work: Work, memory: Memory): Reply {
  if (target.by === 'place') return { text: listDevices(target, work, memory) };
  const ids = target.by === 'id' ? target.ids : memory.mentioned;
  if (isUnclear(target, ids)) return { question: whichOf(ids) };

  const { found, refusals } = forEachDevice(ids, (device_id) => work.call('get_device_info', { device_id }));
  memory.mentioned = found.map((device) => device.device_id);
  const statuses = found.map((device) => `${capitalised(describe(device))} is ${device.status.toLowerCase()}.`);
  return { text: [...statuses, ...refusals].join(' ') };
}

function listDevices(wanted: { status?: Status; location?: string }, work: Work, memory: Memory): string {
  const { status, location } = wanted;
  const { devices } = work.call('list_devices', listArgs(status, location));
  const first = devices[0];
  memory.mentioned = devices.map((device) => device.device_id);
  if (!first) return noDevice(status, location);
  if (status) {
    const verb = devices.length === 1 ? 'is' : 'are';
    return `${capitalised(joined(devices.map(describe)))} ${verb} ${status.toLowerCase()}.`;
  }
  if (location) {
    const each = devices.map((device) => `${device.device_id}, which is ${device.status.toLowerCase()}`);
    return `The ${first.location} has ${each.join(', and ')}.`;
  }
  const each = devices.map((device) => `${device.device_id} (${device.location}, ${device.status.toLowerCase()})`);
  return `${devices.length === 1 ? 'There is 1 device' : `There are ${devices.length} devices`}: ${joined(each)}.`;
}

function getTemperature(location: string | null, work: Work, memory: Memory): Reply {
  const name = location ?? memory.room;
  if (name === null) return { question: 'Which room do you mean?' };
  const room = work.call('get_temperature', { location: name });
  if ('error' in room) return { text: refusal(room.error) };
  memory.room = room.location;
  return { text: tellTemperature(room) };
}

function setTemperature(location: string | null, temperature: number | null, work: Work, memory: Memory): Reply {
  const name = location ?? memory.room;
  if (name === null) return { question: 'Which room do you mean?' };
  const room =
    temperature === null
      ? work.call('get_temperature', { location: name })
      : work.call('set_temperature', { location: name, temperature });
  if ('error' in room) return { text: refusal(room.error) };
  memory.room = room.location;
  return temperature === null
    ? { question: `${tellTemperature(room)} Which temperature would you like?` }
    : { text: `The ${room.location} temperature is now set to ${room.temperature} degrees Celsius.` };
}

function tellTemperature(room: RoomTemperature): string {
  return `The temperature in the ${room.location} is ${room.temperature} degrees Celsius.`;
}

/** Arguments that were not asked for are left out, not sent empty. */
function listArgs(status: Status | undefined, location: string | undefined): ToolArgs<'list_devices'> {
  return { ...(status && { status }), ...(location && { location }) };
}

function forEachDevice(ids: readonly string[], call: (id: string) => ToolResult<'get_device_info'>) {
  const found: DeviceInfo[] = [];
  const refusals: string[] = [];
  for (const id of ids) {
    const result = call(id);
    if ('error' in result) refusals.push(refusal(result.error));
    else found.push(result);
  }
  return { found, refusals };
}

/** True of "that one" when there is not exactly one, and of "them" when there are none. */
function isUnclear(target: Target, ids: readonly string[]): boolean {
  return target.by === 'mention' && (target.count ? ids.length !== target.count : ids.length === 0);
}

function whichOf(ids: readonly string[]): string {
  return ids.length < 2 ? 'Which device do you mean?' : `Which one do you mean: ${joined(ids, 'or')}?`;
}

function noDevice(status: Status | undefined, location: string | undefined): string {
  const where = location ? ` in the ${location}` : '';
  return status ? `No device${where} is ${status.toLowerCase()}.` : `I found no device${where}.`;
}

function refusal(error: string): string {
  return `I could not do that: ${error}.`;
}

function describe(device: DeviceInfo): string {
  return `the ${device.location} device (${device.device_id})`;
}

function joined(names: readonly string[], word = 'and'): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
