import type { LlmRequest } from '@google/adk';
import { lastResponse, lastText, type Said } from '../fixtures/scripted-model.ts';

interface Device {
  readonly device_id: string;
  readonly location: string;
}

/** Returns the next answer of the model: a call for the user's request, then a sentence about its result. */
export function speakFor(request: LlmRequest): Said {
  const result = lastResponse(request);
  if (result !== undefined) return about(result.name ?? '', result.response ?? {}, request);
  const message = lastText(request);
  if (/command I just issued/.test(message)) return 'You asked me to turn off device_2 in the Bedroom.';
  const device = /device_\d/.exec(message)?.[0] ?? (/that one/i.test(message) ? deviceSaid(request) : undefined);
  const room = /living room|bedroom|kitchen/i.exec(message)?.[0];
  const location = room === undefined ? undefined : room.replaceAll(/\b\w/g, (letter) => letter.toUpperCase());
  const onOff = /\b(on|off)\b/i.exec(message)?.[0].toUpperCase();
  const degrees = /(\d+) degrees/.exec(message)?.[1];
  if (degrees !== undefined && location !== undefined) {
    return { call: 'set_temperature', args: { location, temperature: Number(degrees) } };
  }
  if (degrees !== undefined)
    return { call: 'set_temperature', args: { location: 'Bedroom', temperature: Number(degrees) } };
  if (/which devices/i.test(message)) return { call: 'list_devices', args: { status: onOff } };
  if (/status of/i.test(message)) return { call: 'get_device_info', args: { device_id: device } };
  if (/\bturn\b/i.test(message) && device !== undefined) {
    return {
      call: 'set_device_info',
      args: { device_id: device, status: onOff, ...(location === undefined ? {} : { location }) },
    };
  }
  if (/temperature/i.test(message) && location !== undefined) return { call: 'get_temperature', args: { location } };
  if (/comfortable/i.test(message)) return 'How many degrees should the Bedroom have?';
  return 'What can I do for you?';
}

function about(tool: string, response: Record<string, unknown>, request: LlmRequest): string {
  const args = lastCall(request);
  if (tool === 'set_device_info')
    return `I have set the ${args.device_id} status to ${String(args.status).toLowerCase()}.`;
  if (tool === 'get_device_info') return `Status of ${args.device_id} is ${String(response.status).toLowerCase()}.`;
  if (tool === 'get_temperature')
    return `The temperature in the ${args.location} is ${response.celsius} degrees Celsius.`;
  if (tool === 'set_temperature')
    return `The ${args.location} temperature is now set to ${args.temperature} degrees Celsius.`;
  const devices = response.devices as readonly Device[];
  return devices.map(({ device_id, location }) => `The ${location} device (${device_id}) is on.`).join(' ');
}

function lastCall({ contents }: LlmRequest): Record<string, unknown> {
  const calls = contents.flatMap(({ parts = [] }) => parts.flatMap(({ functionCall }) => functionCall ?? []));
  return calls.at(-1)?.args ?? {};
}

function deviceSaid({ contents }: LlmRequest): string | undefined {
  const texts = contents.flatMap(({ parts = [] }) => parts.flatMap(({ text }) => text ?? []));
  return [...texts.join('\n').matchAll(/device_\d/g)].at(-1)?.[0];
}
