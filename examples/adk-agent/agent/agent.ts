import { FunctionTool, LlmAgent } from '@google/adk';
import * as z from 'zod';
import { ScriptedModel } from './scripted-model.ts';
import { bookSlot, findPart, findSlot } from './stock.ts';

// A real agent names a model here: model: 'gemini-2.5-flash'.
const model = new ScriptedModel();

const parts = new LlmAgent({
  name: 'parts',
  description: 'Knows which spare parts there are, and what they cost.',
  instruction: 'Look up spare parts. Say whether there are any, and the price.',
  model,
  tools: [
    new FunctionTool({
      name: 'find_part',
      description: 'How many spare parts of a kind there are, and the price of one in euro.',
      parameters: z.object({ item: z.string(), part: z.string() }),
      execute: findPart,
    }),
  ],
});

export const rootAgent = new LlmAgent({
  name: 'repair_desk',
  description: 'The desk of a repair café.',
  instruction:
    'You are the desk of a repair café. Find a free place for what is broken, and book it only when the visitor has agreed ' +
    'and given a name. Questions about spare parts go to the agent "parts".',
  model,
  subAgents: [parts],
  tools: [
    new FunctionTool({
      name: 'find_slot',
      description: 'The next free place at the repair table for an item.',
      parameters: z.object({ item: z.string() }),
      execute: findSlot,
    }),
    new FunctionTool({
      name: 'book_slot',
      description: 'Books a place.',
      parameters: z.object({ item: z.string(), slot: z.string(), name: z.string() }),
      execute: (args, context) => {
        const booked = bookSlot(args);
        context?.state.set('booking', booked.code);
        return booked;
      },
    }),
  ],
});
