import type { AgentFunction, FunctionCall, FunctionReply, FunctionResponse } from '@agent-criteria/cli';
import { type Language, languages, type Room } from './languages.ts';

const CELSIUS: Readonly<Record<Room, number>> = { kitchen: 23, bedroom: 19 };

/**
 * A small home agent without a model, in five languages: it switches lights and tells temperatures, each through a tool,
 * and keeps the lights in the session's state.
 */
export const rootAgent: AgentFunction = (message, { state }): FunctionReply => {
  const toolCalls: FunctionCall[] = [];
  const toolResponses: FunctionResponse[] = [];
  const call = (name: string, args: Record<string, unknown>, response: Record<string, unknown>): void => {
    toolCalls.push({ name, args });
    toolResponses.push({ name, response });
  };
  for (const language of languages) {
    const request = readRequest(message, language);
    if (request === null) continue;
    const { names, rooms } = request;
    if (request.kind === 'temperature') {
      const [room] = rooms;
      if (room === undefined) continue;
      call('get_temperature', { room }, { celsius: CELSIUS[room] });
      return { text: language.warmth(names[0] ?? room, CELSIUS[room]), toolCalls, toolResponses };
    }
    const on = request.kind === 'on';
    for (const room of rooms) {
      state[`light_${room}`] = on;
      call('set_light', { room, on }, { room, on });
    }
    return { text: language.switched(names, on), toolCalls, toolResponses };
  }
  return { text: 'I can switch lights and tell temperatures.' };
};

interface Request {
  readonly kind: 'on' | 'off' | 'temperature';
  /** As the message calls them. */
  readonly names: readonly string[];
  readonly rooms: readonly Room[];
}

function readRequest(message: string, language: Language): Request | null {
  for (const kind of ['on', 'off', 'temperature'] as const) {
    const names = language[kind].exec(message)?.groups?.['rooms']?.split(language.and);
    if (names === undefined) continue;
    const rooms = names.flatMap((name) => (Object.hasOwn(language.rooms, name) ? [language.rooms[name] as Room] : []));
    if (rooms.length === names.length) return { kind, names, rooms };
  }
  return null;
}
