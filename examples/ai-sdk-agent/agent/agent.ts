import { ToolLoopAgent, tool } from 'ai';
import * as z from 'zod';
import { scriptedModel } from './scripted-model.ts';
import { findOrder, returnOrder, searchBooks } from './shop.ts';

export const supportAgent = new ToolLoopAgent({
  id: 'bookshop',
  // A real agent has a model here: openai('gpt-6-luna') of @ai-sdk/openai, or 'openai/gpt-6-luna' of the AI Gateway.
  model: scriptedModel,
  instructions:
    'You are the support of a bookshop. Look up every order and every book; never guess. A book can be returned within ' +
    '30 days after its delivery. Return it only when the customer has given a reason.',
  tools: {
    find_order: tool({
      description: 'Finds an order by its number.',
      inputSchema: z.object({ number: z.string() }),
      execute: async (input) => findOrder(input),
    }),
    search_books: tool({
      description: 'Finds books by title, with price and stock.',
      inputSchema: z.object({ title: z.string() }),
      execute: async (input) => searchBooks(input),
    }),
    return_order: tool({
      description: 'Starts the return of an order, and makes a label for the parcel.',
      inputSchema: z.object({ number: z.string(), reason: z.string() }),
      execute: async (input) => returnOrder(input),
    }),
  },
});
