import { FunctionTool, LlmAgent } from '@google/adk';
import { Type } from '@google/genai';
import { ScriptedModel } from '../fixtures/scripted-model.ts';
import { openHome } from './home.ts';
import { speakFor } from './script.ts';

// A TypeScript version of the agent in ADK's home automation samples: the same tools and the same home. A scripted
// model replaces Gemini.

const text = { type: 'STRING' } as const;

interface Told {
  readonly device_id?: string;
  readonly status?: string;
  readonly location?: string;
  readonly temperature?: number;
}

/** Tools that read and change the home in the session's state. */
function tool(
  name: string,
  parameters: Record<string, object>,
  required: readonly string[],
  act: Exclude<keyof ReturnType<typeof openHome>, 'state'>,
) {
  return new FunctionTool({
    name,
    description: name.replaceAll('_', ' '),
    parameters: { type: Type.OBJECT, properties: parameters, required: [...required] },
    execute(args, context) {
      const home = openHome((context?.state.get('home') as never) ?? undefined);
      const answer = home[act](args as Told as never);
      context?.state.set('home', home.state);
      return answer;
    },
  });
}

export const rootAgent = new LlmAgent({
  name: 'home_automation_agent',
  instruction: 'You control the devices and temperatures of a home. Use your tools for everything.',
  model: new ScriptedModel(speakFor),
  tools: [
    tool('get_device_info', { device_id: text }, ['device_id'], 'getDevice'),
    tool('set_device_info', { device_id: text, status: text, location: text }, ['device_id', 'status'], 'setDevice'),
    tool('get_temperature', { location: text }, ['location'], 'getTemperature'),
    tool(
      'set_temperature',
      { location: text, temperature: { type: 'NUMBER' } },
      ['location', 'temperature'],
      'setTemperature',
    ),
    tool('list_devices', { status: text, location: text }, [], 'listDevices'),
  ],
});
