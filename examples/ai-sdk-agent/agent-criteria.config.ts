import { defineConfig } from '@agent-criteria/cli';

// The price of one token, by the id of the model. A real project writes down the prices of its provider.
export default defineConfig({
  prices: { 'scripted-model': { inputTokens: 0.000001, outputTokens: 0.000004 } },
});
