import { FunctionTool, LlmAgent, LongRunningFunctionTool } from '@google/adk';
import { calls, ScriptedModel, says } from '../../scripted-model.ts';

const lookUp = new FunctionTool({
  name: 'look_up',
  description: 'The temperature in a city.',
  parameters: { type: 'OBJECT' as never, properties: { cityName: { type: 'STRING' as never } } },
  execute: (args, context) => {
    context?.state.set('asked', (args as { cityName?: string }).cityName);
    return { tempC: 3 };
  },
});

const broken = new FunctionTool({
  name: 'broken',
  description: 'Always throws.',
  execute: () => {
    throw new Error('tool exploded');
  },
});

const approve = new FunctionTool({
  name: 'approve',
  description: 'Waits for a person.',
  requireConfirmation: true,
  execute: () => 'approved',
});

const order = new LongRunningFunctionTool({
  name: 'order',
  description: 'Answers later.',
  execute: async () => undefined,
});

const travel = new LlmAgent({
  name: 'travel',
  description: 'Knows journeys.',
  instruction: 'Book journeys.',
  model: new ScriptedModel(() => says('Booked.')),
});

export const rootAgent = new LlmAgent({
  name: 'weather',
  description: 'Knows the weather.',
  instruction: 'The user lives in {city?}.',
  tools: [lookUp, broken, approve, order],
  subAgents: [travel],
  model: new ScriptedModel(({ text, answered, system }) => {
    if (answered === 'look_up') return says('It has 3 degrees.');
    if (answered === 'broken') return says('The tool is broken.');
    if (text.includes('weather')) return calls('look_up', { cityName: 'Oslo' });
    if (text.includes('broken')) return calls('broken', {});
    if (text.includes('approve')) return calls('approve', {});
    if (text.includes('order')) return calls('order', {});
    if (text.includes('journey')) return calls('transfer_to_agent', { agentName: 'travel' });
    if (text.includes('throw')) throw new Error('the model is gone');
    if (text.includes('blocked')) return { errorCode: 'SAFETY', errorMessage: 'blocked by a filter' };
    if (text.includes('nothing')) return {};
    return says(/lives in (.*)\./.exec(system)?.[1] ?? 'nowhere');
  }),
});
